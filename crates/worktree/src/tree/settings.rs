//! What git's configuration says about content and about files to ignore. Git is asked once; then again when one of
//! the files changes that hold it.

use super::plain::is_silent;
use super::read::identity;
use super::{Place, Trees, scan};
use crate::file;
use crate::git::run;
use proctor_kernel::Digest;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The variables of `git var -l` that name files outside the repository, in its order. They are its last ones.
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
    /// A pipe in the place of a file that git reads: it would wait there.
    pub(crate) pipe: Option<PathBuf>,
}

impl Trees<'_> {
    /// What the configuration says; nothing is allowed where git does not tell.
    pub(crate) fn allowed<'p>(&self, place: &'p Place, deadline: Instant) -> &'p Settings {
        place.settings.get_or_init(|| {
            let memo = place.dir.join("settings");
            if let Ok(text) = file::read_text(&memo)
                && let Some(settings) = self.remembered(&text)
            {
                return settings;
            }
            // Written now, to learn what time it is where such files are kept.
            let begun = file::write(&memo, b"-").and_then(|()| fs::metadata(&memo)).ok();
            let before = self.key_of("");
            let Some(said) = self.said(deadline) else {
                return Settings::default();
            };
            if self.key_of("") != before {
                // Written while git read it: asked again the next time.
                return Settings::default();
            }
            let (settings, files) = read(&said, &self.repo.common_dir().join("info/attributes"));
            if settings.pipe.is_some() {
                return settings;
            }
            let word = if settings.plain { "yes" } else { "no" };
            let excludes = match &settings.excludes {
                Some(path) => format!("={}", path.display()),
                None => "-".to_owned(),
            };
            if begun.is_some_and(|begun| self.are_settled(&files, &begun)) {
                let key = self.key_of(&files);
                let _ = file::write(&memo, format!("{word}\n{excludes}\n{files}\n\n{key}").as_bytes());
            }
            settings
        })
    }

    /// What git says of the configuration.
    fn said(&self, deadline: Instant) -> Option<Said> {
        let ask = |args: &[&str]| {
            let left = deadline.saturating_duration_since(Instant::now());
            let output = run(&self.plain_git(left).args(args)).ok()?;
            let text = String::from_utf8(output.stdout).ok();
            text.filter(|_| output.status == Some(0) && !output.timed_out && !output.truncated)
        };
        Said::read(&ask(&["config", "--list", "-z"])?, &ask(&["var", "-l"])?)
    }

    /// Whether the files were left alone for long enough before a moment for another state to show in their times.
    fn are_settled(&self, files: &str, begun: &Metadata) -> bool {
        let moment =
            |meta: &Metadata| i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
        self.files_of(files).all(|file| {
            fs::metadata(file).map_or(true, |meta| {
                let window = if meta.ctime_nsec() == 0 {
                    scan::COARSE
                } else {
                    scan::WINDOW
                };
                moment(&meta) + window < moment(begun)
            })
        })
    }

    fn remembered(&self, text: &str) -> Option<Settings> {
        let (answers, key) = text.rsplit_once("\n\n")?;
        let (plain, rest) = answers.split_once('\n')?;
        let (excludes, files) = rest.split_once('\n')?;
        (key == self.key_of(files)).then(|| Settings {
            plain: plain == "yes",
            excludes: excludes.strip_prefix('=').map(PathBuf::from),
            pipe: None,
        })
    }

    /// Everything that the answer depends on.
    fn files_of<'f>(&self, files: &'f str) -> impl Iterator<Item = PathBuf> + use<'f> {
        let own = [
            self.repo.common_dir().join("config"),
            self.repo.git_dir().join("config.worktree"),
            self.repo.common_dir().join("info/attributes"),
        ];
        own.into_iter().chain(files.lines().map(PathBuf::from))
    }

    /// The state of all that.
    fn key_of(&self, files: &str) -> String {
        let caller = self.repo.caller.as_deref().unwrap_or_default();
        let mut key = Digest::of(caller.as_bytes()).as_str().to_owned();
        for file in self.files_of(files) {
            key.push(' ');
            key.push_str(&identity(fs::metadata(file).ok().as_ref()));
        }
        key
    }
}

