//! Which program is started as a reviewer: where it lies, what it is, and whether the policy lets it.
//!
//! An agent chooses what PATH leads to and writes wherever the user may, so the file and its digest go on record with
//! the verdict, and nothing inside the repository is started unless the user's own policy names its very bytes.

use crate::caller;
use crate::commands::init::on_path;
use crate::interpreter::{agent_of, is_runtime, named_by, script_of};
use proctor_engine::review::{Interpreter, Program};
use proctor_hosts::claude;
use proctor_kernel::{Error, ErrorKind, Process, Result as Outcome};
use proctor_worktree::{Command, Repo, file};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// A program that may be started, as it was when it was looked at.
#[derive(Debug)]
pub(crate) struct Looked {
    /// What goes on record.
    pub(crate) program: Program,
    held: Held,
    /// What runs it, where it is a script, and the words that come before the script.
    by: Option<(Held, Vec<String>)>,
}

/// A file that was read.
#[derive(Debug)]
struct Held {
    /// The name by which it was found, links not followed: some programs go by the name under which they are called.
    start: PathBuf,
    path: PathBuf,
    digest: String,
    /// Held open, so that nothing else can take its number.
    file: File,
    /// Whether an interpreter runs it.
    script: bool,
    stamp: Stamp,
}

impl Held {
    fn at(start: PathBuf) -> Result<Self, String> {
        let cannot = |e: std::io::Error| format!("the program {} cannot be read: {e}", start.display());
        let path = start.canonicalize().map_err(cannot)?;
        let file = open(&path).map_err(cannot)?;
        let stamp = Stamp::of(&file.metadata().map_err(cannot)?);
        Ok(Self {
            digest: digest_of(&file).map_err(cannot)?,
            script: is_script(&file).map_err(cannot)?,
            start,
            path,
            file,
            stamp,
        })
    }

    /// What is to be started: the file that was read, whatever lies at its path by now. The interpreter of a script
    /// opens it by its path, and scripts go by the folder in which they lie.
    fn exec(&self) -> PathBuf {
        if cfg!(target_os = "linux") && !self.script {
            let held = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
            if held.metadata().is_ok_and(|m| Stamp::of(&m) == self.stamp) {
                return held;
            }
        }
        self.path.clone()
    }

    fn is_there(&self) -> bool {
        let same = |meta: std::io::Result<Metadata>| meta.is_ok_and(|m| Stamp::of(&m) == self.stamp);
        let file = self.start.canonicalize();
        file.is_ok_and(|file| file == self.path && same(file.metadata())) && same(self.file.metadata())
    }

    fn is_unchanged(&self) -> bool {
        self.is_there() && digest_of(&self.file).is_ok_and(|digest| digest == self.digest) && self.is_there()
    }

    /// Why it is not started: it lies where agents write, and the policy does not name its very bytes.
    fn lies_inside(&self, repo: Option<&Repo>, pins: &[String]) -> Option<String> {
        if pins.contains(&self.digest) {
            return None;
        }
        let folder = inside(repo?, &self.start, &self.path)?;
        Some(format!(
            "the program {} lies in {}, where agents write; take another one, or name its digest ({}) under \
             `approval.reviewer_programs` of your own policy",
            self.path.display(),
            folder.display(),
            self.digest
        ))
    }
}

