//! The identity of a tree against plain git, over random histories.

use super::{Fixture, git, sh};
use proptest::prelude::*;
use std::fs;

const NAMES: [&str; 8] = [
    "a.txt",
    "src/c.rs",
    "src/new.rs",
    "deep/er/x",
    "deep/y",
    "noise.log",
    ".proctor/rules",
    "src/.gitignore",
];

#[derive(Clone, Debug)]
enum Step {
    Write(usize, u8),
    Remove(usize),
    Mode(usize),
    Stage(usize),
    StageAll,
    Unstage(usize),
    Force(usize),
    Commit,
    Switch,
    Stash,
    Reset,
    Flag(usize, bool),
    OldTime(usize),
    Forget,
    Refresh,
    FolderOf(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    prop_oneof![
        6 => (name.clone(), 0..4_u8).prop_map(|(n, v)| Step::Write(n, v)),
        2 => name.clone().prop_map(Step::Remove),
        1 => name.clone().prop_map(Step::Mode),
        2 => name.clone().prop_map(Step::Stage),
        1 => Just(Step::StageAll),
        1 => name.clone().prop_map(Step::Unstage),
        1 => name.clone().prop_map(Step::Force),
        2 => Just(Step::Commit),
        1 => Just(Step::Switch),
        1 => Just(Step::Stash),
        1 => Just(Step::Reset),
        1 => (name.clone(), any::<bool>()).prop_map(|(n, f)| Step::Flag(n, f)),
        1 => name.clone().prop_map(Step::OldTime),
        1 => Just(Step::Forget),
        1 => Just(Step::Refresh),
        1 => name.prop_map(Step::FolderOf),
    ]
}

fn apply(f: &Fixture, step: &Step) {
    let identity = "-c user.name=T -c user.email=t@e";
    // Git may refuse (a file is not there, a branch is in the way): then nothing happens.
    let try_git = |args: &str| {
        sh(&f.root, &format!("git {identity} {args} >/dev/null 2>&1 || true"));
    };
    match step {
        Step::Write(n, v) => {
            let text = match NAMES[*n] {
                "src/.gitignore" => ["*.log\n", "new.rs\n", "", "!new.rs\n"][usize::from(*v)].to_owned(),
                _ => format!("{v}\n"),
            };
            let path = f.root.join(NAMES[*n]);
            if path.is_dir() || path.parent().is_some_and(|p| p.is_file()) {
                return;
            }
            f.write(NAMES[*n], &text);
        }
        Step::Remove(n) => drop(fs::remove_file(f.root.join(NAMES[*n]))),
        Step::Mode(n) => drop(sh(
            &f.root,
            &format!("chmod +x {} 2>/dev/null || true", NAMES[*n]),
        )),
        Step::Stage(n) => try_git(&format!("add {}", NAMES[*n])),
        Step::StageAll => try_git("add -A"),
        Step::Unstage(n) => try_git(&format!("rm -q --cached {}", NAMES[*n])),
        Step::Force(n) => try_git(&format!("add -f {}", NAMES[*n])),
        Step::Commit => {
            let before = f.id();
            git(&f.root, &["add", "-A"]);
            git(&f.root, &["commit", "-q", "--allow-empty", "-m", "x"]);
            let flagged = git(&f.root, &["ls-files", "-v"])
                .lines()
                .any(|l| !l.starts_with("H "));
            if !flagged {
                assert_eq!(f.id_of("HEAD"), before, "a commit of the content");
            }
            assert_eq!(f.id(), before, "committing");
        }
        Step::Switch => try_git("checkout -q -B other HEAD~1"),
        Step::Stash => try_git("stash -q"),
        Step::Reset => try_git("reset -q --hard"),
        Step::Flag(n, true) => try_git(&format!("update-index --assume-unchanged {}", NAMES[*n])),
        Step::Flag(n, false) => try_git(&format!("update-index --skip-worktree {}", NAMES[*n])),
        Step::OldTime(n) => drop(sh(
            &f.root,
            &format!("[ ! -e {0} ] || touch -d 2020-01-01 {0}", NAMES[*n]),
        )),
        Step::Forget => drop(fs::remove_dir_all(f.cache())),
        Step::Refresh => try_git("status"),
        Step::FolderOf(n) => {
            let path = f.root.join(NAMES[*n]);
            if fs::remove_file(&path).is_ok() {
                fs::create_dir(&path).unwrap();
                fs::write(path.join("inside"), "x").unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn as_plain_git_says(steps in proptest::collection::vec(step(), 1..14), by_git: bool) {
        let f = Fixture::new();
        if by_git {
            // Then no file is taken for plain, and git stores them all.
            f.write(".gitattributes", "*.none ident\n");
        }
        f.write("a.txt", "two\n");
        f.commit("second");
        let mut before = f.repo().tree_id(&f.cache()).unwrap();
        for step in &steps {
            apply(&f, step);
            prop_assert_eq!(f.id(), f.plain(), "after {:?}", step);
            let now = f.repo().tree_id(&f.cache()).unwrap();
            let repo = f.repo();
            let trees = repo.trees(&f.cache());
            if let Some(told) = trees.changes_here(&before, &now).filter(|_| before != now) {
                let by_git = trees.changes_by_git(&before, &now).unwrap();
                prop_assert_eq!(told, by_git, "differences after {:?}", step);
            }
            before = now;
            prop_assert_eq!(f.id(), f.id(), "again after {:?}", step);
            let (repo, cache) = (f.repo(), f.cache());
            let by_git = repo.dirty().unwrap();
            for _ in 0..2 {
                prop_assert_eq!(&repo.trees(&cache).dirty().unwrap(), &by_git, "changed after {:?}", step);
            }
        }
    }
}
