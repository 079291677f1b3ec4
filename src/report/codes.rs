//! The registry of finding codes. A new kind of finding is one entry here; codes are never reused.

use super::Severity::{self, Disagrees, Missing, Note, Unreadable};
use super::changes::CHANGES;
use super::deposits::DEPOSITS;

/// A kind of finding.
#[derive(Debug, Clone, Copy)]
pub struct CodeEntry {
    /// Stable kebab-case name.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it means, for `repro explain` and the methods page.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

pub(super) const fn entry(
    severity: Severity,
    code: &'static str,
    meaning: &'static str,
    remedy: &'static str,
) -> CodeEntry {
    CodeEntry { code, severity, meaning, remedy }
}

/// Kinds of findings of every study, grouped by the stage that makes them.
const COMMON: &[CodeEntry] = &[
    // Reading the archive.
    entry(
        Note,
        "rebuilt-runs",
        "Runs say that they were not recorded but rebuilt, for example from a published table.",
        "Archive the recorded runs where they exist; what rests on rebuilt ones is shown as such.",
    ),
    entry(
        Unreadable,
        "empty-file",
        "A file of the archive holds no bytes.",
        "Restore the file from the original archive, or remove it and declare the run as absent.",
    ),
    entry(
        Unreadable,
        "torn-file",
        "A file ends or breaks in the middle; records before the break were used, what follows was not.",
        "Restore the file from the original archive; a run that was cut off has to be fetched or repeated.",
    ),
    entry(
        Unreadable,
        "not-utf8",
        "A file is not UTF-8 text (another encoding, or UTF-16).",
        "Convert the file to UTF-8; the byte given is the first that does not fit.",
    ),
    entry(
        Unreadable,
        "bad-record",
        "A record is not an object of the expected shape and was left out.",
        "Correct the record in the archive; the others of the file were used.",
    ),
    entry(
        Unreadable,
        "bad-problem",
        "A problem of a set is not usable: no id, no accepted answer, or a member of the wrong kind.",
        "Correct the problem in the benchmark file.",
    ),
    entry(
        Note,
        "set-of-verdicts",
        "No problem of a set has what a check would need (accepted answers, a statement). Its records are counted by \
         their stored verdicts, and nothing is graded again.",
        "Nothing to do for a study of verdicts; add the answers to make more levels possible.",
    ),
    entry(
        Unreadable,
        "bad-member",
        "A member of a record is of the wrong kind; the record was used without it.",
        "Correct the member in the archive.",
    ),
    entry(
        Unreadable,
        "bad-run",
        "A run file or a file of selected records has no list of records.",
        "Restore the file from the original archive.",
    ),
    entry(
        Note,
        "not-a-run",
        "A file among the run files is none by its name or content; it was not read as one.",
        "Nothing to do for summaries and notes; rename it to <configuration>.run<k>.json if it is a run.",
    ),
    entry(
        Note,
        "unexpected-run",
        "A run that the study does not declare (another configuration, one run more); it was read and enters no aggregate.",
        "Declare the configuration or the run in study.toml if it belongs to the study.",
    ),
    entry(
        Disagrees,
        "duplicate-run",
        "Two files claim to be the same run. The first by name is used.",
        "Remove the superseded file, or declare aliases that keep the two apart.",
    ),
    entry(
        Disagrees,
        "duplicate-key",
        "A key stands twice in one object, so its text says two things. The last value is used, as the study's programs did.",
        "Find out which of the two is meant and remove the other.",
    ),
    entry(
        Disagrees,
        "identity-differs",
        "A run file says of itself that it is another experiment, configuration or run than its path says; the path is used.",
        "Put the file where it belongs, or correct its metrics.",
    ),
    entry(
        Note,
        "optional-absent",
        "A file that the study declares optional is absent.",
        "Nothing to do; what depends on it says so.",
    ),
    entry(
        Unreadable,
        "unreadable-file",
        "A file exists but could not be read.",
        "Check its permissions and whether it is a regular file.",
    ),
    entry(
        Note,
        "repaired-text",
        "Characters that are not valid (a lone surrogate, a raw control byte, bytes outside UTF-8) were replaced by U+FFFD while reading.",
        "Nothing is lost for grading; restore the original text if the characters matter.",
    ),
    entry(
        Note,
        "unknown-member",
        "A record has a member this version does not know; it was ignored.",
        "Nothing to do unless the member decides a verdict.",
    ),
    entry(
        Note,
        "not-followed",
        "A symbolic link or special file in the archive was not followed.",
        "Replace it by a regular file if it belongs to the archive.",
    ),
    entry(
        Note,
        "assumed",
        "The folder has no study.toml; this was read off its files or assumed.",
        "Check it; `repro init` writes it down where it can be corrected.",
    ),
    entry(
        Note,
        "identity-unstated",
        "The study does not say who made it, under which licence, or when. Nothing was invented in its place.",
        "Write authors, licence and date into study.toml before the archive is deposited.",
    ),
    entry(
        Unreadable,
        "unknown-format",
        "A part of the study names a format that this version does not know; it was not read.",
        "Correct the name; docs/formats lists those that this version knows.",
    ),
    entry(
        Missing,
        "file-elsewhere",
        "A Git LFS pointer stands where a file should be: it holds the digest and the size of the file, not the file.",
        "Fetch the content (`git lfs pull`) and put it in place of the pointer.",
    ),
    entry(
        Note,
        "ragged-samples",
        "Some problems have more or fewer samples than the others. Means over problems weigh every problem alike; a \
         share of all samples does not.",
        "Nothing to do if it was meant so; else look for a record that was appended twice.",
    ),
    entry(
        Missing,
        "not-recorded",
        "Records hold an answer and no verdict. They are neither right nor wrong and enter no rate.",
        "Add the verdicts, or let the tool execute the programs where the problems hold tests.",
    ),
    entry(
        Disagrees,
        "marks-differ",
        "A record says of itself both that it passed and that it did not.",
        "Look at the evaluation that wrote it; the member that the format counts is used.",
    ),
    entry(
        Disagrees,
        "problem-differs",
        "Two files state the same problem with other words or other tests. The first is used.",
        "Check that both files were made with the same version of the benchmark.",
    ),
    entry(
        Disagrees,
        "answer-differs",
        "Two files hold another answer for the same sample. The one beside its verdict is used.",
        "Restore the file from which the verdicts were made.",
    ),
    entry(
        Missing,
        "environment-suspected",
        "Every record of a run ended with a timeout or an error. That tells something about where it ran and nothing \
         about the answers, so no rate is computed from it.",
        "Run the evaluation again where its programs can run; the stored verdicts are kept and shown.",
    ),
    entry(
        Note,
        "left-out",
        "Something in the study's folder is no part of the study: files of version control, caches, editors, the operating system, or files that may hold keys. It is not read and not put into the deposit.",
        "Nothing to do; --include PATH takes it in when it belongs to the study.",
    ),
    entry(
        Disagrees,
        "secret-found",
        "A text in the study has the form of a key, token or password of a well-known service. It would be published.",
        "Remove it, revoke it where it was issued, and run again; --include PATH of that file says that it is none.",
    ),
    entry(
        Note,
        "same-evaluation",
        "Two files hold the same evaluation with the same scores. One of them is used.",
        "Nothing to do; remove one of them if the copy is not meant.",
    ),
    entry(
        Note,
        "evaluation-unfinished",
        "The harness stored the evaluation as cancelled, as ended by an error or as still running.",
        "Say so where its numbers are used; what is recorded was read.",
    ),
    entry(
        Note,
        "not-judged",
        "An evaluation holds answers and no scores. Its records enter no rate.",
        "Score it, or leave it out.",
    ),
    entry(
        Missing,
        "samples-absent",
        "Numbers stand without the samples they are made of, or with a part of them, so they cannot be counted again.",
        "Archive the samples files, whole.",
    ),
    entry(
        Note,
        "part-of-data-set",
        "A part of a data set was evaluated; the number is about that part.",
        "Say so beside the number.",
    ),
    // Bookkeeping of reports over a benchmark.
    entry(
        Disagrees,
        "report-contradiction",
        "A report lists instances under headings that exclude each other, or under one that another must contain. The \
         result of the harness counts: resolved, then unresolved, then error and empty.",
        "Correct the report, or say which heading is right; a rate may depend on it.",
    ),
    entry(
        Disagrees,
        "incomplete-and-submitted",
        "A report lists instances both as not handed in and as handed in. They count by their result.",
        "Correct the lists: reports of several runs were probably merged.",
    ),
    entry(
        Disagrees,
        "outside-benchmark",
        "A report or predictions name instances that are not part of the benchmark. They enter no rate.",
        "Remove them, or say which benchmark was evaluated.",
    ),
    entry(
        Disagrees,
        "counted-twice",
        "An instance is listed twice under one heading, or predicted twice. It counts once.",
        "Remove the repetition.",
    ),
    entry(
        Disagrees,
        "verdict-contradicted",
        "A stored verdict is not what the parts stored beside it come to.",
        "Correct the verdict, or the rule that made it.",
    ),
    entry(
        Disagrees,
        "prediction-without-result",
        "A stored prediction has no result in the report of its arm.",
        "Evaluate it, or say why it was left out.",
    ),
    entry(
        Missing,
        "result-without-prediction",
        "A report judges instances whose prediction is not archived.",
        "Archive the predictions: without them nobody can evaluate again.",
    ),
    entry(
        Note,
        "empty-patch",
        "A prediction holds no patch. It counts as not resolved.",
        "Nothing to do if the system gave none.",
    ),
    entry(
        Missing,
        "unknown-benchmark",
        "No file says how large the benchmark is or which instances it has. Rates are over the instances that are named.",
        "Add the data set, or a report with its size.",
    ),
    // L0: is the archive what it says it is?
    entry(
        Disagrees,
        "duplicate-id",
        "The same id occurs twice in one file. The first record is used; both verdicts are given.",
        "Remove the superseded record; resumed runs often leave one behind.",
    ),
    entry(
        Disagrees,
        "unknown-id",
        "A record names a problem that the set does not contain.",
        "Check that run and problem set have the same version.",
    ),
    entry(
        Disagrees,
        "summary-differs",
        "A number that a file states about its records differs from a recount with the same rule.",
        "Compute the summary again, or look for records that were edited, added or removed after it was written.",
    ),
    entry(
        Disagrees,
        "foreign-id",
        "Records of a run name problems of another set than the one that its experiment asks.",
        "Move the records to a run of the experiment that asks that set; they enter no rate here.",
    ),
    entry(
        Disagrees,
        "attempts-differ",
        "The attempts stored with records are not those that the protocol allows: another number than declared, or a further answer after one that was graded.",
        "Look whether an attempt came from elsewhere; the last graded answer is the one that was replayed.",
    ),
    entry(
        Disagrees,
        "note-differs",
        "The note of the reader of prose answers does not say what the archived text holds.",
        "Read the answer again; an edited note hides how many numbers were boxed.",
    ),
    entry(
        Disagrees,
        "metrics-differ",
        "Counts stored with a run differ from a recount of its records.",
        "Recompute the stored metrics, or look for records that were edited.",
    ),
    entry(
        Disagrees,
        "digest-differs",
        "A file does not have the digest that is recorded for it.",
        "Restore the file, or record the new digest if the change was intended.",
    ),
    entry(
        Missing,
        "missing-file",
        "A file that the study declares is absent.",
        "Add the file, or run with --allow-missing to accept that what depends on it is not checked.",
    ),
    entry(
        Missing,
        "missing-run",
        "An expected run is absent.",
        "Add the run, or accept with --allow-missing; statistics over it are undefined.",
    ),
    entry(
        Missing,
        "missing-records",
        "A run lacks records for some problems of its set.",
        "Complete the run; statistics that need complete runs leave it out.",
    ),
    entry(
        Missing,
        "missing-verdict",
        "Records say neither passed nor failed and name no error.",
        "Complete the records; until then they count as failed.",
    ),
    entry(
        Missing,
        "not-archived",
        "What this check needs was never archived (program text, attempts, values).",
        "Nothing to do if the study did not keep it; the page says what is therefore not checked.",
    ),
    // L1 to L4: execution and grading.
    entry(
        Disagrees,
        "solver-differs",
        "A stored solver does not reproduce its stored answer within the study's tolerance.",
        "Run the program by hand; correct the answer or the program.",
    ),
    entry(
        Disagrees,
        "solver-fails",
        "A stored solver ends with an error, a timeout or without a usable result.",
        "Run the program by hand; the status says what stopped it.",
    ),
    entry(
        Note,
        "solver-near",
        "Stored solvers give values that differ from the stored ones by more than their printed digits allow, and less than the tolerance.",
        "Look whether the stored value is that of another version of the program.",
    ),
    entry(
        Disagrees,
        "not-counted",
        "The counts of a level do not add up to the programs and records of the archive.",
        "Report it: everything in the archive belongs into one count of every level.",
    ),
    entry(
        Note,
        "shortcut-passes",
        "A shortcut program is graded as right by the problem that it belongs to.",
        "Tighten the accepted answer or the grading rule; taking this shortcut cannot be seen.",
    ),
    entry(
        Note,
        "parent-answer-passes",
        "A problem that derives from another accepts the answer of that one, although its own answer is another one.",
        "Choose numbers for which the two answers differ by more than the tolerance; reciting the old answer cannot be seen.",
    ),
    entry(
        Note,
        "unit-two-readings",
        "The unit of accepted answers can be read two ways.",
        "Write the unit so that it has one reading (degC, mol/L), and say in the statement which one is asked for.",
    ),
    entry(
        Note,
        "wrong-constant-passes",
        "An accepted answer is also satisfied by a plausible wrong one: half or twice of it, another power of ten, a confused unit.",
        "Tighten the tolerance for this answer, or ask for a quantity whose scale does not widen it.",
    ),
    entry(
        Note,
        "input-inert",
        "An input of a stored program moves no answer, although other inputs do.",
        "Look whether the input is a distractor that was meant, or a quantity that the program forgets.",
    ),
    entry(
        Disagrees,
        "replay-differs",
        "Executing an archived model program gives another value, unit or verdict than was stored.",
        "See the cause on the record's page.",
    ),
    entry(
        Note,
        "replay-explained",
        "An archived program could not be replayed for a reason outside the record (a module that is not available, the environment).",
        "Install a second environment with --engine both, or accept.",
    ),
    entry(
        Disagrees,
        "regrade-differs",
        "Grading a stored answer again gives another verdict than was stored.",
        "See both lenses on the record's page.",
    ),
    entry(
        Note,
        "lens-differs",
        "The study's own grading rule and the strict rule decide differently on an answer.",
        "Read the reason; the published verdict follows the study's rule.",
    ),
    entry(
        Note,
        "engines-differ",
        "The two execution environments give different results for a program.",
        "See the cause; a program counts as reproduced when either environment reproduces it.",
    ),
    entry(
        Disagrees,
        "solver-quotes",
        "A stored solver does not compute its answer: it holds the numbers, or none of its inputs moves them.",
        "Write the program so that the answer follows from its inputs, or say why the answer is fixed.",
    ),
    entry(
        Note,
        "solver-flagged",
        "Stored solvers that compute have something a reader may want to look at: one answer of several written down, a quantity that moves against physics.",
        "Look at the programs named; such a flag is a reason to look, not a defect.",
    ),
    entry(
        Note,
        "program-quotes",
        "Graded programs of models for one problem, and for those that derive from it, hold answers as numbers or return the same whatever their inputs are.",
        "Look at the programs on the page about fabrication; a number worked out by hand is no executed result.",
    ),
    // L5, L6: statistics and claims.
    entry(
        Disagrees,
        "tokens-differ",
        "Token counts stored with records do not follow from the archived texts.",
        "Count again with the tokenizer that the study names; a stored count may be of an earlier text.",
    ),
    entry(
        Disagrees,
        "table-differs",
        "A recomputed table differs from the published one.",
        "Compare the cells named; either the table is stale or the archive changed.",
    ),
    entry(
        Unreadable,
        "unreadable-table",
        "A published table is no CSV with the columns of the recomputed one.",
        "Write the table with commas between its fields and the column names of the recomputed table.",
    ),
    entry(
        Disagrees,
        "claim-differs",
        "A printed number does not follow from the archive.",
        "Correct the text, or record it as an erratum with its reason.",
    ),
    entry(
        Disagrees,
        "claim-rounds",
        "A printed number is not the recomputed value rounded, but the other neighbour at its precision.",
        "Round from the unrounded value, or record it as an erratum with its reason.",
    ),
    entry(
        Disagrees,
        "claim-impossible",
        "No archive could give the printed number: no count has this percentage, or it lies outside its range.",
        "Look for a typing error or a wrong denominator.",
    ),
    entry(
        Disagrees,
        "claim-conflict",
        "Sources disagree with one another about a number or a definition.",
        "Decide which one is meant and correct the others; the page shows all sides.",
    ),
    entry(
        Disagrees,
        "erratum-holds",
        "A number recorded as an erratum does follow from the archive.",
        "Remove the erratum from the claims ledger.",
    ),
    entry(
        Note,
        "claim-erratum",
        "A printed number is wrong and acknowledged as an erratum.",
        "Nothing; it stays visible with its reason.",
    ),
    entry(
        Note,
        "other-aggregate",
        "A printed mean over runs is the share solved by the majority of runs, or the reverse.",
        "Print the value that is meant, or say which of the two it is.",
    ),
    entry(
        Note,
        "rounded-twice",
        "The last digit of a printed number comes from rounding before rounding, or from computing with rounded values.",
        "Round once, from the unrounded value.",
    ),
    entry(
        Note,
        "old-copy",
        "A number is printed in several places, and one of them prints another value than the one that follows.",
        "Bring the copy up to date.",
    ),
    entry(
        Disagrees,
        "caption-differs",
        "A caption counts something else than its table holds.",
        "Count the rows again; a row was added or dropped after the caption was written, or the reverse.",
    ),
    entry(
        Disagrees,
        "percent-impossible",
        "A document prints a percentage that is not the share of the count, or of any count, in the total printed with it.",
        "Compute it again from the counts; look for a typing error or another total.",
    ),
    entry(
        Missing,
        "claim-not-checkable",
        "The archive lacks what is needed to judge printed numbers.",
        "Deposit the missing inputs, or accept with --allow-missing.",
    ),
    entry(
        Unreadable,
        "bad-ledger",
        "The claims ledger has an entry that cannot be understood.",
        "Correct the entry; the message names the member and what is expected.",
    ),
    // Documents in which printed numbers are found.
    entry(
        Unreadable,
        "unreadable-document",
        "A document whose numbers should be found cannot be read.",
        "Name a Markdown, HTML, LaTeX, text, CSV or PDF file with text in it; the message says what is wrong.",
    ),
    // Site and bundle.
    entry(
        Disagrees,
        "broken-link",
        "A page links to something that does not exist in the site.",
        "Report it: the tool renders its own links.",
    ),
    entry(
        Note,
        "formula-as-source",
        "A formula could not be typeset and is shown as its source text.",
        "Correct the LaTeX in the statement.",
    ),
];

/// Every kind of finding.
pub const CODES: &[CodeEntry] =
    &joined::<{ COMMON.len() + CHANGES.len() + DEPOSITS.len() }>([COMMON, CHANGES, DEPOSITS]);

/// All lists, one after the other.
const fn joined<const N: usize>(parts: [&[CodeEntry]; 3]) -> [CodeEntry; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut at, mut end) = (0, 0, 0);
    while end < N {
        if at < parts[part].len() {
            all[end] = parts[part][at];
            (at, end) = (at + 1, end + 1);
        } else {
            (part, at) = (part + 1, 0);
        }
    }
    all
}

/// The entry of a code.
pub fn code(name: &str) -> Option<&'static CodeEntry> {
    CODES.iter().find(|entry| entry.code == name)
}