impl Looked {
    /// Looks at a program, and at what runs it: `by`, else what its first line names. An error is the reason why it is
    /// not started.
    pub(crate) fn at(
        named: &Path,
        by: Option<&Path>,
        repo: Option<&Repo>,
        pins: &[String],
    ) -> Result<Self, String> {
        let start = whole(named).ok_or_else(|| format!("the program {} is not found", named.display()))?;
        let held = Held::at(start)?;
        if let Some(why) = held.lies_inside(repo, pins) {
            return Err(why);
        }
        let mut program = Program {
            path: held.path.to_string_lossy().into_owned(),
            named: (held.start != held.path).then(|| held.start.to_string_lossy().into_owned()),
            digest: held.digest.clone(),
            interpreter: None,
        };
        if !pins.is_empty() && !program.is_one_of(pins) {
            // A link that the policy names may lead there.
            let leads = |pin: &&String| Path::new(pin).canonicalize().is_ok_and(|p| p == held.path);
            match pins.iter().find(leads) {
                Some(pin) => program.named = Some(pin.clone()),
                None => {
                    return Err(format!(
                        "the program {} ({}) is none of those under `approval.reviewer_programs` of your own policy",
                        program.path, program.digest
                    ));
                }
            }
        }
        let by = match by {
            Some(by) => Some((by.to_owned(), Vec::new())),
            None => first_line(&held.file).and_then(|(by, words)| Some((whole(Path::new(&by))?, words))),
        };
        let by = match by {
            Some((by, words)) => Some((Held::at(by)?, words)),
            None => None,
        };
        if let Some((by, _)) = &by {
            if let Some(why) = by.lies_inside(repo, pins) {
                return Err(why);
            }
            program.interpreter = Some(Interpreter {
                path: by.path.to_string_lossy().into_owned(),
                digest: by.digest.clone(),
            });
        }
        Ok(Self { program, held, by })
    }

    /// What is to be started.
    pub(crate) fn command(&self) -> Command {
        match &self.by {
            Some((by, words)) => Command::new(by.exec().into_os_string())
                .called(by.start.as_os_str())
                .args(words)
                .arg(self.held.path.as_os_str()),
            None => Command::new(self.held.exec().into_os_string()).called(self.held.start.as_os_str()),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Held> {
        std::iter::once(&self.held).chain(self.by.as_ref().map(|(by, _)| by))
    }

    /// Whether the name still leads to the same file, unwritten since as far as its times tell; that of its
    /// interpreter, too.
    pub(crate) fn is_there(&self) -> bool {
        self.all().all(Held::is_there)
    }

    /// Whether the name still leads to the same file, and that holds the same bytes: a write through memory that was
    /// mapped before sets no time.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.all().all(Held::is_unchanged)
    }
}

/// An absolute path; a bare name is looked for on PATH.
fn whole(named: &Path) -> Option<PathBuf> {
    if named.components().count() == 1 && !named.is_absolute() && named.parent() == Some(Path::new("")) {
        let bare = named.to_str().filter(|name| !name.starts_with('.'))?;
        return on_path(bare);
    }
    std::path::absolute(named).ok()
}

/// The folder of the repository in which a program lies, by its own file or by the folder of its name.
fn inside(repo: &Repo, start: &Path, file: &Path) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = repo.root().into_iter().map(Path::to_owned).collect();
    folders.push(repo.git_dir().to_owned());
    folders.push(repo.common_dir().to_owned());
    // The main work tree, and the linked ones.
    if repo.common_dir().file_name().is_some_and(|name| name == ".git") {
        folders.extend(repo.common_dir().parent().map(Path::to_owned));
    }
    let linked = std::fs::read_dir(repo.common_dir().join("worktrees"));
    for entry in linked.into_iter().flatten().flatten() {
        let leads = file::read_text(&entry.path().join("gitdir")).unwrap_or_default();
        folders.extend(Path::new(leads.trim()).parent().map(Path::to_owned));
    }
    let called = start
        .parent()
        .and_then(|folder| folder.canonicalize().ok())
        .unwrap_or_else(|| start.to_owned());
    folders.into_iter().find(|folder| {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let above = |path: &Path| !folder.as_os_str().is_empty() && path.starts_with(&folder);
        above(file) || above(&called)
    })
}

/// Opens a file to be read; anything else, as a pipe, is none.
fn open(path: &Path) -> std::io::Result<File> {
    file::open(path).map(|(file, _)| file)
}

