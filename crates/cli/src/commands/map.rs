//! `restage map`: the application's navigation graph.

use std::time::Duration;

use clap::ValueEnum;
use restage_model::Suite;
use restage_project::Project;
use restage_replay::on_stage;
use restage_site::{ANONYMOUS, Site, SiteBuilder, SiteMap};
use restage_spider::{
    Budget, Crawl, CrawlError, CrawlReport, KnownUser, ReadError, Traffic, crawl, read_sessions,
};

use crate::args::{AppArgs, Global, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::map_views::{MapViews, tell_map};
use crate::open_project;
use crate::terminal::progress::{bar, note};

/// The most kinds of users that a spider is logged in as by itself.
pub(crate) const USERS: usize = 8;

/// Map the application: its pages and forms, and what leads from one to another
///
/// The map is made of what recorded sessions show, and of what a spider finds on the app. The spider is logged in as the sessions'
/// users are, fills in forms with what they sent, and restores the application's data after everything that it presses. Without
/// [state] it presses nothing that may change something. The map is kept in the store; other commands generate and repair
/// sessions by it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage map
  restage map --from sessions --svg map.svg
  restage map --as anonymous,s17 --max-requests 500
  restage map --map map-1 --paths
  restage map --diff map-1 map-2")]
pub(crate) struct Args {
    /// The suite whose sessions show users, ways and values [default: recorded]
    suite: Option<String>,
    /// What to make the map of: sessions (no app is needed), spider, or both
    #[arg(long, value_name = "SOURCE", default_value = "both")]
    from: From,
    /// The version: an [app.NAME] in restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// Who the spider is: anonymous, or a session whose login it follows: anonymous,s17 [default: anonymous, and one of each kind of
    /// user that logs in]
    #[arg(long = "as", value_name = "USER", value_delimiter = ',')]
    users: Vec<String>,
    /// Where users begin: a path [default: `home` in [map], else where most sessions begin, else /]
    #[arg(long, value_name = "PATH")]
    home: Option<String>,
    /// The most requests that the spider sends
    #[arg(long, value_name = "N", default_value_t = Budget::default().requests)]
    max_requests: usize,
    /// The most steps that the spider goes away from home
    #[arg(long, value_name = "N", default_value_t = Budget::default().depth)]
    max_depth: usize,
    /// The longest that the spider takes: 30s, 10m
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = humantime::parse_duration)]
    max_time: Duration,
    /// Let the spider press what may change something though there is no [state] to restore
    #[arg(long)]
    press: bool,
    /// The map's name; a map of this name is replaced [default: map-1, map-2, …]
    #[arg(long, value_name = "NAME")]
    into: Option<String>,
    #[command(flatten)]
    views: MapViews,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

/// What a map is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    Sessions,
    Spider,
    Both,
}

/// A map that was just made.
pub(crate) struct MadeMap {
    pub(crate) name: String,
    pub(crate) site: Site,
    /// What the spider came to, where there was one.
    pub(crate) report: Option<CrawlReport>,
    pub(crate) traffic: Traffic,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    if args.views.show_stored(global, &project)? {
        return Ok(Outcome::Well);
    }
    let made = if args.from == From::Sessions {
        of_sessions(global, args, &project)?
    } else {
        by_spider(global, args, &project)?
    };
    let map = SiteMap::from(&made.site);
    args.views.write(&map)?;
    tell_map(global, &args.views, &made, &map)?;
    Ok(Outcome::Well)
}

fn of_sessions(global: &Global, args: &Args, project: &Project) -> Result<MadeMap, Failure> {
    let mut store = project.store()?;
    project.learn_page_parameters(&mut store)?;
    let suite = project.suite(&mut store, args.suite.as_deref().unwrap_or(restage_project::RECORDED))?;
    let mut builder = SiteBuilder::new(project.view_key_rules(&store)?);
    let traffic = read(global, &store, &suite, &mut builder)?;
    set_home(args, project, &traffic, &mut builder);
    let mut site = builder.finish();
    let name = project.map_name(&store, args.into.as_deref())?;
    let secrecy = project.secrecy(&store)?;
    project.save_map(&mut store, &name, None, &mut site, &secrecy)?;
    Ok(MadeMap { name, site, report: None, traffic })
}

