//! The two threads of an import: one reads and parses, the other stores.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use restage_model::{Captured, NewSuite, PathTemplates, TemplateLearner};
use restage_store::{AsStored, Imported, Renamed, SourceId, Store, StoreError};

use super::decompress::{Input, Tolerant, begin, unpacked};
use super::duplicates::DuplicateCounter;
use super::entry_handler::EntryHandler;
use super::error::ImportError;
use super::format::Format;
use super::har::{Har, Noticed};
use super::lines::for_each_line;
use super::own_suite::bring_back;
use super::tally::FileTally;
use super::{access_log, gor, json_log};
use crate::redact::{Redacting, redact_words};

/// How much of a file's beginning is looked at to guess its format.
const HEAD: usize = 256 << 10;
/// What is stored in one transaction: so many exchanges, or so many bytes of bodies.
const BATCH: usize = 2048;
const BATCH_BYTES: usize = 8 << 20;
/// How many such wait to be stored.
const QUEUE: usize = 3;
/// A file whose first parts all cannot be read is not of its format.
const HOPELESS: u64 = 1000;

/// How files are imported.
#[derive(Clone, Debug, Default)]
pub struct ImportSettings {
    /// What they are read as; guessed where not given.
    pub format: Option<Format>,
    /// The application's hosts in a HAR; where none is given, that of its first page.
    pub hosts: Vec<String>,
    /// Set when the user asks to end.
    pub stop: Arc<AtomicBool>,
    /// Counts the bytes read, for showing progress.
    pub read: Arc<AtomicU64>,
    /// Replaces secrets before anything is stored.
    pub redacting: Option<Redacting>,
}

/// Imports a file into the store. Each exchange is stored once, however often it is met.
pub fn import(store: &mut Store, input: &Input, settings: &ImportSettings) -> Result<FileTally, ImportError> {
    let name = input.name();
    let failed = |source: io::Error| ImportError::Read { name: name.clone(), source };
    let mut tally = FileTally { name: name.clone(), ..FileTally::default() };
    if let Some(size) = input.size()
        && settings.hosts.is_empty()
        && store.knows_size(size)?
        && let Some(digest) = input.digest().map_err(failed)?
        && let Some(known) = store.source_of(digest)?
    {
        settings.read.fetch_add(size, Ordering::Relaxed);
        tally.format = known.format;
        tally.unchanged = true;
        return Ok(tally);
    }
    let mut file = input.open(settings.read.clone()).map_err(failed)?;
    let mut reader = Tolerant::new(unpacked(&mut file).map_err(failed)?);
    let head = begin(&mut reader, HEAD).map_err(failed)?;
    if let Some(source) = reader.failed.take_if(|_| head.is_empty()) {
        return Err(failed(source));
    }
    if head.trim_ascii().is_empty() {
        tally.notes.push(format!("{name} is empty"));
        return Ok(tally);
    }
    let format = match settings.format.or_else(|| Format::guess(&head)) {
        Some(format) => format,
        None => return Err(ImportError::Unknown { name, found: excerpt(&head) }),
    };
    tally.format = format.name().to_owned();
    let source = store.begin_source(&name, format.name())?;
    let whole = io::Cursor::new(head).chain(&mut reader);
    let Stored { learner, renamed, suite } =
        read_and_store(store, source, &mut tally, format, whole, settings)?;
    let cut_off = reader.failed.take();
    drop(reader);
    if let Some(suite) = suite {
        bring_back(store, suite, &renamed, &mut tally)?;
    }
    let texts = store.path_templates()?;
    let known = PathTemplates(texts.iter().filter_map(|text| text.parse().ok()).collect());
    tally.learnt = learner.learnt(&known).into_iter().map(String::from).collect();
    store.add_path_templates(&tally.learnt)?;
    // What the format's own end leaves unread, such as a HAR's last brace, belongs to the file's hash.
    let broken = cut_off.is_some() || tally.unread > 0 && format == Format::Har;
    tally.notes.extend(cut_off.map(|why| format!("{name} could not be read to its end: {why}")));
    io::copy(&mut file, &mut io::sink()).map_err(failed)?;
    let (size, digest) = file.totals();
    if !broken {
        store.end_source(source, size, digest)?;
    }
    tally.notes.extend(format.lacks().map(str::to_owned));
    Ok(tally)
}

/// What a file was, once it is stored.
struct Stored {
    learner: TemplateLearner,
    /// The names under which what restage wrote came back.
    renamed: Renamed,
    /// The suite that it is, where restage wrote it.
    suite: Option<NewSuite>,
}

