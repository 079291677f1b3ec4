//! Work done on text from models, counted so that a test can double the input and look at what it costs.
//!
//! A reader adds the length of every stretch of text that it hands to a pattern or walks over. Counting
//! happens in unit tests only; elsewhere [`spent`] is empty.

#[cfg(test)]
thread_local! {
    static BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds bytes that are looked at.
#[inline]
pub(super) fn spent(bytes: usize) {
    #[cfg(test)]
    BYTES.with(|all| all.set(all.get() + bytes));
    #[cfg(not(test))]
    let _ = bytes;
}

/// Bytes looked at by `work`.
#[cfg(test)]
pub(super) fn of(work: impl FnOnce()) -> usize {
    BYTES.with(|all| all.set(0));
    work();
    BYTES.with(std::cell::Cell::get)
}

#[cfg(test)]
mod tests {
    use super::super::{boxed, direct, extract, option, prose, signature, strict, unit_text};
    use super::of;
    use crate::corpus::Answer;

    type Reader = (&'static str, fn(&str));

    /// Every reader of model text.
    const READERS: &[Reader] = &[
        ("boxes", |text| drop(boxed::Boxes::read(text, 3).map(|boxes| (boxes.note(), boxes.answers().is_ok())))),
        ("numbers of boxes", |text| drop(direct::boxed_numbers(text))),
        ("careful reading of boxes", |text| drop(prose::answers(text, 3))),
        ("careful reading of a text", |text| drop(prose::read(text))),
        ("strict judgement", |text| {
            let answer = Answer { sub: "1".into(), value: "5".into(), unit: "m".into() };
            drop(strict::prose(&[answer], text, 0.05));
        }),
        ("unit beside a value", |text| drop(unit_text::unit_of(text, 5.0))),
        ("program", |text| assert!(extract::program(text).len() <= text.len())),
        ("last block", |text| drop(extract::last_python_block(text))),
        ("strong signatures", |text| drop(signature::signatures(text, true))),
        ("weak signatures", |text| drop(signature::signatures(text, false))),
        ("numbers", |text| drop(signature::numbers(text))),
        ("option letter", |text| assert!(option::letter(text, 4).is_none_or(|letter| letter <= 'D'))),
    ];

    /// Texts that invite a reader to look at the same stretch again and again.
    const HOSTILE: &[&str] = &[
        "\\boxed{",
        "\\boxed{5 m} ",
        "\\boxed {\\text{",
        "5 m ",
        "5 \\mathrm{",
        "5 5 5 ",
        "5\\text{ppm} ",
        "``` ",
        "```python\n",
        "```python\nx\n```\nthe code returns 5 ",
        "the code returns ",
        "running the code ",
        "\n\n\n",
        "\n>>> x",
        "\\frac{",
        "1,1,",
        "m(m(",
        "^((((",
        "Answer: ",
        "A B ",
        "{{}}",
    ];

    #[test]
    fn twice_the_text_is_twice_the_work() {
        for (name, read) in READERS {
            for part in HOSTILE {
                let [short, long] = [3000, 6000].map(|times| part.repeat(times));
                let [once, twice] = [&short, &long].map(|text| of(|| read(text)));
                assert!(once > 0 || part.trim().is_empty(), "{name} counts nothing on {part:?}");
                assert!(twice <= 2 * once + 4096, "{name} on {part:?}: {once} then {twice}");
                assert!(once <= 200 * short.len() + 4096, "{name} on {part:?}: {once} for {}", short.len());
            }
        }
    }
}