fn by_spider(global: &Global, args: &Args, project: &Project) -> Result<MadeMap, Failure> {
    let app = args.app_args.apply(project.app(args.app.as_deref())?);
    if !project.store_path().is_file() {
        project.make_own_folder()?;
        drop(restage_store::Store::open_or_create(project.store_path())?);
    }
    let mut work = open_project::for_replay(global, project, args.wait)?;
    project.learn_page_parameters(&mut work.store)?;
    let suite = project.mapped_suite(&mut work.store, args.suite.as_deref())?;
    let rules = project.view_key_rules(&work.store)?;
    let mut builder = SiteBuilder::new(rules.clone());
    let traffic = read(global, &work.store, &suite, &mut builder)?;
    if args.from == From::Spider {
        // What sessions show helps the spider, and is not in its map.
        builder = SiteBuilder::new(rules);
    }
    set_home(args, project, &traffic, &mut builder);
    let name = project.map_name(&work.store, args.into.as_deref())?;
    let (anonymous, users) = chosen_users(global, args, &suite, &traffic)?;
    let plan = Crawl {
        suite: &suite,
        traffic: &traffic,
        users,
        anonymous,
        snapshots: project.session_snapshots(&work.store, &suite)?,
        home: home_of(args, project, &traffic),
        budget: Budget { requests: args.max_requests, depth: args.max_depth, time: args.max_time },
        press: args.press,
        constants: project.constant_table(),
    };
    let progress = bar(global, "requests", args.max_requests);
    let report = on_stage(&mut work, &app, &name, |stage| {
        crawl(stage, &mut builder, &plan, &mut |told| {
            progress.set_position(told.requests as u64);
            progress.set_message(format!("{} pages and forms, as {}", told.nodes, told.user));
        })
    });
    progress.finish_and_clear();
    drop(plan);
    let report = report.map_err(|error| match error {
        CrawlError::Replay(error) => Failure::from(error),
        CrawlError::Nobody(why) => Failure::environment(why),
    })?;
    work.release_state()?;
    let mut site = builder.finish();
    let secrecy = work.secrecy.clone();
    project.save_map(&mut work.store, &name, Some(&app.name), &mut site, &secrecy)?;
    Ok(MadeMap { name, site, report: Some(report), traffic })
}

pub(crate) fn read(
    global: &Global,
    store: &restage_store::Store,
    suite: &Suite,
    builder: &mut SiteBuilder,
) -> Result<Traffic, Failure> {
    let progress = bar(global, "sessions", suite.sessions.len());
    let traffic = read_sessions(store, suite, builder, |done| {
        progress.set_position(done as u64);
        true
    });
    progress.finish_and_clear();
    traffic.map_err(|error| match error {
        ReadError::Store(error) => Failure::from(error),
        ReadError::Interrupted => Failure::environment("interrupted"),
    })
}

/// Where users begin.
fn home_of(args: &Args, project: &Project, traffic: &Traffic) -> String {
    let given = args.home.clone().or_else(|| project.config.map.home.clone());
    given.or_else(|| traffic.usual_start()).unwrap_or_else(|| "/".to_owned())
}

fn set_home(args: &Args, project: &Project, traffic: &Traffic, builder: &mut SiteBuilder) {
    let home = restage_site::link_node(builder.rules(), &home_of(args, project, traffic));
    builder.set_home(&home);
}

/// Who the spider is to be: whether nobody in particular, and which users.
fn chosen_users(
    global: &Global,
    args: &Args,
    suite: &Suite,
    traffic: &Traffic,
) -> Result<(bool, Vec<KnownUser>), Failure> {
    if args.users.is_empty() {
        let users: Vec<KnownUser> = traffic.users.iter().take(USERS).cloned().collect();
        let more = traffic.users.len().saturating_sub(USERS);
        if more > 0 {
            let named: Vec<&str> = traffic.users.iter().skip(USERS).map(|user| user.name.as_str()).collect();
            note(
                global,
                format!(
                    "note: {more} more kinds of users log in: {}\n  hint: --as {} looks at the application as they do",
                    named.join(", "),
                    named[0]
                ),
            );
        }
        return Ok((true, users));
    }
    let anonymous = args.users.iter().any(|user| user == ANONYMOUS);
    let mut users = Vec::new();
    for name in args.users.iter().filter(|user| *user != ANONYMOUS) {
        if !suite.sessions.iter().any(|session| session.name == *name) {
            return Err(Failure::user(format!(
                "--as {name}: suite {} has no session of this name\n  hint: `restage sessions` lists them; `anonymous` is nobody in particular",
                suite.name
            )));
        }
        let steps = traffic.logins.get(name).copied().ok_or_else(|| {
            Failure::user(format!(
                "--as {name}: nobody logs in in this session\n  hint: choose a session that logs in: {}",
                traffic.users.iter().map(|user| user.name.as_str()).collect::<Vec<_>>().join(", ")
            ))
        })?;
        users.push(KnownUser { name: name.clone(), ways_in: vec![(name.clone(), steps)], sessions: 1 });
    }
    Ok((anonymous, users))
}
