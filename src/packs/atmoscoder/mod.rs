//! AtmosCoder-Bench: the declaration of its archive and the analyses that exist in this study only.

mod family;
mod options;
mod pages;
mod statistics;

use super::Pack;

/// The pack.
pub(super) const PACK: Pack = Pack {
    id: "atmoscoder",
    profile: Some(include_str!("profile.toml")),
    formats: &[],
    graders: &[],
    statistics: statistics::ALL,
    bindings: &[
        ("atmoscoder-claims/1", include_str!("bindings/catalogue.toml")),
        ("atmoscoder-claims/1", include_str!("bindings/sentences.toml")),
    ],
    words: &[include_str!("words.toml")],
    pages: pages::ALL,
    problem_columns: &[("trap", &["", "trap-*", "trap_*", "trap_*_gen"])],
    check: options::check,
};

#[cfg(test)]
mod tests {
    use crate::study::{MANIFEST, Origin};
    use crate::world::memory::Memory;

    /// A problem with the members of this study.
    const CORE: &str = r#"[{"id": "x", "category": "air_quality", "knowledge_points": "[]", "numeric_variantable": true, "sub_answers": []}]"#;

    fn upstream() -> Memory {
        Memory::default().with("benchmark/core.json", CORE).with("experiments/core_code/a.run1.json", "{}")
    }

    #[test]
    fn a_known_layout_needs_no_declaration_and_a_declaration_wins() {
        let found = crate::packs::recognise(&upstream()).unwrap();
        assert_eq!((found.origin, found.study.study.id.as_str()), (Origin::Profile("atmoscoder"), "atmoscoder-bench"));
        let declared = upstream().with(MANIFEST, "[study]\nid = [7]");
        let error = crate::packs::recognise(&declared).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("study.id"), "{error}");
    }

    #[test]
    fn the_layout_alone_is_not_this_study() {
        for core in ["[]", "[{\"id\": \"x\", \"category\": \"air_quality\"}]", &CORE.replace("air_quality", "algebra")]
        {
            let other = upstream().with("benchmark/core.json", core);
            let error = crate::packs::recognise(&other).unwrap_err().to_string();
            assert!(
                error.contains("benchmark/core.json is not that study's") && error.contains("study.toml"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_declaration_counts_what_the_documents_count() {
        let study = crate::packs::recognise(&upstream()).unwrap().study;
        assert_eq!(study.configurations.iter().filter(|c| c.leaderboard).count(), 16);
        // 263 run files and the 3 option files, from the table of the archive schema.
        let files: u32 = study
            .experiments
            .iter()
            .map(|e| e.runs * if e.configurations.is_empty() { 16 } else { e.configurations.len() as u32 })
            .sum();
        assert_eq!(files, 266);
        let twins = |backbone: &str| study.configurations.iter().filter(|c| c.backbone == backbone).count();
        assert_eq!((twins("gpt-5.5"), twins("Gemini-3.1-Pro"), twins("Kimi K2.6")), (2, 1, 2));
        assert_eq!(study.published.iter().filter(|t| t.path.starts_with("published/")).count(), 40);
    }

    #[test]
    fn a_folder_may_have_its_upstream_name() {
        let renamed = upstream().with("supplement/figure_data/F1_category_sizes.csv", "a\n");
        let study = crate::packs::recognise(&renamed).unwrap().study;
        assert!(study.published.iter().any(|t| t.path == "supplement/figure_data/F1_category_sizes.csv"));
    }
}
