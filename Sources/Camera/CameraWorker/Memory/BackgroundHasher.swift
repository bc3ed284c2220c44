import Glibc
import SystemIO
import WorkerProtocol

/// A hasher for photos that arrive faster than the writing thread can hash them.
///
/// Without SHA instructions in the processor, SHA-256 is slower than the link. The transfer must not wait for
/// the hash. A hashing thread therefore reads the file back from the page cache while more bytes arrive.
/// Memory use does not depend on the photo's size or the hashing backlog.
final class BackgroundHasher: @unchecked Sendable {
    // The monitor's lock protects the fields of a photo that the writing thread and a hashing thread share.
    // Only the hashing thread uses the hash.

    /// The number of photos that are hashed at the same time.
    static let threads = 2
    /// The size of one read, in bytes. The bytes fit in the processor's second-level cache.
    static let readBackBytes = 256 * 1_024

    private let daemon: DaemonLink
    private let monitor = Monitor()
    private var waiting: [IncomingPhoto] = []
    private var unfinished = 0

    init(daemon: DaemonLink) {
        self.daemon = daemon
        for number in 1...Self.threads {
            PlainThread.startOrExit("hash \(number)") { [self] in hashPhotos() }
        }
    }

    // MARK: Writing thread

    /// Enqueues a photo whose written bytes are not all hashed yet.
    func enqueue(_ photo: IncomingPhoto) {
        photo.isHashedInBackground = true
        monitor.withLockAndNotify {
            unfinished += 1
            waiting.append(photo)
        }
    }

    /// Records the number of bytes in the photo's file.
    func recordWritten(_ photo: IncomingPhoto, _ written: UInt64) {
        monitor.withLockAndNotify { photo.written = written }
    }

    /// Records the reason why the photo can't be saved.
    func fail(_ photo: IncomingPhoto, _ failure: WorkerFailure) {
        monitor.withLockAndNotify { photo.failure = photo.failure ?? failure }
    }

    /// Records that the photo is complete or has failed. A hashing thread sends the reply to the daemon when
    /// the hash is complete, or after a failure.
    func finish(_ photo: IncomingPhoto, transferMs: Int, _ failure: WorkerFailure?) {
        monitor.withLockAndNotify {
            photo.failure = photo.failure ?? failure
            photo.transferMs = transferMs
        }
    }

    /// Waits until the replies for all enqueued photos are sent.
    func drain() { monitor.wait { unfinished == 0 ? () : nil } }

    // MARK: Hashing threads

    private func hashPhotos() {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readBackBytes, alignment: 64)
        while true {
            let photo = monitor.wait { waiting.isEmpty ? nil : waiting.removeFirst() }
            hashToEnd(photo, chunk)
            daemon.send(photo.finish())
            monitor.withLockAndNotify { unfinished -= 1 }
        }
    }

    /// Hashes a photo to its end. Waits for more bytes when all written bytes are hashed.
    private func hashToEnd(_ photo: IncomingPhoto, _ chunk: UnsafeMutableRawBufferPointer) {
        while true {
            let available = monitor.wait { () -> UInt64? in
                if photo.failure == nil, photo.written > photo.hashed { return photo.written - photo.hashed }
                return photo.transferMs == nil ? nil : 0
            }
            guard available > 0 else { return }
            let wanted = Int(min(available, UInt64(chunk.count)))
            let buffer = UnsafeMutableRawBufferPointer(rebasing: chunk[..<wanted])
            do throws(SystemCallFailure) {
                let count = try IO.read(from: photo.descriptor, at: photo.hashed, into: buffer)
                guard count > 0 else { throw SystemCallFailure(number: EIO) }
                photo.addToHash(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                let failure = WorkerFailure(errno: error.number, doing: "read back")
                monitor.withLockAndNotify { photo.failure = photo.failure ?? failure }
            }
        }
    }
}
