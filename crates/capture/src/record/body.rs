//! Bodies on their way through: every frame is passed on at once, and its bytes are kept by
//! reference.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::record::recording::Recording;
use crate::record::upload::Upload;

/// A request's body on its way to the application.
#[derive(Debug)]
pub(crate) struct RequestBody {
    inner: Option<Incoming>,
    upload: Option<Upload>,
}

impl RequestBody {
    /// No body.
    pub(crate) fn empty() -> Self {
        Self { inner: None, upload: None }
    }

    /// A body that is recorded.
    pub(crate) fn new(inner: Incoming, upload: Upload) -> Self {
        Self { inner: Some(inner), upload: Some(upload) }
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(upload) = &self.upload {
            // Unless it has ended, which is what counts.
            upload.abandon();
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Self { inner: Some(inner), upload: Some(upload) } = &mut *self else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(&mut *inner).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    upload.data(data);
                }
                if inner.is_end_stream() {
                    upload.end();
                }
            }
            Some(Err(error)) => upload.fail(error),
            None => upload.end(),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

/// A response's body on its way to the client.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are the large one, and a box is an allocation each"
)]
pub(crate) enum ResponseBody {
    /// The application's.
    Passed(PassedBody),
    /// The recorder's own words.
    Own(Full<Bytes>),
}

/// The application's body, recorded while it passes. When it has ended, so has the exchange.
#[derive(Debug)]
pub(crate) struct PassedBody {
    inner: Incoming,
    recording: Option<Recording>,
}

impl ResponseBody {
    /// The application's body.
    pub(crate) fn passed(inner: Incoming, recording: Recording) -> Self {
        let mut body = PassedBody { inner, recording: Some(recording) };
        // A server asks nothing of a body that it knows to be empty.
        if body.inner.is_end_stream() {
            body.finish();
        }
        Self::Passed(body)
    }

    /// A body without a recording: it has ended, or there is none.
    pub(crate) fn empty() -> Self {
        Self::Own(Full::default())
    }

    /// The recorder's own words.
    pub(crate) fn text(text: String) -> Self {
        Self::Own(Full::from(text))
    }
}

impl PassedBody {
    fn finish(&mut self) {
        if let Some(recording) = self.recording.take() {
            recording.finish();
        }
    }
}

impl Drop for PassedBody {
    fn drop(&mut self) {
        // Otherwise the recording's own drop notes that the client went away.
        if self.inner.is_end_stream() {
            self.finish();
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let body = match self.get_mut() {
            Self::Passed(body) => body,
            Self::Own(own) => return Pin::new(own).poll_frame(cx).map_err(|never| match never {}),
        };
        let frame = ready!(Pin::new(&mut body.inner).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => {
                if let (Some(data), Some(recording)) = (frame.data_ref(), &mut body.recording) {
                    recording.data(data);
                }
                // Before the client has the last byte, so that what was answered is on its way to
                // the store.
                if body.inner.is_end_stream() {
                    body.finish();
                }
            }
            Some(Err(error)) => {
                if let Some(recording) = body.recording.take() {
                    let passed = recording.passed();
                    recording.fail_upstream(format!("the upstream broke off after {passed} bytes: {error}"));
                }
            }
            None => body.finish(),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Passed(body) => body.inner.is_end_stream(),
            Self::Own(own) => own.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Passed(body) => body.inner.size_hint(),
            Self::Own(own) => own.size_hint(),
        }
    }
}
