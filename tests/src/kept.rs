//! An output stream that is read as it comes, so that nobody who writes to it has to wait.

use std::io::Read;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// What a stream has given so far, read by a thread of its own.
#[derive(Debug)]
pub struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Kept {
    /// Reads the stream to its end.
    pub fn of(mut stream: impl Read + Send + 'static) -> Kept {
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let own = bytes.clone();
        let thread = thread::spawn(move || {
            let mut buffer = vec![0; 65536];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                own.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Kept { bytes, thread }
    }

    /// What has come until now.
    pub fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// All of it, once it has ended.
    pub fn all(self) -> String {
        self.thread.join().unwrap();
        String::from_utf8(std::mem::take(&mut *self.bytes.lock().unwrap())).unwrap()
    }
}
