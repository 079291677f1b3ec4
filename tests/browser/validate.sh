#!/bin/sh
# usage: validate.sh TOOLS SITE   (see README.md beside this file)
set -u
tools=$1 site=$2 here=$(dirname "$0") failed=0
say() { printf '%-14s %s\n' "$1" "$2"; }
judge() { if [ "$2" -eq 0 ]; then say "$1" clean; else say "$1" "FOUND SOMETHING"; failed=1; fi; }

find "$site" -name '*.html' > "${TMPDIR:-/tmp}/pages.$$"
xargs -n 400 "$tools/node_modules/.bin/html-validate" --config "$here/html-validate.json" < "${TMPDIR:-/tmp}/pages.$$"
judge html-validate $?

jar=$(find "$tools/node_modules/vnu-jar" -name vnu.jar | head -1)
if [ -n "$jar" ]; then
  java -Xss4m -jar "$jar" --Werror --skip-non-html --also-check-css --also-check-svg --filterpattern '.*Content Security Policy.*' "$site"
  judge nu $?
else
  say nu "not installed: vnu.jar is absent"
fi

"$tools/v/bin/lychee" --offline --include-fragments --no-progress --files-from "${TMPDIR:-/tmp}/pages.$$" > "${TMPDIR:-/tmp}/lychee.$$" 2>&1
status=$?
tail -3 "${TMPDIR:-/tmp}/lychee.$$"
judge lychee $status

NODE_PATH="$tools/node_modules" node "$here/csp.cjs" "$site/index.html"
judge csp $?

NODE_PATH="$tools/node_modules" CHROME_PATH=${CHROME:-/usr/bin/chromium} node "$here/lighthouse.cjs" "$tools" "$site"
judge lighthouse $?
rm -f "${TMPDIR:-/tmp}/pages.$$" "${TMPDIR:-/tmp}/lychee.$$"
exit $failed
