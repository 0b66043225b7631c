//! The shoppers, recorded.

use restage_capture::{Recorder, RecorderSettings, RedactingStore, Tally};
use restage_model::ExchangeId;
use restage_project::Project;
use restage_replay::{App, INITIAL};
use restage_store::Store;
use url::Url;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::progress;
use crate::terminal::redacted;

/// Starts the shop and the recorder before it, and sends the shoppers through.
pub(crate) fn record_shoppers(
    global: &Global,
    project: &Project,
    shoppers: usize,
    seed: u64,
) -> Result<Tally, Failure> {
    project.make_own_folder()?;
    let mut app = App::start(&project.trusted_app(None)?)?;
    if let Some(mut state) = project.state()? {
        state.save(INITIAL)?;
    }
    let store = Store::open_or_create(project.store_path())?;
    let upstream =
        Url::parse(&format!("http://{}", app.address())).map_err(|e| Failure::environment(e.to_string()))?;
    let settings = RecorderSettings::new(upstream, ([127, 0, 0, 1], 0).into());
    let redacting = project.redacting(&store)?;
    let sink = RedactingStore::new(store, redacting.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let bar = progress::bar(global, "shoppers", shoppers);
    let tally = runtime.block_on(async {
        let recorder = Recorder::bind(settings, sink)?;
        let address = format!("http://{}", recorder.local_addr());
        let progress = bar.clone();
        let (done, is_done) = tokio::sync::oneshot::channel();
        let drive = tokio::task::spawn_blocking(move || {
            let tally = bookstore::shoppers::drive(&address, seed, shoppers, &mut |_| progress.inc(1));
            // The receiver is gone only when the recorder has ended already.
            let _ = done.send(());
            tally
        });
        let tally = recorder.run(is_done).await;
        let driven = drive.await.map_err(|e| Failure::environment(e.to_string()))?;
        driven.map_err(|e| Failure::environment(format!("the shoppers: {e}")))?;
        Ok::<_, Failure>(tally)
    })?;
    bar.finish_and_clear();
    app.stop();
    if let Some(redacting) = redacting {
        redacted::sweep(global, &mut project.store()?, &redacting, ExchangeId(0))?;
    }
    Ok(tally)
}
