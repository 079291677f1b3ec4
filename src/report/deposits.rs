//! Finding codes of deposits and of the repositories that take them.

use super::Severity::{Disagrees, Missing, Note, Unreadable};
use super::codes::{CodeEntry, entry};

/// Kinds of findings about a deposit.
pub(super) const DEPOSITS: &[CodeEntry] = &[
    entry(
        Unreadable,
        "container-refused",
        "The zip is built as no honest writer builds one: names that leave the folder, twice the same name, contradicting headers, hidden bytes, a bomb. Nothing of its content was read.",
        "Fetch the file again from where it is kept; do not unpack this one.",
    ),
    entry(
        Disagrees,
        "container-differs",
        "The zip around the content is not byte for byte what was written: a header, a time stamp or the compressed form of an entry.",
        "The content may still be right (see the other findings); fetch the deposit again to have the original file.",
    ),
    entry(
        Disagrees,
        "readers-disagree",
        "Two readers of zip files understand the container differently, so people may unpack other files than were checked.",
        "Do not use the file; get the deposit again from its source.",
    ),
    entry(
        Disagrees,
        "entry-damaged",
        "The content of an entry cannot be decompressed, or does not have its checksum or length.",
        "Fetch the deposit again.",
    ),
    entry(
        Disagrees,
        "bag-malformed",
        "A file of the bag's own book-keeping (declaration, bag-info, manifest) is not in order.",
        "Fetch the deposit again; if the original is like this, it was not written by this tool.",
    ),
    entry(
        Disagrees,
        "bag-missing-file",
        "A file that the bag lists or needs is absent.",
        "Fetch the deposit again; the file was removed after it was written.",
    ),
    entry(
        Disagrees,
        "bag-unlisted-file",
        "A file in the bag is not listed in a manifest, so nothing vouches for it.",
        "Do not use the file; it was added after the bundle was written.",
    ),
    entry(
        Disagrees,
        "bag-other-form",
        "A listed file is present under another Unicode normal form of its name, as copying between systems makes it.",
        "Rename the file to the listed form; its content is not lost.",
    ),
    entry(
        Missing,
        "bag-holey",
        "The bag refers to files elsewhere (fetch.txt). They are never fetched.",
        "Add the files to the bag.",
    ),
    entry(
        Disagrees,
        "metadata-differs",
        "Two descriptions of the deposit disagree about title, version, date, licence, authors or DOI.",
        "Write the bundle again from one study.toml instead of editing single files.",
    ),
    entry(
        Unreadable,
        "identity-incomplete",
        "The study does not say what every deposit must say (title, version, date, description, licence, author).",
        "Add the member named to [study] in study.toml.",
    ),
    entry(
        Unreadable,
        "input-changed",
        "A file of the study is not what it was when the study was read: its length or its SHA-256 differs.",
        "Let nothing write to the study, and run again.",
    ),
    entry(
        Missing,
        "archive-outside",
        "The bundle holds the digests of the study's files and not the files, so what they say cannot be checked from it alone.",
        "Get the files from where the study is kept, and give their folder with --archive DIR.",
    ),
    entry(
        Unreadable,
        "changed-while-read",
        "A file of the study was written to, replaced or removed while the bundle read it.",
        "Let nothing write to the study, and run again.",
    ),
    entry(
        Unreadable,
        "input-disappeared",
        "A file of the study was there when the study was read and is gone.",
        "Put it back, or run again without it.",
    ),
    entry(
        Unreadable,
        "input-not-regular",
        "A file of the study became a link, a folder or a special file, which is not followed.",
        "Replace it by a regular file, and run again.",
    ),
    entry(
        Note,
        "name-changed",
        "A file is stored under another name, because its own is not safe on every system.",
        "Nothing; metadata/names.csv keeps the original name.",
    ),
    entry(
        Disagrees,
        "deposit-differs",
        "A file of the deposit that the tool makes (a verdict, a statistic, a page, a description) is not what follows from the study inside.",
        "Do not rely on the file; make the deposit again from its study, or get it again from its source.",
    ),
    entry(
        Note,
        "deposit-not-compared",
        "Something in the deposit was not compared with what follows from the study inside; the message says why.",
        "Verify with the version and the engines that wrote the deposit to compare everything.",
    ),
    entry(
        Disagrees,
        "signature-wrong",
        "A signature beside the bundle does not belong to its bytes.",
        "Fetch bundle and signature again; ask the author for the key.",
    ),
    entry(
        Note,
        "signature-unchecked",
        "A signature lies beside the bundle and was not checked.",
        "Give the author's public key with --key FILE, or check it with the tool that made it.",
    ),
    entry(
        Missing,
        "signature-absent",
        "A key was given to check a signature, and no signature that it could check lies beside the bundle.",
        "Fetch the signature too and put it beside the bundle, as NAME.zip.minisig or NAME.zip.sig.",
    ),
    entry(
        Note,
        "repository-limit",
        "The repository will treat the file in a way the depositor should know.",
        "See the message.",
    ),
    entry(
        Disagrees,
        "repository-refuses",
        "The bundle does not fit into the repository, neither whole nor in parts.",
        "Ask the repository for more room, deposit elsewhere, or bundle with --archive digests.",
    ),
];