/// Whether a file names the interpreter that is to run it, or is no program of the system's own form: only those run
/// without being opened by their path again.
fn is_script(mut file: &File) -> std::io::Result<bool> {
    let mut begins = Vec::with_capacity(4);
    file.seek(SeekFrom::Start(0))?;
    file.take(4).read_to_end(&mut begins)?;
    Ok(begins != b"\x7fELF")
}

/// The interpreter that the first line of a file names, and the words before the script.
fn first_line(mut file: &File) -> Option<(String, Vec<String>)> {
    let mut begins = Vec::with_capacity(256);
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(256).read_to_end(&mut begins).ok()?;
    named_by(&begins)
}

/// The digest of the program that runs.
pub(crate) fn own_digest() -> Option<String> {
    // The file that runs, also when another one lies in its place by now.
    let running = Path::new("/proc/self/exe");
    let file = File::open(running).or_else(|_| File::open(std::env::current_exe()?));
    digest_of(&file.ok()?).ok()
}

/// The digest of all bytes of a file.
fn digest_of(mut file: &File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        match buffer.get(..read) {
            Some(bytes) if read > 0 => hasher.update(bytes),
            _ => break,
        }
    }
    let mut digest = "sha256:".to_owned();
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(digest, "{byte:02x}");
    }
    Ok(digest)
}

/// What changes when a file is written or replaced, even when its times are set back.
#[derive(Debug, PartialEq, Eq)]
struct Stamp([i128; 5]);

impl Stamp {
    #[cfg(unix)]
    fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let changed = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
        let written = i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec());
        Self([
            meta.dev().into(),
            meta.ino().into(),
            meta.size().into(),
            changed,
            written,
        ])
    }

    #[cfg(not(unix))]
    fn of(meta: &Metadata) -> Self {
        let written = meta.modified().ok().and_then(|t| t.elapsed().ok());
        let written = written
            .and_then(|t| i128::try_from(t.as_nanos()).ok())
            .unwrap_or(0);
        Self([meta.len().into(), written, 0, 0, 0])
    }
}

/// A host's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// Its file; where an interpreter runs it, the script, as it was named.
    pub(crate) program: PathBuf,
    /// That interpreter.
    pub(crate) by: Option<PathBuf>,
}

/// What stands above under the host's name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Above {
    /// This program.
    Known(Host),
    /// A program that this interpreter runs, and does not tell of.
    Hidden(PathBuf),
}

impl Above {
    fn in_words(&self) -> String {
        match self {
            Self::Known(Host { program, .. }) => program.display().to_string(),
            Self::Hidden(by) => format!("{} with a script that is not told", by.display()),
        }
    }

    /// Whether one below it is no other program: the same, or one that a script starts from its own package.
    fn covers(&self, nearer: &Self) -> bool {
        let (Self::Known(own), Self::Known(other)) = (self, nearer) else {
            return self == nearer;
        };
        let package = own.by.as_ref().and_then(|_| package_of(&own.program));
        own == other
            || package.is_some_and(|package| other.by.is_none() && other.program.starts_with(package))
    }
}

/// The program of the host above this process, else the one that called this hook, else the one on PATH.
///
/// What stands above cannot be chosen by a variable; whoever is called without anybody above is a reviewer that goes
/// on by itself, and has the variables of the hook that started it.
///
/// # Errors
/// When hosts of more than one program stand above: an agent starts programs of its own, under any name, and which of
/// them is the user's cannot be told.
pub(crate) fn host() -> Outcome<Option<Host>> {
    let path = || {
        let program = on_path(claude::HOST)?;
        Some(Host { program, by: None })
    };
    let known = |above: Option<Above>| match above {
        Some(Above::Known(host)) => Some(host),
        Some(Above::Hidden(_)) | None => None,
    };
    let above = caller::above();
    if above.iter().any(|p| p.agent) {
        return Ok(known(one_of(hosts(&above))?.map(|(_, above)| above)).or_else(path));
    }
    let told = || host_of(std::env::var("CLAUDE_PID").ok()?.parse().ok()?);
    Ok(known(told()).or_else(path))
}

