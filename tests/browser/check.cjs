/* Drives a real browser over rendered sites. See README.md beside this file.
   usage: NODE_PATH=…/node_modules CHROME=/usr/bin/chromium node check.cjs SITE [HOSTILE_SITE]
   Prints one line per check and ends with 1 when one failed. */
"use strict";
const fs = require("fs");
const http = require("http");

const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("playwright-core");

const [site, hostile] = process.argv.slice(2).map((folder) => path.resolve(folder));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".csv": "text/csv" };

/* Serves a folder below a sub-path, so that a root-absolute link fails. */
const serve = (folder, below) =>
  new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      const url = decodeURIComponent(request.url.split("?")[0]);
      const file = path.join(folder, url.slice(below.length));
      if (!url.startsWith(below) || !file.startsWith(folder) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": types[path.extname(file)] || "application/octet-stream" });
      fs.createReadStream(file).pipe(response);
    });
    server.listen(0, "127.0.0.1", () => resolve({ server, root: `http://127.0.0.1:${server.address().port}${below}` }));
  });

const walk = (folder, suffix, prefix = "") =>
  fs.readdirSync(path.join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name;
    return entry.isDirectory() ? walk(folder, suffix, name + "/") : name.endsWith(suffix) ? [name] : [];
  });

/* One page of each kind: first of every folder, and all single pages. */
const sample = (folder) => {
  const seen = new Set();
  return walk(folder, ".html").filter((page) => {
    const kind = page.endsWith("index.html") ? page : page.split("/").slice(0, 2).join("/").replace(/[^/]*\.html$/, "");
    return !seen.has(kind) && seen.add(kind);
  });
};

