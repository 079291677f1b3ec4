/* The site is complete without this file. It adds: theme, sorting, filters, paging, search, comparison. */
"use strict";
(() => {
  const root = document.body.dataset.root || "";
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  /* State in the address, so that a sorted or filtered page can be sent to someone. On a disk the query
     may not be changed by some browsers; then the page works and only the address stays as it was. */
  const state = new URLSearchParams(location.search);
  const remember = (key, value) => {
    if (value) state.set(key, value); else state.delete(key);
    const query = state.toString();
    try {
      history.replaceState(null, "", (query ? "?" + query : location.pathname.split("/").pop() || "?") + location.hash);
    } catch { /* The address stays; the state of the page does not depend on it. */ }
  };
  const stored = (value) => {
    try {
      if (value === undefined) return localStorage.getItem("theme");
      if (value) localStorage.setItem("theme", value); else localStorage.removeItem("theme");
    } catch { /* No storage: the choice lasts for this page. */ }
    return null;
  };

  const theme = () => {
    const names = ["", "light", "dark"], labels = { "": "auto", light: "light", dark: "dark" };
    let now = stored() || "";
    const button = make("button", { type: "button", class: "theme" });
    const show = () => {
      if (now) document.documentElement.dataset.theme = now; else delete document.documentElement.dataset.theme;
      button.replaceChildren(make("span", { class: "hidden" }, "Theme: "), labels[now] || labels[""]);
    };
    button.addEventListener("click", () => {
      now = names[(names.indexOf(now) + 1) % names.length];
      stored(now);
      show();
    });
    show();
    document.querySelector("nav.groups ul").append(make("li", { class: "themes" }, button));
  };

  /* Missing values have an empty sort key and stay last both ways. */
  const key = (cell) => (cell && cell.dataset.sort !== undefined ? cell.dataset.sort : cell ? cell.textContent.trim() : "");
  const compare = (a, b, up) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a), y = Number(b);
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
    return up ? order : -order;
  };

  /* Fields beside a sheet that choose rows by the words of a column: whether a row is chosen, and whether
     anything is. They narrow the same list as the filter does, so that paging hides no row that was chosen. */
  const choices = (box, rows, changed) => {
    const place = box.id && document.querySelector(`[data-choices="${box.id}"]`), chosen = [];
    if (!place) return { any: () => false, hit: () => true };
    const heads = [...box.querySelectorAll("thead th")].map((head) => head.textContent.trim().toLowerCase());
    const tools = make("div", { class: "tools" });
    for (const field of place.dataset.fields.split(",")) {
      const column = heads.indexOf(field);
      if (column < 0) continue;
      const words = (row) => row.cells[column].textContent.trim(), choice = { words, value: "" };
      const values = [...new Set(rows.map(words))].sort((a, b) => a.localeCompare(b, "en"));
      const select = make("select", { id: "choose-" + field }, make("option", { value: "" }, "all"), ...values.map((value) => make("option", { value }, value)));
      select.addEventListener("change", () => { choice.value = select.value; remember("c." + field, select.value); changed(); });
      select.value = choice.value = values.includes(state.get("c." + field)) ? state.get("c." + field) : "";
      tools.append(make("label", { for: select.id }, field[0].toUpperCase() + field.slice(1)), select);
      chosen.push(choice);
    }
    place.append(tools);
    return {
      any: () => chosen.some((choice) => choice.value),
      hit: (row) => chosen.every((choice) => !choice.value || choice.words(row) === choice.value),
    };
  };

  const PAGE = 200;
  const sheet = (box, index) => {
    const table = box.querySelector("table"), body = table.tBodies[0], name = box.id || "t" + index;
    const rows = [...body.rows];
    if (rows.length < 2) return;
    let all = false, needle = "";
    const tools = make("div", { class: "tools" });
    const count = make("output", { "aria-live": "polite" });
    const more = make("button", { type: "button" });
    const update = () => {
      const narrowed = needle || chosen.any(), shown = all || narrowed ? Infinity : PAGE;
      let hits = 0;
      for (const row of body.rows) {
        const hit = chosen.hit(row) && (!needle || row.textContent.toLowerCase().includes(needle));
        row.hidden = !hit || ++hits > shown;
      }
      count.textContent = narrowed || hits > shown ? `${Math.min(hits, shown)} of ${rows.length} rows` : "";
      more.hidden = hits <= shown;
      more.textContent = `Show all ${hits}`;
    };
    const chosen = choices(box, rows, update);
    more.addEventListener("click", () => { all = true; update(); });
    if (box.dataset.filter !== undefined) {
      const input = make("input", { type: "search", id: name + "-filter", autocomplete: "off", spellcheck: "false" });
      input.addEventListener("input", () => {
        needle = input.value.trim().toLowerCase();
        remember("f." + name, input.value.trim());
        update();
      });
      tools.append(make("label", { for: input.id }, "Filter rows"), input);
      input.value = state.get("f." + name) || "";
      needle = input.value.trim().toLowerCase();
    }
    tools.append(count, more);
    box.prepend(tools);
    const heads = [...table.tHead.rows[0].cells];
    const sort = (column, up) => {
      heads.forEach((head, i) => { if (i === column) head.setAttribute("aria-sort", up ? "ascending" : "descending"); else head.removeAttribute("aria-sort"); });
      const keyed = rows.map((row, i) => [key(row.cells[column]), i, row]);
      keyed.sort((a, b) => compare(a[0], b[0], up) || a[1] - b[1]);
      body.append(...keyed.map((entry) => entry[2]));
      update();
    };
    heads.forEach((head, column) => {
      const button = make("button", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const numeric = head.classList.contains("num"), now = head.getAttribute("aria-sort");
        const up = now ? now === "descending" : !numeric;
        sort(column, up);
        remember("s." + name, column + (up ? "a" : "d"));
      });
    });
    const wanted = /^(\d+)([ad])$/.exec(state.get("s." + name) || "");
    if (wanted && heads[wanted[1]]) sort(Number(wanted[1]), wanted[2] === "a"); else update();
    /* A row that the address names must be visible. */
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.hidden && body.contains(target)) { all = true; update(); target.hidden = false; target.scrollIntoView(); }
  };

  const load = (source, then) => {
    const script = make("script", { src: root + source });
    script.addEventListener("load", then);
    document.head.append(script);
  };

  /* A number with decimals is also found where more of its digits stand: 2.35 in 2.3469. */
  const rounds = (word, text) => {
    const decimals = (/^\d+\.(\d+)$/.exec(word) || [])[1];
    return decimals && (text.match(/\d+\.\d+/g) || []).some((value) => value.length > word.length && Number(value).toFixed(decimals.length) === word);
  };
  /* Relevance: a whole name before its beginning, before a word of it, before any mention. */
  const score = (entry, words, whole) => {
    const name = entry[0].toLowerCase(), text = (entry[0] + " " + entry[1] + " " + entry[3]).toLowerCase();
    if (!words.every((word) => text.includes(word) || rounds(word, text))) return 0;
    if (name === whole) return 4;
    if (name.startsWith(whole)) return 3;
    return name.split(/[^a-z0-9.]+/).some((part) => part.startsWith(words[0])) ? 2 : 1;
  };
  const find = (query) => {
    const whole = query.trim().toLowerCase(), words = whole.split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const hits = SEARCH.map((entry, i) => [score(entry, words, whole), i, entry]).filter((hit) => hit[0]);
    hits.sort((x, y) => y[0] - x[0] || x[1] - y[1]);
    return hits.map((hit) => hit[2]);
  };
  const result = (entry) => {
    const item = make("li", {}, make("a", { href: root + entry[2] }, entry[0]), " ");
    item.append(make("small", {}, entry[1] + (entry[3] ? " · " + entry[3].slice(0, 140) : "")));
    return item;
  };

  const search = () => {
    const box = document.querySelector("[data-search]");
    if (!box) return;
    load(box.dataset.search, () => {
      const input = make("input", { type: "search", id: "query", autocomplete: "off", spellcheck: "false" });
      const list = make("ol"), count = make("output", { "aria-live": "polite", class: "small" });
      const run = () => {
        remember("q", input.value.trim());
        const hits = find(input.value);
        list.replaceChildren(...hits.slice(0, 60).map(result));
        count.textContent = input.value.trim() ? `${hits.length} found${hits.length > 60 ? ", the first 60 shown" : ""}` : "";
      };
      input.addEventListener("input", run);
      box.append(make("p", {}, make("label", { for: "query" }, "Search problems, configurations, claims, values, findings, methods")), make("p", {}, input), make("p", {}, count), list);
      input.value = state.get("q") || "";
      run();
      if (!location.hash) input.focus();
    });
  };

  /* The field in the header: the index is loaded when somebody first comes to it. */
  const quick = () => {
    const box = document.querySelector(".quick");
    if (!box || document.querySelector("[data-search]")) return;
    const input = make("input", { type: "search", id: "quick", placeholder: "Search  /", "aria-label": "Search this site", autocomplete: "off", spellcheck: "false" });
    const list = make("ol", { hidden: "" });
    let asked = false;
    const show = () => {
      const hits = typeof SEARCH === "undefined" ? [] : find(input.value).slice(0, 8);
      list.hidden = !hits.length;
      list.replaceChildren(...hits.map(result));
    };
    input.addEventListener("focus", () => {
      if (!asked) { asked = true; load(box.dataset.index, show); }
    });
    input.addEventListener("input", show);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { list.hidden = true; input.focus(); }
      if (event.key === "Enter" && event.target === input && input.value.trim()) {
        location.href = root + "search/index.html?q=" + encodeURIComponent(input.value.trim());
      }
    });
    document.addEventListener("click", (event) => { if (!box.contains(event.target)) list.hidden = true; });
    box.replaceChildren(input, list);
  };

  /* An address that names something inside a fold opens it, also where the browser does not. */
  const unfold = () => {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = named && named.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (named) named.scrollIntoView();
  };

  /* A figure as PNG at twice its size, drawn here from what the page shows: a page asks for no other file. */
  const pictures = () => document.querySelectorAll("figure.plot").forEach((figure) => {
    const svg = figure.querySelector("svg"), place = figure.querySelector("details.use");
    if (!svg || !place) return;
    const button = make("button", { type: "button", class: "copy" }, "Save as PNG");
    button.addEventListener("click", () => {
      const copy = svg.cloneNode(true);
      const shown = [svg, ...svg.querySelectorAll("*")], drawn = [copy, ...copy.querySelectorAll("*")];
      const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight"];
      shown.forEach((element, at) => {
        const style = getComputedStyle(element);
        for (const name of kept) drawn[at].setAttribute(name, style.getPropertyValue(name));
      });
      const { width, height } = svg.viewBox.baseVal;
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      copy.setAttribute("width", width);
      copy.setAttribute("height", height);
      const image = new Image();
      image.onload = () => {
        const canvas = make("canvas", { width: 2 * width, height: 2 * height });
        const context = canvas.getContext("2d");
        context.fillStyle = getComputedStyle(document.body).backgroundColor;
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        make("a", { href: canvas.toDataURL("image/png"), download: figure.id.replace("figure-", "") + ".png" }).click();
      };
      image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
    });
    place.append(button);
  });

  /* Commands and citations are there to be taken along. */
  const copying = () => document.querySelectorAll("main pre").forEach((block) => {
    const button = make("button", { type: "button", class: "copy" }, "Copy");
    const said = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
    button.addEventListener("click", () => {
      const chosen = () => {
        const range = document.createRange();
        range.selectNodeContents(block);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        said("Selected");
      };
      if (navigator.clipboard) navigator.clipboard.writeText(block.textContent).then(() => said("Copied"), chosen);
      else chosen();
    });
    block.before(button);
  });

  const comparison = () => {
    const box = document.querySelector("[data-outcomes]");
    if (!box) return;
    load(box.dataset.outcomes, () => {
      const { names, keys, problems, pages, cells, pairs } = OUTCOMES;
      /* Numbers of a pair as the statistic gives them; the other way round the two middle ones change places. */
      const numbers = (x, y) => {
        const there = pairs[x] && pairs[x][y];
        if (there) return there;
        const back = pairs[y] && pairs[y][x];
        return back && [back[0], back[2], back[1], back[3], back[4]];
      };
      const choose = (id, label, start) => {
        const select = make("select", { id }, ...names.map((name, i) => make("option", { value: i }, name)));
        const wanted = keys.indexOf(state.get(id));
        select.value = wanted < 0 ? Math.min(start, names.length - 1) : wanted;
        return [make("label", { for: id }, label), select];
      };
      const [labelA, a] = choose("a", "First", 0), [labelB, b] = choose("b", "Second", 1);
      const result = make("div", { "aria-live": "polite" });
      const run = () => {
        remember("a", keys[a.value]);
        remember("b", keys[b.value]);
        const groups = [[], [], [], []];
        problems.forEach((problem, i) => {
          const x = cells[a.value][i], y = cells[b.value][i];
          if (x === "-" || y === "-") return;
          groups[x === "1" ? (y === "1" ? 0 : 1) : y === "1" ? 2 : 3].push(i);
        });
        const said = numbers(keys[a.value], keys[b.value]);
        if (!said) return result.replaceChildren(make("p", {}, "Choose two different configurations."));
        const p = said[4].startsWith("<") ? said[4] : "= " + said[4];
        const labels = ["Both", "Only " + names[a.value], "Only " + names[b.value], "Neither"];
        result.replaceChildren(
          make("p", {}, said[4] ? `Exact McNemar test on ${said[1]} against ${said[2]}: P ${p} (for this pair alone)` : "The two have no graded problem in common."),
          ...groups.map((group, g) => {
            const list = make("ul", { class: "columns" }, ...group.map((i) => make("li", {}, make("a", { href: root + pages[i] }, problems[i]))));
            const details = make("details", {}, make("summary", {}, `${labels[g]}: ${said[g]}`), list);
            details.open = g === 1 || g === 2;
            return details;
          }),
        );
      };
      a.addEventListener("change", run);
      b.addEventListener("change", run);
      box.append(make("div", { class: "tools" }, labelA, a, labelB, b), result);
      run();
    });
  };

  theme();
  document.querySelectorAll(".sheet").forEach(sheet);
  search();
  quick();
  copying();
  pictures();
  unfold();
  addEventListener("hashchange", unfold);
  comparison();
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(input|select|textarea)$/i.test(event.target.tagName) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const field = document.getElementById("query") || document.getElementById("quick");
      if (field) field.focus(); else location.href = root + "search/index.html";
    }
  });
})();
