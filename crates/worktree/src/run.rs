//! Bounded child processes.

use proctor_kernel::{Error, ErrorKind, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

/// How often a running child is looked at although it writes nothing: it may have ended and left its
/// output open to a process of its own.
const LOOK: Duration = Duration::from_millis(25);

/// Variables by which the system's loader puts code into every program: nothing that is started here gets them from the
/// caller.
const LOADED: [&str; 3] = ["DYLD_INSERT_LIBRARIES", "LD_AUDIT", "LD_PRELOAD"];

/// A program to run: arguments, folder, environment, input, and bounds of time and output.
#[derive(Clone, Debug)]
pub struct Command {
    program: OsString,
    /// What it is told that it was called, where that is not the path that is started.
    called: Option<OsString>,
    args: Vec<OsString>,
    cwd: Option<PathBuf>,
    /// Variables set (`Some`) or removed (`None`) on top of the caller's environment.
    env: Vec<(OsString, Option<OsString>)>,
    stdin: Option<Vec<u8>>,
    timeout: Duration,
    limit: usize,
    ends: bool,
    guarded: bool,
}

/// How a child process ended, and what it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its exit code; `None` when a signal ended it (or it could not be ended at all).
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it wrote to its standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote to its standard error, up to the limit.
    pub stderr: Vec<u8>,
    /// Whether it was ended because its time was over.
    pub timed_out: bool,
    /// Whether it wrote more than the limit to one of the two.
    pub truncated: bool,
}

impl Output {
    /// Whether it ended by itself with exit code 0, and all of its output is here.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status == Some(0) && !self.timed_out && !self.truncated
    }
}

