/* usage: node csp.cjs PAGE: what the CSP evaluator says of the policy of a page. */
"use strict";
const fs = require("fs");
const { CspEvaluator } = require("csp_evaluator/dist/evaluator.js");
const { CspParser } = require("csp_evaluator/dist/parser.js");
const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(fs.readFileSync(process.argv[2], "utf8"))[1];
/* 60 is "information"; a script from the own origin is named there and is what the page wants. */
const found = new CspEvaluator(new CspParser(policy).csp).evaluate().filter((finding) => finding.severity < 50);
for (const finding of found) console.log(finding.severity, finding.directive, finding.value || "", finding.description);
process.exit(found.length ? 1 : 0);
