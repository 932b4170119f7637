//! What git's configuration says about content and about files to ignore. Git is asked once; then again when one of
//! the files changes that hold it.

use super::plain::is_silent;
use super::read::identity;
use super::{Place, Trees};
use crate::git::run;
use proctor_kernel::Digest;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The variables of `git var -l` that name files outside the repository.
const FILES: [&str; 4] = [
    "GIT_ATTR_SYSTEM",
    "GIT_ATTR_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_GLOBAL",
];

/// What the configuration lets us do without git.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Whether files may be stored as they stand.
    pub(crate) plain: bool,
    /// The user's own file of patterns to ignore (empty: none), where untracked files can be listed here.
    pub(crate) excludes: Option<PathBuf>,
}

impl Trees<'_> {
    /// What the configuration says; nothing is allowed where git does not tell.
    pub(crate) fn allowed<'p>(&self, place: &'p Place, deadline: Instant) -> &'p Settings {
        place.settings.get_or_init(|| {
            let memo = place.dir.join("settings");
            if let Ok(text) = fs::read_to_string(&memo)
                && let Some(settings) = self.remembered(&text)
            {
                return settings;
            }
            let before = self.key_of("");
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(output) = run(&self.plain_git(left).args(["var", "-l"])) else {
                return Settings::default();
            };
            let Some(said) = std::str::from_utf8(&output.stdout)
                .ok()
                .filter(|_| output.is_success())
            else {
                return Settings::default();
            };
            if self.key_of("") != before {
                // Written while git read it: asked again the next time.
                return Settings::default();
            }
            let (settings, files) = read(said, &self.repo.common_dir().join("info/attributes"));
            let word = if settings.plain { "yes" } else { "no" };
            let excludes = match &settings.excludes {
                Some(path) => format!("={}", path.display()),
                None => "-".to_owned(),
            };
            let key = self.key_of(&files);
            let _ = fs::write(memo, format!("{word}\n{excludes}\n{files}\n\n{key}"));
            settings
        })
    }

    fn remembered(&self, text: &str) -> Option<Settings> {
        let (answers, key) = text.rsplit_once("\n\n")?;
        let (plain, rest) = answers.split_once('\n')?;
        let (excludes, files) = rest.split_once('\n')?;
        (key == self.key_of(files)).then(|| Settings {
            plain: plain == "yes",
            excludes: excludes.strip_prefix('=').map(PathBuf::from),
        })
    }

    /// The state of everything that the answer depends on.
    fn key_of(&self, files: &str) -> String {
        let own = [
            self.repo.common_dir().join("config"),
            self.repo.git_dir().join("config.worktree"),
            self.repo.common_dir().join("info/attributes"),
        ];
        let caller = self.repo.caller.as_deref().unwrap_or_default();
        let mut key = Digest::of(caller.as_bytes()).as_str().to_owned();
        for file in own.into_iter().chain(files.lines().map(PathBuf::from)) {
            key.push(' ');
            key.push_str(&identity(fs::metadata(file).ok().as_ref()));
        }
        key
    }
}

/// Reads what `git var -l` says. Gives the files too that it depends on, one in a line.
fn read(said: &str, info: &Path) -> (Settings, String) {
    let outside: Vec<(&str, &str)> = said
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(name, _)| FILES.contains(name))
        .collect();
    // A git that does not name them does not let us know.
    let named = ["\nGIT_ATTR_SYSTEM=", "\nGIT_ATTR_GLOBAL="]
        .iter()
        .all(|name| said.contains(name));
    let odd = ["core.filemode=false", "core.symlinks=false", "attr.tree="]
        .iter()
        .any(|setting| said.lines().any(|line| line.starts_with(setting)));
    let silent = outside
        .iter()
        .filter(|(name, _)| name.starts_with("GIT_ATTR"))
        .all(|(_, file)| file.starts_with('/') && is_silent(Path::new(file)));
    let mut files: Vec<String> = outside.iter().map(|(_, file)| (*file).to_owned()).collect();
    let included = included(said, &files);
    let excludes = included.as_ref().and_then(|_| excludes(said, &files));
    files.extend(included.unwrap_or_default());
    let settings = Settings {
        plain: named && !odd && silent && is_silent(info),
        // A name with a line end in it would be read as two.
        excludes: excludes.filter(|_| named && files.iter().all(|f| f.starts_with('/'))),
    };
    (settings, files.join("\n"))
}

