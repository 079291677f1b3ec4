//! `repro init`: a commented `study.toml` with everything that the files tell, and what was assumed.

use std::path::{Path, PathBuf};

use super::args::Init;
use super::cannot_write;
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs;
use super::output::Output;
use crate::formats::{Declared, Listing};
use crate::packs;
use crate::pipeline::recognise;
use crate::study;
use crate::world::disk::{Folder, write_file};
use crate::world::{Only, Source};

/// Never overwrites a `study.toml`.
pub(super) fn run(arguments: &Init) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let folder = folder(arguments)?;
    let target = folder.join(study::MANIFEST);
    if target.exists() {
        super::complain(&format!("{} exists", target.display()), "edit it, or move it away first");
        return Err(Exit::CannotWrite);
    }
    let declared = declare(arguments, &folder)?;
    let text = format!("{}{}", assumptions(&declared.assumed), study::init(&declared.study));
    write_file(&target, text.as_bytes()).map_err(|error| cannot_write(&target, &error))?;
    output.line(&format!("wrote {}", target.display()));
    let study = &declared.study;
    let files: usize = study.experiments.iter().map(|experiment| experiment.files.len()).sum();
    if files > 0 {
        output.line(&format!(
            "{} sets, {} configurations, {} experiments from {files} files",
            study.sets.len(),
            study.configurations.len(),
            study.experiments.len()
        ));
    }
    for line in &declared.assumed {
        output.line(&super::output::wrap(&format!("assumed: {line}"), 9));
    }
    let unknown = study.study.unstated();
    if !unknown.is_empty() {
        output.line(&format!("to be filled in before a deposit: {}", unknown.join(", ")));
    }
    let result = serde_json::json!({
        "wrote": target.display().to_string(),
        "assumed": declared.assumed,
        "unstated": unknown,
    });
    output.document(&Envelope::new("init").result(result).done(Exit::Good));
    Ok(Exit::Good)
}

/// The folder that receives the file.
fn folder(arguments: &Init) -> Result<PathBuf, Exit> {
    match (&arguments.folder, &arguments.table) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, Some(table)) => {
            Ok(table.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).into())
        }
        (None, None) => {
            super::complain("no folder was named", "name the folder of an archive, or a table with --table FILE");
            Err(Exit::Usage)
        }
    }
}

fn declare(arguments: &Init, folder: &Path) -> Result<Declared, Exit> {
    let unreadable = |error: &dyn std::fmt::Display, help: &str| {
        super::complain(&error.to_string(), help);
        Exit::Unreadable
    };
    let named = |error: std::io::Error| format!("{} cannot be opened: {error}", folder.display());
    if let Some(table) = &arguments.table {
        let inside = Folder::new(folder).map_err(|error| unreadable(&named(error), "name a file that exists"))?;
        let name = table.strip_prefix(folder).unwrap_or(table).to_string_lossy().replace('\\', "/");
        if !inside.exists(&name) {
            let message = format!("{} is not a file inside {}", table.display(), folder.display());
            return Err(unreadable(&message, "name a table in the folder that gets the study.toml"));
        }
        let only = Only::new(inside, &name);
        let listing = Listing::new(&only).map_err(|error| unreadable(&named(error), "check its permissions"))?;
        return packs::formats().assumed(&listing).map_err(|recognition| {
            unreadable(
                &format!("{} cannot be read as a table\n{}", table.display(), recognition.explain(packs::formats())),
                "add a row of names, or map the columns with `columns` in a study.toml",
            )
        });
    }
    let source = inputs::folder(folder).map_err(|error| unreadable(&named(error), "name a folder"))?;
    match recognise(source.as_ref()) {
        Ok(known) => Ok(Declared { study: known.study, assumed: known.assumed }),
        Err(_) if arguments.skeleton => Ok(Declared {
            study: study::blank(),
            assumed: vec!["nothing: no format fits, so this is a skeleton to be filled in by hand".to_owned()],
        }),
        Err(error) => {
            Err(unreadable(&error, "`repro init --skeleton DIR` writes a study.toml to be filled in by hand"))
        }
    }
}

/// What was assumed, as comments on top of the file.
fn assumptions(assumed: &[String]) -> String {
    let mut text = String::new();
    if assumed.is_empty() {
        return text;
    }
    text.push_str("# Read off the files. What no file says was assumed; correct what is wrong:\n");
    for line in assumed {
        for part in super::output::wrap(line, 2).to_string().lines() {
            text.push_str(&format!("# {}{part}\n", if part.starts_with(' ') { "" } else { "- " }));
        }
    }
    text.push('\n');
    text
}