impl Command {
    /// A program, looked for as the shell does, with 10 s and 64 MiB per output, and no input.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            called: None,
            args: Vec::new(),
            cwd: None,
            env: Vec::new(),
            stdin: None,
            timeout: Duration::from_secs(10),
            limit: 64 << 20,
            ends: false,
            guarded: false,
        }
    }

    /// Tells it that it was called by this name: some programs go by it.
    #[must_use]
    pub fn called(mut self, name: impl Into<OsString>) -> Self {
        self.called = Some(name.into());
        self
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Runs it in this folder.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env.push((name.into(), None));
        self
    }

    /// Sets (`Some`) and removes (`None`) environment variables.
    #[must_use]
    pub fn variables(mut self, variables: &[(OsString, Option<OsString>)]) -> Self {
        self.env.extend_from_slice(variables);
        self
    }

    /// Gives it these bytes as standard input (otherwise it has none).
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// Ends it, and everything it started in its process group, after this time.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub(crate) fn has_no_time(&self) -> bool {
        self.timeout.is_zero()
    }

    /// Keeps at most this many bytes of each output; the rest is read and dropped, so that the child
    /// can go on.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Keeps the beginning and the end of each output, at most this many bytes of either, for commands
    /// that say at their end how they ended.
    #[must_use]
    pub fn ends(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self.ends = true;
        self
    }

    /// Ends it, and its process group, also when this process is ended from outside, in whatever way: by an interrupt,
    /// or so that it cannot do anything any more. Costs the start of a shell. Processes that made a group of their own are
    /// not reached.
    #[must_use]
    pub fn ends_with_caller(mut self) -> Self {
        self.guarded = true;
        self
    }

    /// Runs it to its end. No process of its group and no thread is left behind; processes that made
    /// a session of their own are not waited for.
    ///
    /// # Errors
    /// Kind `host` when the program is not there or cannot be started, or when the system refuses to
    /// tell about it. A program that fails or is ended for its time is no error: see [`Output`].
    pub fn run(&self) -> Result<Output> {
        let guard = self.guarded.then(Guard::start).transpose()?;
        let mut command = std::process::Command::new(&self.program);
        command
            .args(&self.args)
            .process_group(guard.as_ref().map_or(0, Guard::group))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.stdin(if self.stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        if let Some(name) = &self.called {
            command.arg0(name);
        }
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        for name in LOADED {
            command.env_remove(name);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let deadline = Instant::now().checked_add(self.timeout);
        let child = command.spawn().map_err(|e| self.not_started(e))?;
        let mut running = Running {
            child,
            group: true,
            guard,
        };
        self.attend(&mut running, deadline).map_err(|e| {
            Error::new(
                ErrorKind::Host,
                format!("lost touch with {}", self.program.display()),
            )
            .because(e)
        })
    }

    fn not_started(&self, error: io::Error) -> Error {
        let program = self.program.display();
        let kind = error.kind();
        let result = Error::new(ErrorKind::Host, format!("cannot start {program}")).because(error);
        match (kind, &self.cwd) {
            (io::ErrorKind::NotFound, Some(cwd)) if !cwd.is_dir() => {
                result.hint(format!("the folder {} does not exist", cwd.display()))
            }
            (io::ErrorKind::NotFound, _) => result.hint(format!("install {program}, or add it to PATH")),
            _ => result,
        }
    }

    /// Feeds the child and collects its output until it ends or its time is over.
    fn attend(&self, running: &mut Running, deadline: Option<Instant>) -> io::Result<Output> {
        let mut input = running.child.stdin.take().map(|pipe| Input { pipe, sent: 0 });
        let mut stdout = Sink::new(running.child.stdout.take(), self)?;
        let mut stderr = Sink::new(running.child.stderr.take(), self)?;
        if let Some(input) = &input {
            ioctl_fionbio(&input.pipe, true)?;
        }
        let mut ended = false;
        let mut pause = Duration::from_micros(50);
        let timed_out = loop {
            let left = deadline.map_or(LOOK, |d| d.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break true;
            }
            if stdout.pipe.is_none() && stderr.pipe.is_none() {
                input = None;
                if running.has_ended()? {
                    break false;
                }
                std::thread::sleep(pause.min(left));
                pause = (pause * 2).min(Duration::from_millis(5));
                continue;
            }
            let any = wait_for(
                &input,
                &stdout,
                &stderr,
                if ended { Duration::ZERO } else { left.min(LOOK) },
            )?;
            if any {
                input = match input {
                    Some(mut pipe) => pipe
                        .send(self.stdin.as_deref().unwrap_or_default())
                        .then_some(pipe),
                    None => None,
                };
                stdout.take()?;
                stderr.take()?;
            } else if ended {
                // It has ended and all it wrote is here; whoever still holds its output is not waited for.
                break false;
            } else {
                ended = running.has_ended()?;
            }
        };
        let status = running.finish()?;
        stdout.close();
        stderr.close();
        Ok(Output {
            status: status.and_then(|s| s.code()),
            signal: status.and_then(|s| s.signal()),
            truncated: stdout.truncated || stderr.truncated,
            stdout: stdout.bytes,
            stderr: stderr.bytes,
            timed_out,
        })
    }
}

/// Leads the process group of a child, and ends it when this process is gone: it waits for the end of a pipe that
/// only this process holds open, and that the system closes however it ends.
struct Guard {
    shell: Child,
    _open: Option<ChildStdin>,
}

impl Guard {
    fn start() -> Result<Self> {
        let mut shell = std::process::Command::new("/bin/sh")
            .args(["-c", "read _; kill -9 0"])
            .env_clear()
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| {
                Error::new(
                    ErrorKind::Host,
                    "cannot start /bin/sh, which guards the programs that are run",
                )
                .because(e)
            })?;
        let open = shell.stdin.take();
        Ok(Self { shell, _open: open })
    }

    /// The group's number, as starting a process takes it.
    fn group(&self) -> i32 {
        i32::try_from(self.shell.id()).unwrap_or(0)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The program of which it was to be the guard did not start, or is ended with its group.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

/// A child and its process group; both are ended when this is dropped.
struct Running {
    child: Child,
    group: bool,
    /// Who leads the group, where it is not the child itself.
    guard: Option<Guard>,
}

impl Running {
    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Whether the child has ended. It is not reaped yet, so that its number, which is its group's too,
    /// cannot be given to another process before the group is ended.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(self.pid()), options) {
                Ok(status) => return Ok(status.is_some()),
                Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    fn end_group(&mut self) {
        if std::mem::take(&mut self.group) {
            let leader = self
                .guard
                .as_ref()
                .map_or(self.pid(), |g| Pid::from_child(&g.shell));
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// Ends what is left of the group and reaps the child. `None` when it cannot be ended, which
    /// happens to processes that wait for a broken device.
    fn finish(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        self.end_group();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(2) {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(None)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.group {
            let _ = self.finish();
        }
    }
}

struct Input {
    pipe: ChildStdin,
    sent: usize,
}

impl Input {
    /// Sends what the pipe takes; false when all is sent or nobody reads any more.
    fn send(&mut self, bytes: &[u8]) -> bool {
        loop {
            let rest = bytes.get(self.sent..).unwrap_or_default();
            if rest.is_empty() {
                return false;
            }
            match self.pipe.write(rest) {
                Ok(0) => return false,
                Ok(n) => self.sent += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return e.kind() == io::ErrorKind::WouldBlock,
            }
        }
    }
}

struct Sink<P> {
    pipe: Option<P>,
    bytes: Vec<u8>,
    limit: usize,
    /// Whether the end is kept too.
    ends: bool,
    truncated: bool,
}

impl<P: Read + AsFd> Sink<P> {
    fn new(pipe: Option<P>, command: &Command) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            pipe,
            bytes: Vec::new(),
            limit: command.limit,
            ends: command.ends,
            truncated: false,
        })
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.ends {
            self.bytes.extend_from_slice(bytes);
            // Seldom, so that every byte is moved a bounded number of times.
            if self.bytes.len() / 4 > self.limit.max(4 << 10) {
                self.close();
            }
            return;
        }
        let room = self.limit.saturating_sub(self.bytes.len());
        self.bytes
            .extend_from_slice(bytes.get(..bytes.len().min(room)).unwrap_or_default());
        self.truncated |= bytes.len() > room;
    }

    /// Drops the middle of what is too long.
    fn close(&mut self) {
        let tail = self.bytes.len().saturating_sub(self.limit);
        if self.ends && tail > self.limit {
            self.bytes.drain(self.limit..tail);
            self.truncated = true;
        }
    }

    /// Takes what is there, at most a few megabytes at a time so that the time limit holds.
    fn take(&mut self) -> io::Result<()> {
        let mut buffer = [0_u8; 16 << 10];
        for _ in 0..256 {
            let Some(pipe) = self.pipe.as_mut() else {
                break;
            };
            match pipe.read(&mut buffer) {
                Ok(0) => {
                    self.pipe = None;
                    break;
                }
                Ok(n) => {
                    self.keep(buffer.get(..n).unwrap_or_default());
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

/// Waits until one of the pipes can be used; false when none can within `time`.
fn wait_for<A: AsFd, B: AsFd>(
    input: &Option<Input>,
    stdout: &Sink<A>,
    stderr: &Sink<B>,
    time: Duration,
) -> io::Result<bool> {
    let mut fds = Vec::with_capacity(3);
    fds.extend(stdout.pipe.as_ref().map(|p| PollFd::new(p, PollFlags::IN)));
    fds.extend(stderr.pipe.as_ref().map(|p| PollFd::new(p, PollFlags::IN)));
    fds.extend(input.as_ref().map(|i| PollFd::new(&i.pipe, PollFlags::OUT)));
    let timespec = Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(&mut fds, Some(&timespec)) {
        Ok(n) => Ok(n > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}