fn read_and_store(
    store: &mut Store,
    source: SourceId,
    tally: &mut FileTally,
    format: Format,
    reader: impl Read,
    settings: &ImportSettings,
) -> Result<Stored, ImportError> {
    let (sender, receiver) = sync_channel(QUEUE);
    let (spent, returned) = channel();
    std::thread::scope(|scope| {
        let writer = std::thread::Builder::new()
            .name("restage-import".to_owned())
            .spawn_scoped(scope, move || write(store, source, &receiver, &spent))
            .map_err(|source| ImportError::Read { name: tally.name.clone(), source })?;
        let mut queue = Queue {
            tally,
            format,
            learner: TemplateLearner::default(),
            alike: DuplicateCounter::new(format != Format::Har),
            batch: Vec::new(),
            bytes: 0,
            sender: Some(sender),
            returned,
            stop: &settings.stop,
            redacting: settings.redacting.as_ref(),
            stand_ins: Vec::new(),
            suite: None,
        };
        let read = read(&mut queue, format, reader, settings).and_then(|()| queue.flush());
        queue.sender = None;
        let exchanges = queue.tally.exchanges;
        // Where the store failed, the reader only saw that nobody takes its batches.
        let (added, renamed) =
            writer.join().map_err(|_| StoreError::Unreadable("the import's writer ended".to_owned()))??;
        read?;
        queue.tally.added = added;
        queue.tally.known = exchanges - added - renamed.lost();
        if renamed.lost() > 0 {
            queue.tally.exchanges -= renamed.lost();
            queue.tally.passed_over += renamed.lost();
            queue.tally.notes.push(format!(
                "{} edited or generated requests are left out: what they were made of is not in this file",
                renamed.lost()
            ));
        }
        Ok(Stored { learner: queue.learner, renamed, suite: queue.suite })
    })
}

fn write(
    store: &mut Store,
    source: SourceId,
    batches: &Receiver<Batch>,
    spent: &Sender<Vec<Imported>>,
) -> Result<(u64, Renamed), StoreError> {
    let (mut added, mut renamed) = (0, Renamed::default());
    for batch in batches {
        store.add_stand_ins(&batch.stand_ins)?;
        added += store.append_imported(source, &batch.exchanges, &mut renamed)?;
        // Memory is freed where it was taken, which is faster, and storing is what takes longest. A reader that has
        // ended has no use for it.
        let _ = spent.send(batch.exchanges);
    }
    Ok((added, renamed))
}

fn read(
    queue: &mut Queue<'_>,
    format: Format,
    reader: impl Read,
    settings: &ImportSettings,
) -> Result<(), ImportError> {
    let parse: fn(&[u8]) -> Result<Captured, &'static str> = match format {
        Format::Har => return read_har(queue, reader, settings),
        Format::Gor => {
            gor::read(reader, queue)?;
            return queue.of_format();
        }
        Format::Clf | Format::Combined => access_log::parse,
        Format::JsonLog => json_log::parse,
    };
    let mut no_bodies = format == Format::JsonLog;
    for_each_line(reader, |number, line| match parse(line) {
        Ok(captured) => {
            no_bodies &= captured.body.bytes.is_empty();
            queue.exchange(captured)
        }
        Err(why) => queue.unread(number, why, line),
    })?;
    if no_bodies && queue.tally.exchanges > 0 {
        queue.tally.notes.push(
            "no line of this log has a request's body: forms replay without their contents\n  hint: `restage init --nginx` and `restage init --apache` print a log format that has them"
                .to_owned(),
        );
    }
    queue.of_format()
}

fn read_har(queue: &mut Queue<'_>, reader: impl Read, settings: &ImportSettings) -> Result<(), ImportError> {
    let name = queue.tally.name.clone();
    let client = name.rsplit('/').next().unwrap_or(&name).to_owned();
    let Noticed { entries, cookies, host, elsewhere, broken } =
        Har { hosts: &settings.hosts, client: &client }.read(reader, queue)?;
    if let Some(why) = broken {
        queue.tally.count_unread(entries + 1, &why, b"");
    }
    let notes = &mut queue.tally.notes;
    if let Some(host) = host.filter(|_| elsewhere > 0) {
        notes.push(format!(
            "{host} is taken for the application, as its page comes first; {elsewhere} requests to other hosts are kept out of replays\n  hint: --host NAME says otherwise"
        ));
    }
    if !cookies && queue.tally.exchanges > 0 {
        notes.push(
            "no request of this HAR has a cookie: browsers leave them out unless asked, and logged-in pages then replay logged out\n  hint: export it `with sensitive data` (Chromium: Settings, Preferences, Network), or record with Playwright, mitmproxy or `restage record`"
                .to_owned(),
        );
    }
    queue.of_format()
}

/// Exchanges that are stored together.
struct Batch {
    exchanges: Vec<Imported>,
    stand_ins: Vec<u64>,
}