/// The number of the host above this process, for one that is to stand below nobody.
///
/// # Errors
/// As those of [`host`].
pub(crate) fn host_above() -> Outcome<Option<u32>> {
    Ok(one_of(hosts(&caller::above()))?.map(|(pid, _)| pid))
}

/// The hosts among the processes above, nearest first.
fn hosts(above: &[Process]) -> Vec<(u32, Above)> {
    let agents = above.iter().filter(|p| p.agent);
    agents.filter_map(|p| Some((p.pid, host_of(p.pid)?))).collect()
}

/// The outermost of the hosts above, which are all of one program.
fn one_of(mut hosts: Vec<(u32, Above)>) -> Outcome<Option<(u32, Above)>> {
    let Some(outermost) = hosts.pop() else {
        return Ok(None);
    };
    match hosts.into_iter().find(|(_, nearer)| !outermost.1.covers(nearer)) {
        None => Ok(Some(outermost)),
        Some((_, nearer)) => Err(Error::new(
            ErrorKind::Input,
            format!(
                "an agent does not choose who reviews its work: below {} runs {}, another program of that name",
                outermost.1.in_words(),
                nearer.in_words()
            ),
        )
        .hint("run `proctor review run` without the one in between, or let a human approve in a terminal of their own")),
    }
}

/// The program of a process when that is the host; where an interpreter runs the host, the script and that.
fn host_of(pid: u32) -> Option<Above> {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let program = std::fs::read_link(folder.join("exe")).ok()?;
    if is_host(&program) {
        return Some(Above::Known(Host { program, by: None }));
    }
    if !is_runtime(&program) {
        return None;
    }
    let line = std::fs::read(folder.join("cmdline")).ok()?;
    let line = String::from_utf8_lossy(&line);
    let words: Vec<&str> = line.split('\0').collect();
    // The title that the host gives itself stands in the place of its command line.
    let name = std::fs::read_to_string(folder.join("comm")).unwrap_or_default();
    let hidden = words.first().is_some_and(|title| is_host(Path::new(title))) || name.trim() == claude::HOST;
    let script = script_of(&words).and_then(|script| {
        let script = std::fs::read_link(folder.join("cwd")).ok()?.join(script);
        let real = script.canonicalize().ok()?;
        let is = |path: &Path| agent_of(path) == Some(claude::HOST);
        (is(&script) || is(&real)).then_some(script)
    });
    match script {
        Some(script) => Some(Above::Known(Host {
            program: script,
            by: Some(program),
        })),
        None => hidden.then_some(Above::Hidden(program)),
    }
}

/// The folder of a script's package, with its neighbours of the same maker: what stands below the innermost
/// `node_modules`.
fn package_of(script: &Path) -> Option<PathBuf> {
    let real = script.canonicalize().ok()?;
    let parts: Vec<_> = real.iter().collect();
    let at = parts.iter().rposition(|part| *part == "node_modules")?;
    let folder: PathBuf = parts.get(..at + 2)?.iter().collect();
    (folder != real).then_some(folder)
}

