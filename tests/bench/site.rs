//! Pages per second of the site, with one worker and with two, all in one run.

use std::path::Path;
use std::time::Instant;

use repro::pipeline::{Earlier, Outside, RunTexts, evaluate, read, render};
use repro::site::{Options, Rendered, Transcripts};
use repro::statistics::readings::Counting;
use repro::world::Silent;
use repro::world::disk::Folder;

/// Renderings of each kind; the fastest counts, because everything else on the machine only slows it.
const TURNS: usize = 3;

/// The development data, or the example study without it.
fn study() -> (Folder, &'static str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match Folder::new(&root.join("../shared/atmoscoder")) {
        Ok(folder) => (folder, "the real study"),
        Err(_) => (Folder::new(&root.join("results/weather-demo")).expect("the example study"), "the example study"),
    }
}

fn pages_below(rendered: &Rendered, folder: &str) -> usize {
    rendered.tree.iter().filter(|(path, _)| path.starts_with(folder) && path.ends_with(".html")).count()
}

pub(crate) fn run() {
    let (source, name) = study();
    let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
    let given = read(&source, Counting::default(), &outside, &Silent).expect("a study");
    // Nothing is executed here: what pages show of executions does not change how long they take.
    let evaluated = evaluate(&source, given, &[], &Silent).expect("an evaluation");
    let texts = RunTexts::read(&source, &evaluated.given.study, &Silent).expect("the texts");
    println!("site of {name}, rendered in memory (statistics and executions done before)");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let measure = |transcripts| {
            let mut best = f64::MAX;
            let mut last = None;
            for _ in 0..TURNS {
                let start = Instant::now();
                let earlier = Earlier::None("Nothing is compared here.".to_owned());
                let rendered =
                    pool.install(|| render(&evaluated, &texts, &earlier, Options { transcripts })).expect("a site");
                best = best.min(start.elapsed().as_secs_f64());
                last = Some(rendered);
            }
            (best, last.expect("a turn"))
        };
        let (all, site) = measure(Transcripts::All);
        let (without, _) = measure(Transcripts::None);
        let runs = pages_below(&site, "runs/");
        println!(
            "  {threads} worker(s): {:>6} pages in {all:.2} s = {:>6.0} pages/s; {runs} run pages of these in {:.2} s = {:>6.0} pages/s; {} problem pages",
            site.pages,
            site.pages as f64 / all,
            all - without,
            runs as f64 / (all - without),
            pages_below(&site, "problems/"),
        );
    }
}
