import Glibc
import PlainThreads
import WorkerProtocol

/// Hashes photos that come faster than the writing thread can hash them.
///
/// SHA-256 is slower than the link on machines without instructions for it: the camera must not wait for it. A thread reads
/// back what is in the file so far (from the page cache) while more is coming in, and goes on while the next photos come.
/// Memory does not depend on the photo's size or on how far the hash is behind.
final class LateHashes: @unchecked Sendable {
    // Of a photo that is here, what the writing thread and a hashing thread share is touched under the monitor's lock; its
    // hash is the hashing thread's.

    /// Photos that are hashed at the same time.
    static let threads = 2
    /// Bytes read back at a time: fits the processor's second-level cache.
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

    // MARK: The writing thread's side

    /// Takes over a photo of which less is hashed than is written.
    func take(_ photo: IncomingPhoto) {
        photo.isLate = true
        monitor.change {
            unfinished += 1
            waiting.append(photo)
        }
    }

    /// So many bytes of a photo are in its file now.
    func wrote(_ photo: IncomingPhoto, _ written: UInt64) { monitor.change { photo.written = written } }

    /// A photo cannot be kept.
    func fail(_ photo: IncomingPhoto, _ failure: WorkerFailure) {
        monitor.change { photo.failure = photo.failure ?? failure }
    }

    /// No more bytes of a photo come. A thread of these answers the daemon when it is through with it.
    func end(_ photo: IncomingPhoto, transferMs: Int, _ failure: WorkerFailure?) {
        monitor.change {
            photo.failure = photo.failure ?? failure
            photo.transferMs = transferMs
        }
    }

    /// Waits until every photo is answered.
    func drain() { monitor.wait { unfinished == 0 ? () : nil } }

    // MARK: The hashing threads' side

    private func hashPhotos() {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readBackBytes, alignment: 64)
        while true {
            let photo = monitor.wait { waiting.isEmpty ? nil : waiting.removeFirst() }
            follow(photo, chunk)
            daemon.send(photo.finish())
            monitor.change { unfinished -= 1 }
        }
    }

    /// Hashes a photo up to its end, waiting for more bytes where it catches up with the camera.
    private func follow(_ photo: IncomingPhoto, _ chunk: UnsafeMutableRawBufferPointer) {
        while true {
            let available = monitor.wait { () -> UInt64? in
                if photo.failure == nil, photo.written > photo.hashed { return photo.written - photo.hashed }
                return photo.transferMs == nil ? nil : 0
            }
            guard available > 0 else { return }
            let wanted = Int(min(available, UInt64(chunk.count)))
            let count = pread(photo.descriptor, chunk.baseAddress, wanted, off_t(photo.hashed))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let failure = WorkerFailure(errno: count < 0 ? errno : EIO, doing: "read back")
                monitor.change { photo.failure = photo.failure ?? failure }
                continue
            }
            photo.add(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }
}
