/* usage: node lighthouse.cjs TOOLS SITE: Lighthouse on the four pages that matter most. */
"use strict";
const fs = require("fs");
const http = require("http");
const os = require("os");
const path = require("path");
const { spawnSync, spawn } = require("child_process");
const [tools, site] = process.argv.slice(2).map((folder) => path.resolve(folder));
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };

if (process.argv[4] === "serve") {
  http.createServer((request, response) => {
    const file = path.join(site, decodeURIComponent(request.url.split("?")[0]));
    if (!file.startsWith(site) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[path.extname(file)] || "text/plain" });
    return fs.createReadStream(file).pipe(response);
  }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
} else {
  const server = spawn(process.execPath, [__filename, tools, site, "serve"]);
  server.stdout.once("data", (data) => {
    const sets = fs.readdirSync(path.join(site, "problems"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const problem = fs.readdirSync(path.join(site, "problems", sets[0].name)).find((name) => name !== "index.html");
    const pages = ["index.html", "leaderboard/index.html", `problems/${sets[0].name}/${problem}`, "claims/index.html"];
    let failed = 0;
    for (const page of pages) {
      const report = path.join(os.tmpdir(), `lighthouse.${process.pid}.json`);
      const url = `http://127.0.0.1:${Number(String(data))}/${page}`;
      spawnSync(path.join(tools, "node_modules/.bin/lighthouse"), [url, "--quiet", "--no-enable-error-reporting", "--only-categories=performance,accessibility,best-practices", "--chrome-flags=--headless=new --no-sandbox --disable-background-networking", "--output=json", "--output-path=" + report], { stdio: "inherit" });
      const { categories, audits } = JSON.parse(fs.readFileSync(report, "utf8"));
      const scores = Object.values(categories).map((category) => `${category.title} ${Math.round(category.score * 100)}`);
      console.log(page, scores.join(", "));
      for (const category of Object.values(categories)) {
        if (category.score < 1) {
          failed = 1;
          for (const ref of category.auditRefs) {
            const audit = audits[ref.id];
            if (ref.weight > 0 && audit.score !== null && audit.score < 1) console.log("   ", audit.id, audit.displayValue || audit.title);
          }
        }
      }
      fs.rmSync(report);
    }
    server.kill();
    process.exitCode = failed;
  });
}
