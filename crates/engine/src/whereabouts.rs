//! Where a check ran, and what it was pointed at: evidence is about this work tree.
//!
//! **Invariant:** what cannot be told is not taken for inside. A folder behind a link is the folder that the link
//! leads to.

use proctor_kernel::{Mask, Place};
use proctor_shell::{Check, PROJECT, PROJECT_OR_HOME, TOP};
use proctor_worktree::{Inner, Repo};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Most files of one folder of the search path that are looked at.
const MOST_FILES: usize = 1_000;

/// The ground on which places are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    /// The root of the work tree.
    pub(crate) root: &'a Path,
    /// Where the work began: what lies above it and inside the work tree is not part of the project.
    pub(crate) began: &'a Path,
    /// The user's home folder.
    pub(crate) home: Option<&'a Path>,
    /// The repository of the work tree, which knows what is the project's own.
    pub(crate) repo: Option<&'a Repo>,
}

/// What the ground says of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) place: Place,
    /// The folder that it ran in is one of a part.
    pub(crate) partial: bool,
    /// What its words name as what is run lies in the work tree, and is neither installed there nor the project's own.
    pub(crate) replaced: bool,
}

impl Placed {
    /// Where there is no work tree, there is nothing that a run could be outside of; what its program is need still be
    /// told.
    pub(crate) fn anywhere(check: &Check) -> Self {
        Self {
            place: match check.started_from {
                Some(_) => Place::Unknown,
                None => Place::Here,
            },
            ..Self::default()
        }
    }
}

impl Placed {
    /// Why the exit code says nothing of the check: by its line, and by what it was.
    pub(crate) fn masks(&self, check: &Check) -> Vec<Mask> {
        let mut masks = check.masks.clone();
        if self.replaced && !masks.contains(&Mask::Unanalysable) {
            masks.push(Mask::Unanalysable);
        }
        masks
    }
}

