//! How many requests a second pass `restage record`, beside nginx and beside no proxy at all.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::Parser;
use restage_bench::{
    AccessLog, Distinct, Recording, Rounds, Server, Table, Trouble, free_port, nginx, restage_program,
    run_program, serve, stop_on_interrupt, unless_stopped, wait_for_quiet, wrk,
};

/// How many requests a second pass `restage record`, beside nginx
#[derive(Debug, Parser)]
struct Args {
    /// Serve the pages behind the proxies on this port, and do nothing else
    #[arg(long, value_name = "PORT")]
    serve: Option<u16>,
    /// The restage program [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,
    /// How long each measurement takes
    #[arg(long, value_name = "N", default_value_t = 4)]
    seconds: u32,
}

fn main() -> ExitCode {
    run_program(|args: Args| match args.serve {
        Some(port) => serve(port),
        None => measure(args),
    })
}

fn measure(args: Args) -> Result<(), Trouble> {
    let stop = stop_on_interrupt()?;
    let restage = restage_program(args.restage)?;
    let folder = tempfile::tempdir()?;
    let port = free_port()?;
    let mut serve = Command::new(std::env::current_exe()?);
    let upstream = Server::start("no proxy", port, serve.args(["--serve", &port.to_string()]))?;
    let quiet = nginx(&folder.path().join("nginx"), upstream.address(), AccessLog::Off)?;
    let logging = nginx(&folder.path().join("nginx-logging"), upstream.address(), AccessLog::On)?;
    for distinct in [Distinct::Few, Distinct::All] {
        let load = LoadOf { distinct, seconds: args.seconds };
        let servers = [&upstream, &quiet, &logging];
        let mut lines: Vec<Line> = servers.iter().map(|s| Line::new(&s.name)).collect();
        lines.push(Line::new("restage record"));
        let mut quiet = 0;
        for _ in 0..args.rounds {
            quiet += usize::from(wait_for_quiet());
            for (line, server) in lines.iter_mut().zip(servers) {
                unless_stopped(&stop)?;
                load.on_server(server, line)?;
            }
            unless_stopped(&stop)?;
            let project = tempfile::tempdir_in(folder.path())?;
            let recording = Recording::start(&restage, project.path(), upstream.address())?;
            load.on_recording(recording, &mut lines[servers.len()])?;
        }
        println!("{}\n{quiet} of {} rounds began on a quiet machine.\n", load.table(&lines), args.rounds);
    }
    Ok(())
}

/// The figures of one subject.
struct Line {
    name: String,
    /// Requests a second.
    rate: Rounds,
    /// The same, but over the time until the last is stored.
    stored_rate: Rounds,
    /// Microseconds of processor time a request.
    cpu: Rounds,
    seen: u64,
    stored: u64,
}

impl Line {
    fn new(name: &str) -> Self {
        let rounds = Rounds::default;
        Self {
            name: name.to_owned(),
            rate: rounds(),
            stored_rate: rounds(),
            cpu: rounds(),
            seen: 0,
            stored: 0,
        }
    }
}

/// The load that every subject is put under.
#[derive(Clone, Copy)]
struct LoadOf {
    distinct: Distinct,
    seconds: u32,
}

impl LoadOf {
    fn on_server(self, server: &Server, line: &mut Line) -> Result<(), Trouble> {
        let before = server.cpu();
        let load = wrk(server.address(), self.distinct.path(), self.seconds)?;
        line.rate.add(load.rate);
        line.cpu.add((server.cpu() - before).as_secs_f64() * 1e6 / load.requests as f64);
        Ok(())
    }

    fn on_recording(self, recording: Recording, line: &mut Line) -> Result<(), Trouble> {
        let load = wrk(recording.server.address(), self.distinct.path(), self.seconds)?;
        let behind = recording.server.settle();
        let requests = load.requests as f64;
        line.rate.add(load.rate);
        line.stored_rate.add(requests / (requests / load.rate + behind.as_secs_f64()));
        line.cpu.add(recording.server.cpu().as_secs_f64() * 1e6 / requests);
        let tally = recording.finish()?;
        line.seen += tally.seen;
        line.stored += tally.stored;
        if tally.stored != tally.seen {
            eprintln!("recorder: of {} exchanges seen, {} are stored", tally.seen, tally.stored);
        }
        Ok(())
    }

    fn table(self, lines: &[Line]) -> String {
        let nginx = &lines[1];
        let head = [
            "",
            "requests/s",
            "lowest",
            "highest",
            "to nginx",
            "until stored",
            "CPU us/request",
            "seen",
            "stored",
        ];
        let mut table = Table::new(1, &head);
        for line in lines {
            let (least, most) = line.rate.range();
            let ratio = |rate: &Rounds| format!("{:.2}", rate.ratio_to(&nginx.rate));
            let counted = line.seen > 0;
            table.row(vec![
                line.name.clone(),
                format!("{:.0}", line.rate.median()),
                format!("{least:.0}"),
                format!("{most:.0}"),
                ratio(&line.rate),
                if counted { ratio(&line.stored_rate) } else { String::new() },
                format!("{:.0}", line.cpu.median()),
                if counted { line.seen.to_string() } else { String::new() },
                if counted { line.stored.to_string() } else { String::new() },
            ]);
        }
        let pages = match self.distinct {
            Distinct::Few => "500 distinct pages",
            Distinct::All => "Every page distinct",
        };
        format!("{pages}, 8 KB each, 64 connections:\n\n{table}")
    }
}
