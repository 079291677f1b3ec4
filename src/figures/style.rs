//! Colours of stand-alone figures: the palette of the site, by class.

/// Style of a figure file. It follows the reader's preference, because an embedding page cannot reach it.
pub(crate) const STANDALONE: &str = concat!(
    ":root{--paper:#fff;--panel:#f4f6f8;--ink:#1b2126;--muted:#55606b;--line:#d5dbe1;--faint:#e9edf0;",
    "--blue:#0072b2;--orange:#b84e00;--green:#00785a;--purple:#99457a;--yellow:#8a6100;--grey:#6b7680;",
    "--h0:#f5f9fc;--h1:#dceaf4;--h2:#b6d4ea;--h3:#83b7da;--h4:#4795c6;--h5:#136fa8;--h6:#0a4a75;--tl:#fff;--td:#1b2126}",
    "@media(prefers-color-scheme:dark){:root{--paper:#13171b;--panel:#1b2127;--ink:#e4e8eb;--muted:#a6b0ba;",
    "--line:#37414b;--faint:#262e36;--blue:#4aa8e0;--orange:#f08a3c;--green:#35c29a;--purple:#dd94bd;",
    "--yellow:#e6b422;--grey:#93a0ab;--h0:#14222e;--h1:#173448;--h2:#1b4966;--h3:#1f6189;--h4:#2f83b5;",
    "--h5:#5eaee0;--h6:#a4d5f5;--tl:#0f1418;--td:#e4e8eb}}",
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','Liberation Sans',Arial,sans-serif;fill:var(--ink)}",
    ".paper{fill:var(--paper)}.muted{fill:var(--muted)}.b{font-weight:600}.axis{stroke:var(--ink);fill:none}",
    ".rule{stroke:var(--line);fill:none}.faint{stroke:var(--faint);fill:none}.whisker{stroke:var(--ink);stroke-width:1.4;fill:none}",
    ".thin{stroke:var(--grey);fill:none}.join{stroke:var(--grey);stroke-width:1.2;stroke-dasharray:3 3;fill:none}",
    ".band{fill:var(--panel)}.blue{fill:var(--blue)}.orange{fill:var(--orange)}.green{fill:var(--green)}",
    ".purple{fill:var(--purple)}.yellow{fill:var(--yellow)}.grey{fill:var(--grey)}",
    ".l-blue{stroke:var(--blue);stroke-width:1.8;fill:none}.l-orange{stroke:var(--orange);stroke-width:1.8;fill:none}",
    ".l-grey{stroke:var(--grey);stroke-width:1.4;fill:none}.hollow{fill:var(--paper);stroke:var(--blue);stroke-width:1.8}",
    ".hollow-orange{fill:var(--paper);stroke:var(--orange);stroke-width:1.8}.tick{stroke:var(--muted);stroke-width:1.2;fill:none}",
    ".h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}.h5{fill:var(--h5)}.h6{fill:var(--h6)}",
    ".t-light{fill:var(--tl)}.t-dark{fill:var(--td)}.none{fill:var(--faint)}",
);
