//! An application version as a process on a free port.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use restage_state::{PROCESS_MARK, process_mark};
use rustix::process::Pid;

use crate::app_mark::end_orphans;
use crate::app_spec::AppSpec;
use crate::clock::Clock;
use crate::ending::end_app;
use crate::error::AppError;
use crate::idle::wait_until_idle;
use crate::launch::Launch;
use crate::ready::answers;

/// How long one attempt to reach an app may take, while it starts and when it seems to hang.
const ATTEMPT: Duration = Duration::from_secs(10);
/// How much of its last output is shown when it fails.
const SHOWN_LINES: usize = 20;

/// A running app. Stopped, with all its children, when dropped.
#[derive(Debug)]
pub struct App {
    spec: AppSpec,
    /// None where it ran before.
    child: Option<Child>,
    address: SocketAddr,
    mark: String,
    ended: Option<ExitStatus>,
}

impl App {
    /// Starts the app on a free port and waits until it answers.
    pub fn start(spec: &AppSpec) -> Result<Self, AppError> {
        Self::start_in(spec, &Launch::default(), &|| false)
    }

    /// The same of a copy of the application, unless it is to stop meanwhile.
    pub(crate) fn start_in(
        spec: &AppSpec,
        launch: &Launch,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Self, AppError> {
        // What it printed in another run is of no use any more.
        if spec.log.exists() {
            File::create(&spec.log).map_err(|source| AppError::Write { path: spec.log.clone(), source })?;
        }
        Self::start_again(spec, launch, is_stopped)
    }

    /// The same, and what it prints goes after what it has printed already.
    pub(crate) fn start_again(
        spec: &AppSpec,
        launch: &Launch,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Self, AppError> {
        end_orphans();
        if let Some(address) = spec.address {
            return Self::join(spec, address, is_stopped);
        }
        let port = free_port(&spec.log, launch.copy.number)?;
        let fill = |text: &str| launch.fill(text, port, spec.database.as_deref());
        let command = fill(&spec.command);
        let failed = |source| AppError::Start { app: spec.name.clone(), command: command.clone(), source };
        let write = |source| AppError::Write { path: spec.log.clone(), source };
        if let Some(folder) = spec.log.parent() {
            std::fs::create_dir_all(folder).map_err(write)?;
        }
        let log = OpenOptions::new().create(true).append(true).open(&spec.log).map_err(write)?;
        let env = spec.env.iter().map(|(name, value)| (name.clone(), fill(value))).collect();
        let environment = AppSpec { env, ..spec.clone() }.environment()?;
        let mark = process_mark(port);
        let child = launch
            .process(&command, &spec.dir)
            .envs(environment)
            .env("PORT", port.to_string())
            .env(PROCESS_MARK, &mark)
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(write)?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut app = Self { spec: spec.clone(), child: Some(child), address, mark, ended: None };
        app.wait_until_ready(&command, is_stopped)?;
        Ok(app)
    }

    /// An app that runs already: it is neither started nor stopped.
    fn join(spec: &AppSpec, address: SocketAddr, is_stopped: &dyn Fn() -> bool) -> Result<Self, AppError> {
        if spec.clock != Clock::Real {
            return Err(AppError::NotItsClock { app: spec.name.clone(), clock: spec.clock });
        }
        let mark = process_mark("none");
        let mut app = Self { spec: spec.clone(), child: None, address, mark, ended: None };
        app.wait_until_ready("none: it is to run already", is_stopped)?;
        Ok(app)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    #[cfg(test)]
    pub(crate) fn process(&self) -> u32 {
        self.child.as_ref().map_or(0, std::process::Child::id)
    }

    /// Waits until it is idle: it may go on working after its last answer.
    pub fn wait_until_idle(&self) {
        if let Some(child) = &self.child {
            wait_until_idle(child.id());
        }
    }

    /// How it ended, where it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.as_mut().and_then(|child| child.try_wait().ok().flatten());
        }
        self.ended
    }

    /// How it ended, where it has or is about to: a process that closed its connections takes a moment to.
    pub(crate) async fn about_to_end(&mut self) -> Option<ExitStatus> {
        for _ in 0..20 {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        None
    }

    /// Whether it still answers at all.
    pub(crate) async fn answers(&self) -> bool {
        let (address, ready) = (self.address(), self.spec.ready.clone());
        let within = self.spec.request_timeout.min(ATTEMPT);
        // Where the runtime ends meanwhile, nobody asks any more.
        tokio::task::spawn_blocking(move || answers(address, &ready, within)).await.unwrap_or(false)
    }

    /// Its last lines of output, indented for a message.
    pub fn last_output(&self) -> String {
        if self.child.is_none() {
            return "  it was not started here: see its own log\n".to_owned();
        }
        let text = tail(&self.spec.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
        if shown.is_empty() {
            return format!("  it printed nothing ({})\n", self.spec.log.display());
        }
        let mut out = format!("  its last output ({}):\n", self.spec.log.display());
        for line in shown {
            out.push_str("    | ");
            out.push_str(line);
            out.push('\n');
        }
        out
    }

    /// Stops it and all its children: politely first, then for certain. They have `stop_timeout` to leave by themselves.
    pub fn stop(&mut self) {
        let process = self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok());
        let Some(group) = process.and_then(Pid::from_raw) else { return };
        let (mark, patience) = (self.mark.clone(), self.spec.stop_timeout);
        end_app(group, &mark, patience, &mut || {
            self.ended();
        });
    }

    fn wait_until_ready(&mut self, command: &str, is_stopped: &dyn Fn() -> bool) -> Result<(), AppError> {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(2);
        loop {
            if let Some(status) = self.ended() {
                return Err(AppError::Died {
                    app: self.spec.name.clone(),
                    command: command.to_owned(),
                    status: status.to_string(),
                    output: self.last_output(),
                });
            }
            let left = self.spec.ready_timeout.saturating_sub(begun.elapsed());
            if answers(self.address(), &self.spec.ready, left.min(ATTEMPT)) {
                return Ok(());
            }
            if is_stopped() {
                return Err(AppError::Interrupted);
            }
            if begun.elapsed() >= self.spec.ready_timeout {
                return Err(AppError::NotReady {
                    app: self.spec.name.clone(),
                    command: command.to_owned(),
                    ready: self.spec.ready.clone(),
                    port: self.address.port(),
                    waited: self.spec.ready_timeout,
                    output: self.last_output(),
                });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port that nothing listens on: the same for all apps and runs of a project, where it is free, since applications
/// put their port into cookies and pages. It is outside of the range that systems draw from by themselves. Between
/// this and the app's own listening another process could take it; the app then fails to start, and says so.
/// Each copy has its own.
fn free_port(log: &Path, copy: u16) -> Result<u16, std::io::Error> {
    let project = log.parent().unwrap_or(log);
    let hash =
        project.as_os_str().as_bytes().iter().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add((*b).into()));
    let own = 16384 + (hash % 16000) as u16 + (copy - 1) % 256;
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, own));
    Ok(bound.or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?.local_addr()?.port())
}

fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(16 << 10)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;

    use super::*;
    use crate::app_spec::{Restart, STOP_TIMEOUT};

    fn spec(folder: &Path, command: &str) -> AppSpec {
        AppSpec {
            name: "test".to_owned(),
            command: command.to_owned(),
            address: None,
            dir: folder.to_owned(),
            env: std::collections::BTreeMap::new(),
            ready: "/".to_owned(),
            ready_timeout: Duration::from_millis(300),
            request_timeout: Duration::from_secs(5),
            stop_timeout: STOP_TIMEOUT,
            grain: Duration::ZERO,
            restart: Restart::Never,
            database: None,
            log: folder.join("app.log"),
            logs: Vec::new(),
            clock: Clock::Real,
        }
    }

    /// Catches: a cookie that is named after the port has another name in every run.
    #[test]
    fn a_project_has_the_same_port_in_every_run_while_it_is_free() {
        let log = Path::new("/some/project/.restage/logs/app.log");
        let port = free_port(log, 1).unwrap();
        assert_eq!(free_port(&log.with_file_name("baseline.log"), 1).unwrap(), port);
        assert_ne!(free_port(log, 2).unwrap(), port);
        let _taken = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
        assert_ne!(free_port(log, 1).unwrap(), port);
    }

    /// Answers every connection without an end.
    const SERVER: &str = r#"import socket, sys, threading
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
def talk(client):
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        client.sendall(b"x")
while True:
    threading.Thread(target=talk, args=(server.accept()[0],), daemon=True).start()
"#;

    /// Catches: an app that takes the connection and says nothing holds the replay up for ever.
    #[test]
    fn one_that_accepts_and_never_answers_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = Some(listener.local_addr().unwrap());
        let silent = std::thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            // Until the other side gives up.
            client.read_to_end(&mut Vec::new()).unwrap();
        });
        let spec = AppSpec { address, ready_timeout: Duration::ZERO, ..spec(folder.path(), "") };
        let error = App::start(&spec).unwrap_err();
        assert!(matches!(&error, AppError::NotReady { .. }), "{error}");
        silent.join().unwrap();
    }

    /// Catches: a first page without an end is read for ever.
    #[test]
    fn one_whose_first_page_has_no_end_is_ready() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("server.py"), SERVER).unwrap();
        let command = "exec python3 server.py {port}";
        let spec = AppSpec { ready_timeout: Duration::from_secs(60), ..spec(folder.path(), command) };
        let mut app = App::start(&spec).unwrap();
        // One that runs already is joined, and left running.
        let mut joined = App::start(&AppSpec { address: Some(app.address()), ..spec.clone() }).unwrap();
        assert_eq!(joined.address(), app.address());
        joined.stop();
        assert!(app.ended().is_none());
        let clocked = AppSpec { address: Some(app.address()), clock: Clock::Recorded, ..spec };
        assert!(App::start(&clocked).unwrap_err().to_string().contains("hint:"));
    }

    #[test]
    fn an_app_that_dies_shows_its_output() {
        let folder = tempfile::tempdir().unwrap();
        let error = App::start(&spec(folder.path(), "echo no such module >&2; exit 7")).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("exit status: 7") && text.contains("| no such module"), "{text}");
    }

    /// Catches: a child that left its process group goes on after the app was stopped.
    #[test]
    fn one_that_is_given_up_is_stopped_with_all_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // The shell and its child, which leaves the process group, both say that they run, and hold the pipe open.
        let command =
            "exec 3>pipe; setsid sh -c 'echo >&3; exec sleep 1000000' & echo >&3; exec sleep 1000000";
        let both_run = Arc::new(AtomicBool::new(false));
        let (seen, (all_ended, ended)) = (both_run.clone(), channel());
        std::thread::spawn(move || {
            let mut pipe = File::open(pipe).unwrap();
            pipe.read_exact(&mut [0; 2]).unwrap();
            seen.store(true, Ordering::Relaxed);
            // It has an end when nobody holds it open any more.
            pipe.read_to_end(&mut Vec::new()).unwrap();
            all_ended.send(()).unwrap();
        });
        let spec = AppSpec { ready_timeout: Duration::from_secs(600), ..spec(folder.path(), command) };
        let error =
            App::start_in(&spec, &Launch::default(), &|| both_run.load(Ordering::Relaxed)).unwrap_err();
        assert!(matches!(error, AppError::Interrupted), "{error}");
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(()), "a child goes on");
    }

    /// Catches: one that does not listen is waited for for ever, or its children are forgotten.
    #[test]
    fn one_that_does_not_leave_is_made_to() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let deaf = "trap \"\" TERM; echo >&3; while :; do sleep 1000000; done";
        let command = format!("exec 3>pipe; setsid sh -c '{deaf}' & sh -c '{deaf}' & wait");
        let both_run = Arc::new(AtomicBool::new(false));
        let (seen, (all_ended, ended)) = (both_run.clone(), channel());
        std::thread::spawn(move || {
            let mut pipe = File::open(pipe).unwrap();
            pipe.read_exact(&mut [0; 2]).unwrap();
            seen.store(true, Ordering::Relaxed);
            pipe.read_to_end(&mut Vec::new()).unwrap();
            all_ended.send(()).unwrap();
        });
        let spec = AppSpec {
            ready_timeout: Duration::from_secs(600),
            stop_timeout: Duration::from_millis(10),
            ..spec(folder.path(), &command)
        };
        let error =
            App::start_in(&spec, &Launch::default(), &|| both_run.load(Ordering::Relaxed)).unwrap_err();
        assert!(matches!(error, AppError::Interrupted), "{error}");
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(()), "a child goes on");
    }
}
