/* usage: NODE_PATH=…/node_modules CHROME=… node axe.cjs SITE: axe on every page, light and dark; also what
   the browser complains about. */
"use strict";
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("playwright-core");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const site = path.resolve(process.argv[2]);
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const walk = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const full = path.join(folder, entry.name);
  return entry.isDirectory() ? walk(full) : full.endsWith(".html") ? [full] : [];
});

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROME, args: ["--no-sandbox", "--disable-gpu"] });
  const pages = walk(site).sort();
  let found = 0;
  const say = (text) => { found++; if (found <= 60) console.log(text); };
  const work = async (colorScheme, queue) => {
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    let here = "";
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) say(`${here}: ${message.text()}`); });
    page.on("pageerror", (error) => say(`${here}: ${error}`));
    page.on("requestfailed", (request) => say(`${here}: failed ${request.url()}`));
    while (queue.length) {
      const target = queue.pop();
      here = path.relative(site, target);
      await page.goto(pathToFileURL(target).href);
      await page.evaluate(axe);
      const result = await page.evaluate((values) => axe.run(document, { runOnly: values, resultTypes: ["violations"], preload: false }), tags);
      for (const violation of result.violations) {
        say(`${colorScheme} ${here}: ${violation.id} ${violation.nodes[0].target} (${violation.nodes.length}) ${violation.help}`);
      }
    }
    await context.close();
  };
  for (const scheme of (process.env.SCHEMES || "light,dark").split(",")) {
    const queue = [...pages].reverse();
    await Promise.all([work(scheme, queue), work(scheme, queue)]);
  }
  await browser.close();
  console.log(`${found} violations on ${pages.length} pages, each twice`);
  process.exit(found ? 1 : 0);
})().catch((error) => { console.error(error); process.exit(2); });
