//! Connections that become something else, such as WebSockets: passed through both ways, unread.

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::copy_bidirectional;
use tokio::sync::watch;

/// The upgraded connections of a recorder, to close them with it.
#[derive(Debug)]
pub(crate) struct Upgrades {
    stop: watch::Sender<bool>,
}

impl Upgrades {
    pub(crate) fn new() -> Self {
        Self { stop: watch::Sender::new(false) }
    }

    /// Passes bytes between the two sides, as soon as they are upgraded and until one ends.
    pub(crate) fn join(&self, client: OnUpgrade, upstream: OnUpgrade) {
        let mut stop = self.stop.subscribe();
        tokio::spawn(async move {
            let pass = async {
                // A side that ends, or fails, ends the other: there is nobody left to tell.
                if let Ok((client, upstream)) = tokio::try_join!(client, upstream) {
                    let (mut client, mut upstream) = (TokioIo::new(client), TokioIo::new(upstream));
                    let _ = copy_bidirectional(&mut client, &mut upstream).await;
                }
            };
            tokio::select! {
                () = pass => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
        });
    }

    /// Closes them all.
    pub(crate) fn close(&self) {
        self.stop.send_replace(true);
    }
}
