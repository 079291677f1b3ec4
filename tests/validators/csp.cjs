/* usage: node csp.cjs SITE: what the CSP evaluator says of the policies of all pages. */
"use strict";
const fs = require("fs");
const path = require("path");
const { CspEvaluator } = require("csp_evaluator/dist/evaluator.js");
const { CspParser } = require("csp_evaluator/dist/parser.js");

const walk = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const full = path.join(folder, entry.name);
  return entry.isDirectory() ? walk(full) : full.endsWith(".html") ? [full] : [];
});
const pages = walk(process.argv[2]);
const policies = new Map();
for (const page of pages) {
  const found = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(fs.readFileSync(page, "utf8"));
  if (!found) { console.log(`${page} has no policy`); process.exitCode = 1; } else policies.set(found[1], page);
}
for (const [policy, page] of policies) {
  for (const finding of new CspEvaluator(new CspParser(policy).csp).evaluate()) {
    /* The site wants one thing that is named at all: its own script from its own host. */
    const own = finding.directive === "script-src" && finding.value === "'self'" && finding.severity >= 50;
    console.log(own ? "note" : "FOUND", finding.severity, finding.directive, finding.value || "", finding.description, page);
    if (!own) process.exitCode = 1;
  }
}
console.log(`${policies.size} policy on ${pages.length} pages`);