/// The files that the configuration includes; nothing when that cannot be told for sure.
fn included(said: &str, files: &[String]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for line in said.lines() {
        let path = if let Some(path) = line.strip_prefix("include.path=") {
            path
        } else if let Some(rest) = line.strip_prefix("includeif.") {
            // Where a repository is does not change; which branch is checked out does.
            let rest = rest
                .strip_prefix("gitdir")
                .filter(|r| r.starts_with([':', '/']))?;
            rest.rsplit_once(".path=")?.1
        } else {
            continue;
        };
        found.push(absolute(path, files)?);
    }
    Some(found)
}

/// The user's own file of patterns to ignore, empty when there is none; nothing when git must be asked.
fn excludes(said: &str, files: &[String]) -> Option<PathBuf> {
    let is_odd = |line: &str| {
        let odd = ["core.ignorecase", "core.precomposeunicode"];
        odd.iter().any(|name| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest != "=false" && (rest.is_empty() || rest.starts_with('=')))
        })
    };
    if said.lines().any(is_odd) {
        return None;
    }
    let mut named = said
        .lines()
        .filter(|l| l.starts_with("core.excludesfile"))
        .map(|l| l.strip_prefix("core.excludesfile="));
    if let Some(last) = named.next_back() {
        return absolute(last?, files).map(PathBuf::from);
    }
    // Beside git's configuration in the folder for configurations.
    let beside = files.iter().find_map(|f| f.strip_suffix("/git/config"));
    Some(beside.map_or_else(PathBuf::new, |folder| {
        PathBuf::from(format!("{folder}/git/ignore"))
    }))
}

/// A path of the configuration.
fn absolute(path: &str, files: &[String]) -> Option<String> {
    if let Some(rest) = path.strip_prefix("~/") {
        let home = files.iter().find_map(|f| f.strip_suffix("/.gitconfig"))?;
        return Some(format!("{home}/{rest}"));
    }
    path.starts_with('/').then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &str = "GIT_ATTR_SYSTEM=/none/a\nGIT_ATTR_GLOBAL=/none/b\nGIT_CONFIG_SYSTEM=/etc/gitconfig\n\
        GIT_CONFIG_GLOBAL=/home/u/.config/git/config\nGIT_CONFIG_GLOBAL=/home/u/.gitconfig\n";

    fn of(lines: &str) -> (bool, Option<String>, String) {
        let (settings, files) = read(&format!("x.y=z\n{lines}{FILES}"), Path::new("/none/info"));
        let excludes = settings.excludes.map(|p| p.display().to_string());
        (settings.plain, excludes, files)
    }

    #[test]
    fn where_the_users_patterns_are() {
        for (lines, excludes) in [
            ("", Some("/home/u/.config/git/ignore")),
            ("core.excludesfile=/x\n", Some("/x")),
            ("core.excludesfile=/x\ncore.excludesfile=~/y\n", Some("/home/u/y")),
            ("core.excludesfile=relative\n", None),
            ("core.excludesfile\n", None),
            ("core.excludesfile=~other/x\n", None),
            ("core.ignorecase=false\n", Some("/home/u/.config/git/ignore")),
            ("core.ignorecase=true\n", None),
            ("core.ignorecase\n", None),
            ("core.precomposeunicode=true\n", None),
            ("include.path=/i\n", Some("/home/u/.config/git/ignore")),
            ("include.path=relative\n", None),
            (
                "includeif.gitdir:~/job/.path=~/w\n",
                Some("/home/u/.config/git/ignore"),
            ),
            ("includeif.onbranch:main.path=/w\n", None),
        ] {
            assert_eq!(of(lines).1.as_deref(), excludes, "{lines}");
        }
        assert!(of("include.path=~/i\n").2.ends_with("/home/u/i"));
        assert!(of("").0 && !of("core.filemode=false\n").0);
        // A git that tells less is asked each time.
        let (settings, _) = read("x.y=z\n", Path::new("/none/info"));
        assert_eq!(settings, Settings::default());
    }
}
