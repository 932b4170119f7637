//! The examples of `docs/TREE_ID.md`: the page, plain git and our computation agree.

use crate::Repo;
use std::process::Command;

#[test]
fn the_page_plain_git_and_we_agree() {
    let dir = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden.sh");
    let run = Command::new("sh")
        .arg(script)
        .current_dir(dir.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8(run.stdout).unwrap();
    let page = include_str!("../../../../docs/TREE_ID.md");
    let rows: Vec<String> = page
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.strip_prefix("| `")?.split_once("`: ")?;
            let id = rest.strip_suffix("` |")?.rsplit('`').next()?;
            Some(format!("{name} {id}"))
        })
        .collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), rows);
    for row in &rows {
        let (name, id) = row.split_once(' ').unwrap();
        let repo = Repo::discover(&dir.path().join(name)).unwrap().unwrap();
        let ours = repo.tree_id(&dir.path().join("cache")).unwrap();
        assert_eq!(ours.as_str(), id, "{name}");
    }
    let committed = Repo::discover(&dir.path().join("committed")).unwrap().unwrap();
    let of = committed.tree_id_of("HEAD", &dir.path().join("cache")).unwrap();
    assert!(rows.contains(&format!("committed {of}")));
}