/// What git says: every setting with its value (nothing for a name alone), and the files outside the repository.
#[derive(Debug, Default)]
struct Said {
    settings: Vec<(String, Option<String>)>,
    attributes: Vec<String>,
    /// The system's configuration, and the user's.
    system: Vec<String>,
    own: Vec<String>,
}

impl Said {
    /// Reads `git config --list -z` and `git var -l`. The latter ends lines where a value may hold a line end, so only
    /// what follows all settings is taken from it, and that only in git's own order.
    fn read(list: &str, var: &str) -> Option<Self> {
        let mut said = Self::default();
        let mut rest = var;
        for entry in list.split_terminator('\0') {
            let (name, value) = match entry.split_once('\n') {
                Some((name, value)) => (name, Some(value)),
                None => (entry, None),
            };
            rest = rest.strip_prefix(name)?;
            if let Some(value) = value {
                rest = rest.strip_prefix('=')?.strip_prefix(value)?;
            }
            rest = rest.strip_prefix('\n')?;
            said.settings.push((name.to_owned(), value.map(str::to_owned)));
        }
        let mut last = 0;
        for line in rest.lines() {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let Some(at) = FILES.iter().position(|known| *known == name) else {
                // The files come last.
                if last > 0 {
                    return None;
                }
                continue;
            };
            if at + 1 < last {
                return None;
            }
            last = at + 1;
            let kind = match at {
                0 | 1 => &mut said.attributes,
                2 => &mut said.system,
                _ => &mut said.own,
            };
            kind.push(value.to_owned());
        }
        // A git that does not name them does not let us know; and more of them than there can be are made up.
        let are_known =
            said.attributes.len() == 2 && said.system.len() == 1 && (1..=2).contains(&said.own.len());
        let mut files = said.attributes.iter().chain(&said.system).chain(&said.own);
        (are_known && files.all(|file| file.starts_with('/'))).then_some(said)
    }

    /// The values of a setting, whose name is in small letters.
    fn values<'s>(&'s self, name: &'s str) -> impl DoubleEndedIterator<Item = Option<&'s str>> {
        let named = self.settings.iter().filter(move |(n, _)| n == name);
        named.map(|(_, value)| value.as_deref())
    }

    /// Whether a setting says nothing but `word`, or is not there. Git knows many words for yes and no; all but one
    /// are left to it.
    fn is_only(&self, name: &str, word: &str) -> bool {
        self.values(name).all(|value| value == Some(word))
    }

    /// A path of the configuration.
    fn absolute(&self, path: &str) -> Option<String> {
        // A name with a line end in it would be remembered as two.
        if path.contains('\n') {
            return None;
        }
        if let Some(rest) = path.strip_prefix("~/") {
            let home = self.own.iter().find_map(|f| f.strip_suffix("/.gitconfig"))?;
            return Some(format!("{home}/{rest}"));
        }
        path.starts_with('/').then(|| path.to_owned())
    }

    /// The files that the configuration includes; nothing when that cannot be told for sure.
    fn included(&self) -> Option<Vec<String>> {
        let mut found = Vec::new();
        for (name, value) in &self.settings {
            if name == "include.path" {
                found.push(self.absolute(value.as_deref()?)?);
            } else if let Some(rest) = name.strip_prefix("includeif.") {
                // Where a repository is does not change; which branch is checked out does.
                rest.strip_prefix("gitdir")
                    .filter(|r| r.starts_with([':', '/']))
                    .filter(|r| r.ends_with(".path"))?;
                found.push(self.absolute(value.as_deref()?)?);
            }
        }
        Some(found)
    }

    /// The user's own file of patterns to ignore, empty when there is none; nothing when git must be asked.
    fn excludes(&self) -> Option<PathBuf> {
        if !self.is_only("core.ignorecase", "false") || !self.is_only("core.precomposeunicode", "false") {
            return None;
        }
        if let Some(last) = self.values("core.excludesfile").next_back() {
            return self.absolute(last?).map(PathBuf::from);
        }
        // Beside git's configuration in the folder for configurations.
        let beside = self.own.iter().find_map(|f| f.strip_suffix("/git/config"));
        Some(beside.map_or_else(PathBuf::new, |folder| {
            PathBuf::from(format!("{folder}/git/ignore"))
        }))
    }
}