impl Ground<'_> {
    /// Looks at a check of a line that was started in the folder `start`; `words` are those behind its program.
    pub(crate) fn place(&self, check: &Check, words: &[String], start: &Path) -> Placed {
        let at = |place| Placed {
            place,
            ..Placed::default()
        };
        if check.elsewhere {
            return at(Place::Outside);
        }
        if let Some(from) = &check.started_from
            && self.inside(&settled(Path::new(from))).is_none()
        {
            return at(Place::Outside);
        }
        let named = check.folder.as_deref().unwrap_or_default();
        let folder = if named == PROJECT_OR_HOME {
            self.not_home(check)
        } else {
            self.reached(named, start, start)
        };
        let Some(folder) = folder else {
            return at(Place::Unknown);
        };
        if !self.is_here(&folder) {
            return at(Place::Outside);
        }
        for stray in &check.strays {
            match self.reached(stray, start, start) {
                None => return at(Place::Unknown),
                Some(folder) if !self.is_here(&folder) => return at(Place::Outside),
                Some(_) => {}
            }
        }
        // What is run may be named by a plain word (`pytest old`), which is a path only where something stands there.
        let named = words.iter().filter(|word| !word.starts_with('-') && plain(word));
        let inner: Vec<Inner> = named
            .filter_map(|word| self.inner(&settled(&folder.join(word))))
            .collect();
        if inner.contains(&Inner::Other) {
            return at(Place::Outside);
        }
        let mut looked = vec![folder.clone()];
        for point in &check.points {
            // Up to the first pattern.
            let end = point.find(['*', '?', '[']).unwrap_or(point.len());
            let Some(path) = self.reached(point.get(..end).unwrap_or_default(), &folder, start) else {
                return at(Place::Unknown);
            };
            if !self.is_here(&path) {
                return at(Place::Outside);
            }
            looked.push(if path.is_file() {
                path.parent().map_or_else(|| path.clone(), Path::to_owned)
            } else {
                path
            });
        }
        let partial = if check.own.is_some() && !check.partial && !check.varied {
            let own = self.root.join(check.own_folder.as_deref().unwrap_or_default());
            self.inside(&folder) != self.inside(&settled(&own))
        } else {
            looked
                .iter()
                .any(|folder| self.is_part(folder, check.markers) || self.inner(folder).is_some())
                || !inner.is_empty()
        };
        Placed {
            place: Place::Here,
            partial,
            replaced: check
                .files
                .iter()
                .any(|file| self.is_strange(file, &folder, start))
                || check.sources.iter().any(|file| {
                    // A name that is not there was looked up in the search path.
                    let there = self.named(file, start).is_some_and(|file| file.is_file());
                    there && self.is_strange(file, start, start)
                }),
        }
    }

    /// Whether a file that a line names as what is run was put there: it lies in the work tree, git's index does not have it,
    /// and it is no tool that was installed. An index that cannot be read here says nothing of any file.
    pub(crate) fn is_strange(&self, file: &str, folder: &Path, start: &Path) -> bool {
        // Where the home folder is a repository, what lies in it was installed for its user.
        if self.home.is_some_and(|home| home.starts_with(self.root)) {
            return false;
        }
        let (dir, name) = file.rsplit_once('/').unwrap_or(("", file));
        let Some(dir) = self.reached(dir, folder, start) else {
            return false;
        };
        let Some(below) = self.inside(&dir) else {
            return false;
        };
        let path = dir.join(name);
        let of_the_project = || {
            let own = self.repo?.has_in_index(below.join(name).to_str()?);
            Some(own.unwrap_or(true))
        };
        !below
            .iter()
            .any(|part| part == "node_modules" || part == "vendor")
            && !self.is_installed(&path, name)
            && !["python3", "python", "node"]
                .iter()
                .any(|python| self.is_installed(&dir.join(python), python))
            && of_the_project() == Some(false)
    }

    /// Whether a search path leads to a program that was put into the work tree and has the name of one behind it.
    pub(crate) fn is_shadowed(&self, path: &[PathBuf], start: &Path) -> bool {
        let folders: Vec<PathBuf> = path.iter().map(|folder| start.join(folder)).collect();
        folders.iter().enumerate().any(|(at, folder)| {
            let folder = settled(folder);
            let behind = folders.get(at + 1..).unwrap_or_default();
            self.inside(&folder).is_some()
                && std::fs::read_dir(&folder).is_ok_and(|files| {
                    let names = files.flatten().take(MOST_FILES).map(|f| f.file_name());
                    let mut same = names.filter(|name| behind.iter().any(|f| f.join(name).is_file()));
                    same.any(|name| self.is_strange(&name.to_string_lossy(), &folder, start))
                })
        })
    }

    /// The file that a line names by this path, where it lies outside of the work tree. Its folder is looked up behind links, it
    /// itself need not be there.
    pub(crate) fn outside(&self, named: &str, start: &Path) -> Option<PathBuf> {
        self.named(named, start)
            .filter(|file| file.parent().is_some_and(|dir| self.inside(dir).is_none()))
    }

    /// The file that a line names by this path, wherever it lies.
    pub(crate) fn named(&self, named: &str, start: &Path) -> Option<PathBuf> {
        let (dir, name) = named.rsplit_once('/').unwrap_or(("", named));
        let dir = match dir {
            "" if named.starts_with('/') => PathBuf::from("/"),
            dir => self.reached(dir, start, start)?,
        };
        Some(dir.join(name))
    }

    /// Whether a program is what it is called: a binary, or a link to one of its name outside of the work tree.
    pub(crate) fn is_installed(&self, path: &Path, name: &str) -> bool {
        let Ok(real) = path.canonicalize() else {
            return false;
        };
        let stem = |name: &str| {
            name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
                .to_owned()
        };
        let called = real.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if self.inside(&real).is_none() && real != path {
            return stem(called) == stem(name);
        }
        let mut head = [0; 64];
        let read = std::fs::File::open(&real).and_then(|mut file| file.read(&mut head));
        read.is_ok_and(|count| head.iter().take(count).any(|byte| *byte == 0))
    }

    /// A folder as a line names it, if that can be told. `start` is where the line began.
    fn reached(&self, named: &str, from: &Path, start: &Path) -> Option<PathBuf> {
        let behind = |prefix: &str| {
            named
                .strip_prefix(prefix)
                .filter(|rest| rest.is_empty() || rest.starts_with('/'))
                .map(|rest| rest.trim_start_matches('/'))
        };
        if let Some(rest) = behind(TOP) {
            // Asked for outside, it is the root of another one.
            return self
                .is_here(&settled(start))
                .then(|| settled(&self.root.join(rest)))
                .filter(|_| self.inner(&settled(start)).is_none());
        }
        if PROJECT.contains(&named) {
            // Set, it is where the work began; not set, where the line began: told where these are one.
            let began = settled(self.began);
            return (began == settled(start)).then_some(began);
        }
        if let Some(rest) = behind("~")
            .or_else(|| behind("$HOME"))
            .or_else(|| behind("${HOME}"))
        {
            return plain(rest).then_some(settled(&self.home?.join(rest)));
        }
        (plain(named) && named != "-" && !named.starts_with('~')).then(|| settled(&from.join(named)))
    }

    /// Where a check ran whose line goes to the folder of the project or home: where the work began, if it would have failed
    /// at home. A name with a blank leads nowhere without quotes.
    fn not_home(&self, check: &Check) -> Option<PathBuf> {
        let home = settled(self.home?);
        let has_one = |folder: &Path| check.markers.iter().any(|m| folder.join(m).exists());
        let began = settled(self.began);
        let is_word = !self.began.to_string_lossy().contains(char::is_whitespace);
        (check.needs_marker && is_word && !home.ancestors().any(has_one)).then_some(began)
    }

    /// The path below the root, if it lies in the work tree.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let below = |root: &Path| path.strip_prefix(root).ok().map(Path::to_owned);
        below(self.root).or_else(|| below(&settled(self.root)))
    }

    /// Whether a path lies in the work tree and in no other repository that stands there: what a clone or another work tree
    /// holds says nothing of this one. Submodules are parts of it.
    fn is_here(&self, path: &Path) -> bool {
        self.inside(path).is_some() && self.inner(path) != Some(Inner::Other)
    }

    /// The repository inside the work tree that a path lies in.
    fn inner(&self, path: &Path) -> Option<Inner> {
        self.repo?.inner_at(&self.inside(path)?)
    }

    /// Whether the project goes on above the folder.
    fn is_part(&self, folder: &Path, markers: &[&str]) -> bool {
        let Some(below) = self.inside(folder) else {
            return false;
        };
        let began = self.inside(&settled(self.began)).unwrap_or_default();
        // Who works in a folder of a larger repository works on that folder.
        let top = if below.starts_with(&began) {
            began
        } else {
            PathBuf::new()
        };
        below
            .ancestors()
            .skip(1)
            .take_while(|above| above.starts_with(&top))
            .any(|above| markers.iter().any(|m| self.root.join(above).join(m).exists()))
    }
}