/// Whether a path is the host's: by the name of the file, or of a folder above it
/// (`~/.local/share/claude/versions/2.1.329`).
fn is_host(program: &Path) -> bool {
    let names = program.iter().rev().take(3).filter_map(|name| name.to_str());
    names
        .enumerate()
        .any(|(depth, name)| name == claude::HOST || (depth == 0 && name.starts_with(claude::HOST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.canonicalize().unwrap()
    }

    /// An empty repository, `repo` in this folder.
    fn repository(all: &Path) -> Repo {
        std::fs::create_dir_all(all.join("repo/.git/refs")).unwrap();
        std::fs::create_dir_all(all.join("repo/.git/objects")).unwrap();
        std::fs::write(all.join("repo/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        Repo::discover(&all.join("repo")).unwrap().unwrap()
    }

    #[test]
    fn which_programs_are_started() {
        let all = tempfile::tempdir().unwrap();
        let all = all.path().canonicalize().unwrap();
        let repo = repository(&all);
        let outside = file(&all, "bin/claude", "abc");
        let within = file(&all, "repo/node_modules/.bin/claude", "abc");
        let hidden = file(&all, "repo/.git/claude", "abc");
        let digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let look = |path: &Path, pins: &[&str]| {
            let pins: Vec<String> = pins.iter().map(|p| (*p).to_owned()).collect();
            Looked::at(path, None, Some(&repo), &pins)
        };
        let known = look(&outside, &[]).unwrap();
        assert_eq!(known.program.digest, digest);
        assert_eq!(
            (known.program.path.as_str(), &known.program.named),
            (outside.to_str().unwrap(), &None)
        );
        assert!(known.is_unchanged());
        for bad in [&within, &hidden] {
            assert!(look(bad, &[]).unwrap_err().contains("where agents write"));
            // Its path names a place, not what lies there.
            assert!(look(bad, &[bad.to_str().unwrap()]).is_err());
            assert!(look(bad, &[digest]).is_ok());
        }
        assert!(look(&outside, &[digest]).is_ok());
        assert!(look(&outside, &[outside.to_str().unwrap()]).is_ok());
        assert!(
            look(&outside, &["/usr/bin/claude"])
                .unwrap_err()
                .contains("none of those")
        );
        assert!(look(&all.join("nowhere"), &[]).is_err());
        assert!(
            look(&all.join("bin"), &[])
                .unwrap_err()
                .contains("no regular file")
        );

        // It is written while it runs, and its time is set back.
        let written = outside.metadata().unwrap().modified().unwrap();
        std::fs::write(&outside, "abd").unwrap();
        File::options()
            .write(true)
            .open(&outside)
            .unwrap()
            .set_modified(written)
            .unwrap();
        assert!(!known.is_there() && !known.is_unchanged());
    }

    #[cfg(unix)]
    #[test]
    fn what_was_read_is_what_is_started() {
        let all = tempfile::tempdir().unwrap();
        let all = all.path().canonicalize().unwrap();
        let link = |to: &Path, at: &str| {
            let _none = std::fs::remove_file(all.join(at));
            std::os::unix::fs::symlink(to, all.join(at)).unwrap();
            all.join(at)
        };
        let script = file(&all, "real/claude", "#!/bin/sh\necho real\n");
        let evil = file(&all, "evil/claude", "#!/bin/sh\necho evil\n");
        let named = link(&script, "claude");
        let known = Looked::at(&named, None, None, &[]).unwrap();
        assert!(known.is_unchanged());
        let held = &known.held;
        assert_eq!((held.start.as_path(), held.exec()), (named.as_path(), script));
        let said = known.command().run().unwrap();
        assert_eq!(said.stdout, b"real\n", "{said:?}");
        // The link leads elsewhere for a while.
        let _ = link(&evil, "claude");
        assert!(!known.is_there() && known.held.exec() != evil);
        let _ = link(&all.join("real/claude"), "claude");
        assert!(known.is_there());
        // A folder above is another one for a while.
        std::fs::rename(all.join("real"), all.join("aside")).unwrap();
        std::fs::rename(all.join("evil"), all.join("real")).unwrap();
        assert!(!known.is_there());

        // The system's own programs are started as they were read, whatever lies at their path.
        if !cfg!(target_os = "linux") {
            return;
        }
        let shell = all.join("tool/claude");
        std::fs::create_dir(all.join("tool")).unwrap();
        std::fs::copy("/bin/sh", &shell).unwrap();
        let known = Looked::at(&shell, None, None, &[]).unwrap();
        std::fs::rename(all.join("tool"), all.join("gone")).unwrap();
        assert!(!known.is_there());
        let said = known
            .command()
            .called("claude")
            .args(["-c", "echo $0"])
            .run()
            .unwrap();
        assert_eq!(said.stdout, b"claude\n", "{said:?}");
    }

    #[test]
    fn hosts_above_are_one_program() {
        let known = |program: &str, by: Option<&str>| {
            Above::Known(Host {
                program: program.into(),
                by: by.map(PathBuf::from),
            })
        };
        let hosts = |programs: &[&str]| one_of((1..).zip(programs.iter().map(|p| known(p, None))).collect());
        assert_eq!(hosts(&[]).unwrap(), None);
        // The nearest one comes first.
        assert_eq!(
            hosts(&["/bin/claude", "/bin/claude"]).unwrap(),
            Some((2, known("/bin/claude", None)))
        );
        for programs in [
            ["/tmp/claude", "/bin/claude", "/bin/claude"],
            ["/bin/claude", "/tmp/claude", "/bin/claude"],
        ] {
            let why = hosts(&programs).unwrap_err().to_string();
            assert!(why.contains("below /bin/claude runs /tmp/claude"), "{why}");
        }
        // The same script by another interpreter is another program, and so is one that cannot be told.
        let node = || known("/bin/claude", Some("/bin/node"));
        let hidden = || Above::Hidden("/bin/node".into());
        assert!(one_of(vec![(1, node()), (2, node())]).is_ok());
        assert!(one_of(vec![(1, hidden()), (2, hidden())]).is_ok());
        for (nearer, outer) in [
            (known("/bin/claude", Some("/tmp/node")), node()),
            (known("/bin/claude", None), node()),
            (hidden(), node()),
            (node(), hidden()),
        ] {
            assert!(one_of(vec![(1, nearer), (2, outer)]).is_err());
        }
        // A package may start a program of its own, or of one that was installed with it.
        let all = tempfile::tempdir().unwrap();
        let all = all.path().canonicalize().unwrap();
        let script = file(&all, "node_modules/@maker/claude-code/cli.js", "");
        let own = |path: &str| known(all.join(path).to_str().unwrap(), None);
        let outer = || known(script.to_str().unwrap(), Some("/bin/node"));
        let below = |path: &str| one_of(vec![(1, own(path)), (2, outer())]).is_ok();
        assert!(below("node_modules/@maker/claude-code-linux/claude"));
        assert!(!below("node_modules/other/claude") && !below("claude"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_named() {
        let all = tempfile::tempdir().unwrap();
        let all = all.path().canonicalize().unwrap();
        let repo = repository(&all);
        let real = file(&all, "share/claude/2.1", "abc");
        let shim = file(&all, "repo/shim", "abc");
        std::fs::create_dir_all(all.join("bin")).unwrap();
        let link = |to: &Path, at: &str| {
            std::os::unix::fs::symlink(to, all.join(at)).unwrap();
            all.join(at)
        };
        let good = link(&real, "bin/claude");
        let look = |path: &Path, pins: &[String]| Looked::at(path, None, Some(&repo), pins);
        let known = look(&good, &[]).unwrap();
        assert_eq!(known.program.named.as_deref(), good.to_str());
        assert_eq!(
            (known.held.start.as_path(), known.program.path.as_str()),
            (good.as_path(), real.to_str().unwrap())
        );
        // A link that the policy names, and a program that was found by another way.
        let pin = vec![good.to_str().unwrap().to_owned()];
        let known = look(&real, &pin).unwrap();
        assert!(known.program.is_one_of(&pin));
        // Neither a link into the repository nor one that lies in it.
        assert!(look(&link(&shim, "bin/other"), &[]).is_err());
        assert!(look(&link(&real, "repo/claude"), &[]).is_err());
    }

    #[test]
    fn what_is_the_hosts_program() {
        for good in [
            "/usr/bin/claude",
            "/opt/claude.exe",
            "/home/kim/.local/share/claude/versions/2.1.329",
        ] {
            assert!(is_host(Path::new(good)), "{good}");
        }
        for bad in ["/usr/bin/node", "/bin/sh", "/home/claude/a/b/tool"] {
            assert!(!is_host(Path::new(bad)), "{bad}");
        }
    }
}