/// What that lets us do. Gives the files too that it depends on, one in a line.
fn read(said: &Said, info: &Path) -> (Settings, String) {
    let is_usual = said.is_only("core.filemode", "true")
        && said.is_only("core.symlinks", "true")
        && said.values("attr.tree").next().is_none();
    let silent = said.attributes.iter().all(|file| is_silent(Path::new(file)));
    let included = said.included();
    let excludes = included.as_ref().and_then(|_| said.excludes());
    let named = said.attributes.iter().chain(&said.system).chain(&said.own);
    let files: Vec<String> = named.cloned().chain(included.unwrap_or_default()).collect();
    let read = said.attributes.iter().map(PathBuf::from);
    let named = said.values("core.excludesfile").next_back().flatten();
    let named = named.and_then(|path| said.absolute(path)).map(PathBuf::from);
    let mut read = read.chain(named).chain([info.to_owned()]);
    let settings = Settings {
        plain: is_usual && silent && is_silent(info),
        excludes,
        pipe: read.find(|file| file::is_pipe(file)),
    };
    (settings, files.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &str = "GIT_ATTR_SYSTEM=/none/a\nGIT_ATTR_GLOBAL=/none/b\nGIT_CONFIG_SYSTEM=/etc/gitconfig\n\
        GIT_CONFIG_GLOBAL=/home/u/.config/git/config\nGIT_CONFIG_GLOBAL=/home/u/.gitconfig\n";

    /// Settings as lines `name=value` or `name`, with the variables that follow.
    fn said(lines: &str, files: &str) -> Option<Said> {
        let list: String = lines
            .lines()
            .map(|line| format!("{}\0", line.replacen('=', "\n", 1)))
            .collect();
        Said::read(&list, &format!("{lines}GIT_EDITOR=vi\nGIT_PAGER=less\n{files}"))
    }

    fn of(lines: &str) -> (bool, Option<String>, String) {
        let (settings, files) = read(&said(lines, FILES).unwrap(), Path::new("/none/info"));
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
        assert!(of("").0 && of("core.filemode=true\ncore.symlinks=true\n").0);
        for word in [
            "=false", "=no", "=off", "=0", "=FALSE", "=", "", "=TRUE", "=1", "=yes",
        ] {
            for name in ["core.filemode", "core.symlinks"] {
                assert!(!of(&format!("{name}=true\n{name}{word}\n")).0, "{name}{word}");
            }
            let settings = format!("core.ignorecase{word}\n");
            assert_eq!(of(&settings).1.is_some(), word == "=false", "{settings}");
        }
    }

    #[test]
    fn what_is_made_up_is_not_believed() {
        // A value with a line end is one value.
        let list = "x.y\n1\ncore.excludesfile=/tmp/evil\0core.bare\nfalse\0";
        let var = format!("x.y=1\ncore.excludesfile=/tmp/evil\ncore.bare=false\n{FILES}");
        let said_so = Said::read(list, &var).unwrap();
        assert_eq!(
            said_so.excludes(),
            Some(PathBuf::from("/home/u/.config/git/ignore"))
        );
        // What follows is not what was said before.
        assert!(Said::read("x.y\n2\0", &var).is_none());
        for files in [
            "",
            &FILES.replace("GIT_ATTR_SYSTEM=/none/a\n", ""),
            &format!("GIT_ATTR_GLOBAL=/x\nGIT_EDITOR=vi\n{FILES}"),
            &format!("GIT_CONFIG_GLOBAL=/x/git/config\n{FILES}"),
            &FILES.replace("/none/b", "/none/b\nGIT_CONFIG_SYSTEM=/x"),
            &FILES.replace("/none/b", "/none/b\nGIT_CONFIG_GLOBAL=/x/git/config"),
            &FILES.replace("/none/b", "/none/b\nelse"),
            &FILES.replace("/none/b", "relative"),
        ] {
            assert!(said("a.b=c\n", files).is_none(), "{files}");
        }
        // Only the user's own folder is one: not that of a file of attributes.
        let moved = FILES.replace("/none/b", "/evil/git/config");
        let found = said("", &moved).unwrap().excludes();
        assert_eq!(found, Some(PathBuf::from("/home/u/.config/git/ignore")));
        assert_eq!(said("", FILES).unwrap().absolute("/a\nb"), None);
    }
}