/// Whether the shell takes a name for what it is.
fn plain(named: &str) -> bool {
    !named.contains(['$', '`', '*', '?'])
}

/// The path itself: behind links where it exists, else with `..` taken out.
fn settled(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a line in `start`, with a policy's check `make ok` at the root.
    fn told(root: &Path, start: &str, line: &str) -> String {
        let own = [proctor_shell::OwnCheck {
            name: "own".to_owned(),
            run: "sh t.sh".to_owned(),
            kind: proctor_kernel::CheckKind::Tests,
        }];
        let home = root.join("home");
        let ground = Ground {
            root: &root.join("home/tree"),
            began: &root.join("home/tree"),
            home: Some(&home),
            repo: None,
        };
        let analysis = proctor_shell::analyse(line, &own);
        let Some(check) = analysis.checks.first() else {
            return "no check".to_owned();
        };
        let words = analysis.commands[check.command].argv.get(1..).unwrap_or_default();
        let placed = ground.place(check, words, &root.join(start));
        let part = if placed.partial || check.partial {
            " part"
        } else {
            ""
        };
        format!("{:?}{part}", placed.place)
    }

    #[test]
    fn evidence_is_about_this_work_tree() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for folder in ["home/tree/sub/deep", "home/tree/alone", "other", "home/other"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "Cargo.toml",
            "sub/Cargo.toml",
            "alone/package.json",
            "../package.json",
        ] {
            std::fs::write(root.join("home/tree").join(file), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join("other"), root.join("home/tree/link")).unwrap();
        let other = root.join("other").to_string_lossy().into_owned();
        let tree = root.join("home/tree").to_string_lossy().into_owned();
        let mut wrong = String::new();
        for (line, expected) in [
            ("cargo test", "Here"),
            ("sh t.sh", "Here"),
            ("cd TREE && cargo test", "Here"),
            ("cd TREE; cargo test", "Here"),
            ("cd ~/tree && cargo test", "Here"),
            ("cd $HOME/tree && cargo test", "Here"),
            ("cd \"$(git rev-parse --show-toplevel)\" && sh t.sh", "Here"),
            ("cd \"$PWD\" && cargo test", "Here"),
            ("cd sub && cd .. && cargo test", "Here"),
            ("(cd sub); cargo test", "Here"),
            ("cd alone && npm test", "Here"),
            // Labels of targets are no paths.
            ("bazel test //...", "Here"),
            ("bazelisk test --config=ci //... @other//...", "Here part"),
            ("buck2 test //pkg/...", "Here part"),
            ("pants test ::", "Here"),
            ("cargo test --manifest-path ./Cargo.toml", "Here"),
            ("cargo test --target-dir OTHER", "Here"),
            ("/usr/bin/pytest", "Here"),
            ("cd \"$CLAUDE_PROJECT_DIR\" && cargo test", "Here"),
            ("cd \"${CLAUDE_PROJECT_DIR}\" && sh t.sh", "Here"),
            ("cd \"${CLAUDE_PROJECT_DIR:-.}\" && sh t.sh", "Here"),
            ("cd ${CLAUDE_PROJECT_DIR:-$PWD} && cargo test", "Here"),
            // Not set, it leads home, where these fail.
            ("cd $CLAUDE_PROJECT_DIR && cargo test", "Here"),
            // A part of this tree.
            ("cd sub && cargo test", "Here part"),
            ("cd sub && sh t.sh", "Here part"),
            ("cd sub/deep && cargo test", "Here part"),
            ("cargo test --manifest-path sub/Cargo.toml", "Here part"),
            ("cargo -C sub test", "Here part"),
            ("sh t.sh fast", "Here part"),
            // Another one.
            ("cd OTHER && cargo test", "Outside"),
            ("cd OTHER && sh t.sh", "Outside"),
            ("cd OTHER; sh t.sh", "Outside"),
            ("pushd OTHER; sh t.sh", "Outside"),
            ("(cd OTHER; sh t.sh)", "Outside"),
            ("cd .. && cargo test", "Outside"),
            ("cd ~/other && cargo test", "Outside"),
            ("cd && cargo test", "Outside"),
            ("cd link && sh t.sh", "Outside"),
            ("cd OTHER || cd TREE; sh t.sh", "Outside"),
            ("cd TREE && [ -f x ] || cd OTHER; sh t.sh", "Outside"),
            ("env -C OTHER cargo test", "Outside"),
            ("make -C OTHER test", "Outside"),
            ("make -f OTHER/Makefile test", "Outside"),
            ("cargo test --manifest-path OTHER/Cargo.toml", "Outside"),
            ("cargo test --manifest-path=../../other/Cargo.toml", "Outside"),
            ("npm --prefix OTHER test", "Outside"),
            ("pytest --rootdir OTHER", "Outside"),
            ("pytest -c OTHER/pytest.ini", "Outside"),
            ("pytest OTHER", "Outside part"),
            ("go test OTHER/...", "Outside part"),
            ("sh ../../other/test.sh", "Outside"),
            ("uv run --directory OTHER pytest", "Outside"),
            ("bash -c 'cd OTHER && sh t.sh'", "Outside"),
            ("docker run img cargo test", "Outside"),
            ("docker compose exec app sh t.sh", "no check"),
            ("/tmp/no-such-place/bin/pytest", "Outside"),
            ("timeout 9 /tmp/no-such-place/bin/python -m pytest", "Outside"),
            // Nobody can tell.
            ("cd $CLAUDE_PROJECT_DIR && pytest", "Unknown"),
            ("cd $CLAUDE_PROJECT_DIR && make test", "Unknown"),
            ("cd $CLAUDE_PROJECT_DIR && npm test", "Unknown"),
            ("cd ${CLAUDE_PROJECT_DIR:-/srv} && cargo test", "Unknown"),
            (
                "CLAUDE_PROJECT_DIR=$X; cd $CLAUDE_PROJECT_DIR && cargo test",
                "Unknown",
            ),
            (
                "CLAUDE_PROJECT_DIR=$X; cd ${CLAUDE_PROJECT_DIR:-.} && cargo test",
                "Unknown",
            ),
            ("cd \"$CLAUDE_PROJECT_DIR/sub\" && cargo test", "Unknown"),
            (
                "CLAUDE_PROJECT_DIR=$X; cd \"$CLAUDE_PROJECT_DIR\" && cargo test",
                "Unknown",
            ),
            (
                "export CLAUDE_PROJECT_DIR=$X; cd \"$CLAUDE_PROJECT_DIR\" && cargo test",
                "Unknown",
            ),
            ("cd \"$X\" && cargo test", "Unknown"),
            ("cd - && cargo test", "Unknown"),
            (
                "cd OTHER && cd \"$(git rev-parse --show-toplevel)\" && sh t.sh",
                "Unknown",
            ),
            ("cd $(mktemp -d) && cargo test", "Unknown"),
            ("pushd sub; popd; cargo test", "Unknown"),
            ("cargo test --manifest-path \"$X/Cargo.toml\"", "Unknown part"),
        ] {
            let line = line.replace("OTHER", &other).replace("TREE", &tree);
            let found = told(&root, "home/tree", &line);
            if found != expected {
                wrong += &format!("{line}: {found}, not {expected}\n");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
        // The host says where the line begins.
        assert_eq!(told(&root, "other", "sh t.sh"), "Outside");
        assert_eq!(told(&root, "home/tree/sub", "sh t.sh"), "Here part");
        assert_eq!(told(&root, "home/tree/sub", "cd .. && sh t.sh"), "Here");
        let project = "cd \"$CLAUDE_PROJECT_DIR\" && cargo test";
        assert_eq!(told(&root, "home/tree/sub", project), "Unknown");
        let project = "cd $CLAUDE_PROJECT_DIR && cargo test";
        assert_eq!(told(&root, "home/tree/sub", project), "Here");
    }

    #[test]
    fn a_program_from_an_open_place_counts_within_the_work_tree() {
        let temp = tempfile::tempdir_in("/tmp").unwrap();
        let root = temp.path();
        for folder in ["home/tree/bin", "other/bin"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (line, expected) in [
            ("ROOT/home/tree/bin/pytest", "Here"),
            ("ROOT/other/bin/pytest", "Outside"),
            ("ROOT/home/tree/bin/../../../other/bin/pytest", "no check"),
        ] {
            let line = line.replace("ROOT", &root.to_string_lossy());
            assert_eq!(told(root, "home/tree", &line), expected, "{line}");
        }
        let own = proctor_shell::analyse("/tmp/x/bin/pytest", &[]).checks;
        assert_eq!(Placed::anywhere(&own[0]).place, Place::Unknown);
    }

    #[cfg(unix)]
    #[test]
    fn another_repository_inside_is_another_one() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let git = |line: &str| {
            let done = std::process::Command::new("git")
                .args(["-c", "user.name=n", "-c", "user.email=e"])
                .args(["-c", "advice.addEmbeddedRepo=false", "-c", "commit.gpgsign=false"])
                .args(line.split(' '))
                .current_dir(&root)
                .output();
            assert!(done.unwrap().status.success(), "{line}");
        };
        git("init -q");
        git("init -q lib");
        git("-C lib commit -q --allow-empty -m lib");
        git("add lib");
        git("commit -q -m i");
        git("worktree add -q wt -b x");
        git("clone -q . old");
        git("clone -q . .git/old");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        let repo = Repo::discover(&root).unwrap().unwrap();
        let ground = Ground {
            root: &root,
            began: &root,
            home: None,
            repo: Some(&repo),
        };
        let mut wrong = String::new();
        for (start, line, expected) in [
            ("", "pytest -q", "Here"),
            ("", "cd sub && pytest -q", "Here"),
            // A submodule is a part.
            ("", "cd lib && pytest -q", "Here part"),
            ("", "pytest -q lib", "Here part"),
            ("", "cd wt && pytest -q", "Outside"),
            ("", "make -C wt test", "Outside"),
            ("", "pytest -q wt", "Outside part"),
            ("", "pytest -q --rootdir wt wt", "Outside part"),
            ("", "cargo test --manifest-path wt/Cargo.toml", "Outside"),
            ("", "cd old && pytest -q", "Outside"),
            ("", "cd .git/old && pytest -q", "Outside"),
            ("wt", "pytest -q", "Outside"),
            ("wt", "cd .. && pytest -q", "Here"),
            (
                "wt",
                "cd \"$(git rev-parse --show-toplevel)\" && pytest -q",
                "Unknown",
            ),
        ] {
            let analysis = proctor_shell::analyse(line, &[]);
            let check = analysis.checks.first().expect(line);
            let words = analysis.commands[check.command].argv.get(1..).unwrap_or_default();
            let placed = ground.place(check, words, &root.join(start));
            let part = if placed.partial || check.partial {
                " part"
            } else {
                ""
            };
            let found = format!("{:?}{part}", placed.place);
            if found != expected {
                wrong += &format!("{start}: {line}: {found}, not {expected}\n");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }

    #[cfg(unix)]
    #[test]
    fn what_was_put_into_the_work_tree_is_not_what_it_is_called() {
        use std::os::unix::fs::symlink;
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let git = |args: &[&str]| {
            let done = std::process::Command::new("git")
                .args(args)
                .current_dir(&root)
                .output();
            assert!(done.unwrap().status.success(), "{args:?}");
        };
        git(&["init", "-q"]);
        for folder in [
            "bin",
            ".venv/bin",
            "fake/bin",
            "links/bin",
            "node_modules/.bin",
            "tools/bin",
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "bin/python3",
            "bin/rspec",
            "fake/bin/pytest",
            ".venv/bin/pytest",
            "node_modules/.bin/vitest",
            "ci.mk",
            "new.mk",
        ] {
            std::fs::write(root.join(file), "#!/bin/sh\necho OK\n").unwrap();
        }
        std::fs::write(root.join("tools/bin/golangci-lint"), b"\x7fELF\0\0").unwrap();
        symlink("/bin/true", root.join("links/bin/python3")).unwrap();
        symlink("/bin/sh", root.join("links/bin/sh")).unwrap();
        // A real environment: its interpreter is a link to one outside.
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("python3.12"), "").unwrap();
        symlink(outside.path().join("python3.12"), root.join(".venv/bin/python3")).unwrap();
        git(&["add", "bin/rspec", "ci.mk"]);
        let repo = Repo::discover(&root).unwrap().unwrap();
        let ground = Ground {
            root: &root,
            began: &root,
            home: None,
            repo: Some(&repo),
        };
        let mut wrong = String::new();
        for (line, expected) in [
            ("bin/python3 -m unittest", true),
            ("./bin/python3 -m pytest", true),
            ("cd bin && ./../bin/python3 -m unittest", true),
            ("fake/bin/pytest", true),
            ("links/bin/python3 -m unittest", true),
            ("make -f new.mk test", true),
            ("make -f ci.mk test", false),
            ("bin/rspec", false),
            (".venv/bin/python3 -m pytest", false),
            (".venv/bin/pytest", false),
            ("node_modules/.bin/vitest run", false),
            ("tools/bin/golangci-lint run", false),
            ("/usr/bin/python3 -m unittest", false),
            ("python3 -m unittest", false),
        ] {
            let analysis = proctor_shell::analyse(line, &[]);
            let check = analysis.checks.first().expect(line);
            let placed = ground.place(check, &[], &root);
            let masked = placed.masks(check).contains(&Mask::Unanalysable);
            if masked != expected {
                wrong += &format!("{line}: {masked}\n");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}