/// Takes what readers find, and hands it on in batches.
struct Queue<'a> {
    tally: &'a mut FileTally,
    format: Format,
    alike: DuplicateCounter,
    learner: TemplateLearner,
    batch: Vec<Imported>,
    bytes: usize,
    sender: Option<SyncSender<Batch>>,
    /// Batches that are stored.
    returned: Receiver<Vec<Imported>>,
    stop: &'a AtomicBool,
    redacting: Option<&'a Redacting>,
    /// The hashes of stand-ins that the store has to know before it has the batch.
    stand_ins: Vec<u64>,
    suite: Option<NewSuite>,
}

impl Queue<'_> {
    /// Hands an exchange on to be stored. Every exchange of every format passes here, once.
    fn hand_on(&mut self, captured: Captured, as_stored: Option<AsStored>) -> Result<(), ImportError> {
        self.tally.exchanges += 1;
        self.bytes += captured.body.bytes.len();
        self.bytes += captured.response.as_ref().map_or(0, |(_, _, body)| body.bytes.len());
        // Templates are learnt from what was imported; what was recorded stays as it was here, too, and nobody asked for what
        // was edited or generated.
        if as_stored.as_ref().is_none_or(|own| own.imported && own.origin.is_recorded()) {
            self.learn(&captured);
        }
        // By what was logged, so that what is done to it before it is stored lets nothing in twice.
        let own = as_stored.is_some();
        let mut imported = self.alike.with_digest(captured, as_stored);
        if let Some(redacting) = self.redacting {
            let mut redactor = redacting.redactor();
            redactor.meets_stand_ins(own);
            redactor.redact(&mut imported.captured);
            let words = imported.as_stored.iter_mut().flat_map(|own| own.origin.words_mut());
            redact_words(&mut redactor, words);
            redactor.meets_stand_ins(true);
            self.stand_ins.append(&mut redactor.take_fresh());
        }
        self.batch.push(imported);
        if self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ImportError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(ImportError::Stopped { name: self.tally.name.clone() });
        }
        self.bytes = 0;
        let mut next = self.returned.try_recv().unwrap_or_default();
        next.clear();
        let batch = std::mem::replace(&mut self.batch, next);
        if batch.is_empty() {
            return Ok(());
        }
        let stand_ins = std::mem::take(&mut self.stand_ins);
        let taken = self
            .sender
            .as_ref()
            .is_some_and(|sender| sender.send(Batch { exchanges: batch, stand_ins }).is_ok());
        // The writer ends early only when the store fails, and then says why.
        if taken { Ok(()) } else { Err(ImportError::Stopped { name: self.tally.name.clone() }) }
    }

    fn learn(&mut self, captured: &Captured) {
        let answer = captured.response.as_ref();
        let media_type = answer.and_then(|(_, headers, _)| headers.get("content-type"));
        let status = answer.map(|(status, ..)| *status);
        self.learner.add(&captured.method, &captured.uri, status, media_type);
    }

    /// An error where nothing of the file could be read.
    fn of_format(&self) -> Result<(), ImportError> {
        let tally = &self.tally;
        let Some(first) = tally.first_unread.first().filter(|_| tally.exchanges == 0) else { return Ok(()) };
        let what = match self.format {
            Format::Har if first.text.is_empty() => String::new(),
            Format::Har => format!("entry {}: ", first.place),
            Format::Gor => format!("message {}: ", first.place),
            _ => format!("line {}: ", first.place),
        };
        Err(ImportError::NotOfFormat {
            name: tally.name.clone(),
            format: self.format.name(),
            found: format!("{what}{} {}", first.why, first.text).trim_end().to_owned(),
            hint: self.format.hint(),
        })
    }
}

impl EntryHandler for Queue<'_> {
    fn exchange(&mut self, captured: Captured) -> Result<(), ImportError> {
        self.hand_on(captured, None)
    }

    fn own(&mut self, captured: Captured, as_stored: AsStored) -> Result<(), ImportError> {
        self.hand_on(captured, Some(as_stored))
    }

    fn unread(&mut self, place: u64, why: &str, what: &[u8]) -> Result<(), ImportError> {
        self.tally.count_unread(place, why, what);
        if self.tally.exchanges == 0 && self.tally.unread >= HOPELESS { self.of_format() } else { Ok(()) }
    }

    fn stand_ins(&mut self, hashes: &[u64]) {
        if let Some(redacting) = self.redacting {
            redacting.redactor().made_before(hashes.iter().copied());
        }
        self.stand_ins.extend_from_slice(hashes);
    }

    fn suite(&mut self, suite: NewSuite) {
        self.suite = Some(suite);
    }

    fn passed_over(&mut self) {
        self.tally.passed_over += 1;
    }
}

fn excerpt(head: &[u8]) -> String {
    let line = head.trim_ascii_start().split(|b| *b == b'\n').next().unwrap_or_default();
    let text: String = String::from_utf8_lossy(&line[..line.len().min(80)])
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("it begins with `{}`", text.trim_end())
}
