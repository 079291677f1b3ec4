// Added to pages by `repro serve --watch` and to no published byte: asks whether the study was built again, by a
// script element, because that is all that the policy of the pages allows.
(() => {
  const own = document.currentScript;
  const turn = Number(own.dataset.turn);
  let asked = 0;
  addEventListener("repro-turn", (event) => {
    if (event.detail.turn !== turn) location.reload();
    let note = document.getElementById("repro-note");
    if (!event.detail.fault) return note && note.remove();
    if (!note) {
      note = document.createElement("pre");
      note.id = "repro-note";
      document.body.prepend(note);
    }
    note.textContent = event.detail.fault;
  });
  const ask = () => {
    const script = document.createElement("script");
    script.src = own.src.replace(/watch\.js$/, "turn.js?" + ++asked);
    script.onload = script.onerror = () => {
      script.remove();
      setTimeout(ask, 700);
    };
    document.head.append(script);
  };
  ask();
})();