let failed = 0;
const results = [];
const check = async (name, run) => {
  try {
    const remark = await run();
    console.log(`ok    ${name}${remark ? ` (${remark})` : ""}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${String(error.message).split("\n").slice(0, 4).join(" | ")}`);
  }
  results.push(name);
};
const assert = (condition, message) => { if (!condition) throw new Error(message); };

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROME || "/usr/bin/chromium", args: flags });
  const { server, root } = await serve(site, "/user/repo/");
  const disk = (page) => pathToFileURL(path.join(site, page)).href;

  /* A page with everything it complains about collected. */
  const open = async (url, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const trouble = [];
    page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") trouble.push(message.text()); });
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("requestfailed", (request) => trouble.push("failed " + request.url()));
    page.on("dialog", (dialog) => { trouble.push("dialog"); dialog.dismiss(); });
    page.on("request", (request) => {
      const target = request.url();
      if (!target.startsWith("file:") && !target.startsWith("data:") && !target.startsWith("http://127.0.0.1:")) trouble.push("outside " + target);
    });
    page.on("response", (response) => { if (response.status() >= 400) trouble.push(response.status() + " " + response.url()); });
    await page.goto(url);
    return { page, trouble, close: () => context.close() };
  };
  const column = (page, id, index) =>
    page.$$eval(`#${id} tbody tr`, (rows, at) => rows.filter((row) => !row.hidden).map((row) => {
      const cell = row.cells[at];
      return cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    }), index);

  await check("sorting keeps missing values last both ways", async () => {
    const { page, close } = await open(root + "leaderboard/index.html");
    const heads = await page.$$eval("#leaderboard thead th", (cells) => cells.map((cell) => cell.textContent));
    const rank = heads.findIndex((head) => head.startsWith("Rank"));
    const seen = [];
    for (let turn = 0; turn < 2; turn++) {
      await page.click(`#leaderboard thead th:nth-child(${rank + 1}) button`);
      const values = await column(page, "leaderboard", rank);
      const present = values.filter((value) => value !== "");
      assert(values.slice(present.length).every((value) => value === ""), "missing not last: " + values);
      const sorted = [...present].sort((a, b) => a - b);
      assert(String(present) === String(turn === 0 ? sorted.reverse() : sorted), "not sorted: " + present);
      seen.push(values.length - present.length);
    }
    const state = new URL(page.url()).search;
    assert(state.includes("s.leaderboard="), "state not in address: " + state);
    await page.reload();
    const values = await column(page, "leaderboard", rank);
    assert(Number(values[0]) <= Number(values[1]), "state not restored");
    await close();
    return `${seen[0]} missing`;
  });

  await check("a filter narrows rows, says so, and survives a reload", async () => {
    const target = walk(site, "index.html").find((page) => /^problems\/[^/]+\/index\.html$/.test(page));
    const { page, close } = await open(root + target);
    const rows = () => page.$$eval("#problems tbody tr", (all) => all.filter((row) => !row.hidden).length);
    const id = (await page.textContent("#problems tbody tr:nth-child(2) th")).trim();
    const before = await rows();
    await page.fill("#problems-filter", id);
    const after = await rows();
    assert(after >= 1 && after < Math.max(before, 2), `${before} then ${after}`);
    assert(/\d+ of \d+/.test(await page.textContent("#problems output")), "no count");
    await page.reload();
    assert((await rows()) === after, "filter lost");
    await close();
  });

  await check("search works from a disk", async () => {
    const { page, trouble, close } = await open(disk("search/index.html"));
    await page.waitForSelector("#query");
    const name = await page.$eval("ul.columns a", (link) => link.textContent);
    await page.fill("#query", name);
    await page.waitForSelector(".find ol a");
    const first = await page.getAttribute(".find ol a", "href");
    await page.click(".find ol a");
    assert(fs.existsSync(new URL(page.url().split("#")[0].split("?")[0])), first);
    assert(!trouble.length, trouble.join(" | "));
    await close();
  });

  await check("the keyboard reaches content, sorting and search", async () => {
    const { page, close } = await open(root + "leaderboard/index.html");
    await page.keyboard.press("Tab");
    assert((await page.evaluate(() => document.activeElement.className)) === "skip", "skip link is not first");
    await page.keyboard.press("Enter");
    assert((await page.evaluate(() => location.hash)) === "#main", "skip link does not lead to main");
    await page.focus("#leaderboard thead th:first-child button");
    await page.keyboard.press("Enter");
    assert((await page.getAttribute("#leaderboard thead th:first-child", "aria-sort")) === "ascending", "Enter does not sort");
    const outline = await page.$eval("#leaderboard thead th:first-child button", (button) => getComputedStyle(button).outlineStyle);
    assert(outline !== "none", "focus is not visible");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("/");
    await page.waitForURL(/search/);
    await close();
  });

  await check("dark follows the system and the button", async () => {
    const { page, close } = await open(root + "index.html", { colorScheme: "dark" });
    const light = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0));
    assert((await light()) < 150, "not dark");
    await page.click(".theme");
    assert((await light()) > 600, "button does not make it light");
    await page.reload();
    assert((await light()) > 600, "choice forgotten");
    await close();
  });

  await check("print has no navigation and nothing cut off", async () => {
    const { page, close } = await open(root + "leaderboard/index.html", { colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert(!(await page.isVisible(".tabs")), "navigation is printed");
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert(/255, 255, 255/.test(paper), "paper is " + paper);
    assert((await page.evaluate(() => getComputedStyle(document.querySelector(".scroll")).overflowX)) === "visible", "tables are cut");
    await close();
  });

  await check("no page is wider than a narrow screen", async () => {
    const pages = sample(site);
    const { page, close } = await open(root + "index.html", { viewport: { width: 360, height: 740 } });
    const wide = [];
    for (const target of pages) {
      await page.goto(root + target);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 360) wide.push(`${target} ${width}`);
    }
    assert(!wide.length, wide.join(", "));
    await close();
    return `${pages.length} pages`;
  });

  await check("everything is there without scripts", async () => {
    const { page, close } = await open(root + "leaderboard/index.html", { javaScriptEnabled: false });
    assert((await page.locator("#leaderboard tbody tr").count()) > 0, "no rows");
    assert((await page.locator(".theme, .tools").count()) === 0, "a control that needs the script is shown");
    await page.click("#leaderboard tbody tr:first-child th a");
    await page.click("a[href*='problems/'], a[href*='runs/']");
    assert((await page.locator("h1").count()) === 1, "three clicks do not end at a record or problem");
    await page.goto(root + "search/index.html");
    assert((await page.locator("ul.columns a").count()) > 0, "no alphabetical index");
    await close();
  });

  await check("from a disk: no error, no failed request", async () => {
    const pages = sample(site);
    const { page, trouble, close } = await open(disk("index.html"));
    for (const target of pages) await page.goto(disk(target));
    assert(!trouble.length, trouble.slice(0, 3).join(" | "));
    assert((await page.evaluate(() => getComputedStyle(document.querySelector("h1")).fontFamily)).includes("charter"), "stylesheet not applied");
    await close();
    return `${pages.length} pages`;
  });

  await check("below a sub-path: no error, no failed request, nothing from outside", async () => {
    const pages = sample(site);
    const { page, trouble, close } = await open(root + "index.html");
    for (const target of pages) await page.goto(root + target);
    assert(!trouble.length, trouble.slice(0, 3).join(" | "));
    await close();
    return `${pages.length} pages`;
  });

  await check("two configurations can be compared in the page", async () => {
    const { page, close } = await open(disk("compare/index.html"));
    await page.waitForSelector("#b");
    const options = await page.locator("#b option").count();
    await page.selectOption("#b", String(options - 1));
    const groups = await page.$$eval("[data-outcomes] summary", (all) => all.map((one) => Number(one.textContent.match(/(\d+)$/)[1])));
    assert(groups.length === 4, "four groups expected");
    const text = await page.textContent("[data-outcomes] p");
    assert(/McNemar/.test(text), text);
    await close();
    return `${groups.join("+")}`;
  });

  await check("claims can be chosen by verdict", async () => {
    const target = walk(site, ".html").find((page) => /^claims\/(?!index)/.test(page));
    if (!target) return "no claims in this study";
    const { page, close } = await open(root + target);
    const values = await page.$$eval("#choose-verdict option", (all) => all.map((one) => one.value).filter(Boolean));
    await page.selectOption("#choose-verdict", values[0]);
    const visible = await page.$$eval("#claims tbody tr", (rows) => rows.filter((row) => row.offsetParent).map((row) => row.textContent));
    assert(visible.length > 0 && visible.every((text) => text.includes(values[0].replace(/^\W+/, "").slice(0, 6))), "other verdicts are shown");
    await close();
  });

  await check("axe finds nothing, light and dark", async () => {
    const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    const pages = sample(site);
    const found = [];
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await open(root + "index.html", { colorScheme, bypassCSP: true });
      for (const target of pages) {
        await page.goto(root + target);
        await page.evaluate(axe);
        const result = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
        for (const violation of result.violations) found.push(`${colorScheme} ${target}: ${violation.id} ${violation.nodes[0].target} (${violation.nodes.length})`);
      }
      await close();
    }
    assert(!found.length, `${found.length}: ${found.slice(0, 6).join(" ; ")}`);
    return `${pages.length} pages twice`;
  });

  if (hostile) {
    await check("hostile names and texts stay text on every page", async () => {
      const other = await serve(hostile, "/x/");
      const { page, trouble, close } = await open(other.root + "index.html");
      const pages = walk(hostile, ".html");
      for (const target of pages) {
        await page.goto(other.root + target);
        const strange = await page.evaluate(() => {
          const scripts = [...document.scripts].filter((script) => !script.src && script.type !== "application/ld+json").length;
          return scripts + document.querySelectorAll("img, iframe, object, embed, [onerror], [onload], [style]").length;
        });
        assert(!strange, `${target} has elements that no template wrote`);
      }
      await page.goto(other.root + "search/index.html?q=script");
      await page.waitForSelector("#query");
      assert((await page.locator(".find ol script").count()) === 0, "search makes markup");
      assert(!trouble.length, trouble.slice(0, 3).join(" | "));
      other.server.close();
      await close();
      return `${pages.length} pages`;
    });
  }

  await browser.close();
  server.close();
  console.log(`${results.length - failed} of ${results.length} checks passed`);
  process.exit(failed ? 1 : 0);
})().catch((error) => { console.error(error); process.exit(2); });

