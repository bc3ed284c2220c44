import CLinux
import Crypto
import FoundationEssentials
import FrameFastModel
import Glibc
import PlainThreads
import WorkerProtocol

/// One photo on its way into its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // The writing thread writes the file, one hashing thread reads it back; `hash` and `hashed` are the hashing
    // thread's alone and `taken` the driver thread's, everything else that changes is touched under the sink's lock.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    fileprivate var written: UInt64 = 0
    fileprivate var failure: WorkerFailure?
    fileprivate var transferMs: Int?
    fileprivate var hash = SHA256()
    fileprivate var hashed: UInt64 = 0

    /// Bytes that the driver brought. For the driver thread.
    fileprivate(set) var taken: UInt64 = 0
    /// Whether nothing came yet. For the driver thread.
    var isEmpty: Bool { taken == 0 }

    /// Creates the `.part` file, which must not exist.
    init(id: UInt64, _ request: FetchRequest) throws(WorkerFailure) {
        self.id = id
        path = request.partPath
        announced = request.announcedSize
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor < 0 else { return }
        throw WorkerFailure(errno: errno, doing: "create")
    }
}

/// Writes photos on one thread and hashes them on others, so that the driver's thread asks for the next piece while the
/// last one goes to the file.
///
/// SHA-256 is slower than the link on machines without instructions for it, and a busy disk can be: the camera must not
/// wait for them. There is room for two pieces: while one is written, the other comes in. A hashing thread reads back
/// what is in the file so far (from the page cache) while more is coming in, and goes on while the next photos come.
/// Memory does not depend on the photo's size or on how far the hash is behind.
final class PhotoSink: @unchecked Sendable {
    // What the threads share is touched under the monitor's lock; what is marked so, by the driver thread only.

    /// Bytes that are collected of a photo that comes in packets before they are written.
    static let collectedBytes = 256 * 1_024
    /// Bytes read back at a time: fits the processor's second-level cache.
    static let readBackBytes = 256 * 1_024
    /// Photos that are hashed at the same time.
    static let hashers = 2
    /// Bytes after which the kernel is asked to start writing, to keep the later fsync short.
    static let writebackBytes: UInt64 = 8 * 1_024 * 1_024
    /// Least time between two `progress` events, in milliseconds.
    static let progressMs: UInt64 = 100

    private enum Job {
        /// The bytes lie in the buffer of this number.
        case write(IncomingPhoto, UnsafeRawBufferPointer, buffer: Int)
        case end(IncomingPhoto, transferMs: Int, WorkerFailure?)
    }

    private let daemon: DaemonLink
    private let monitor = Monitor()
    private var waiting: [IncomingPhoto] = []
    private var unfinished = 0
    private var jobs: [Job] = []
    /// Whether the writing thread has yet to take what is in a buffer.
    private var isFull = [false, false]

    /// For the driver thread: the buffers, the one that is filled next, and what was collected in it.
    private let buffers = [PieceBuffer(), PieceBuffer()]
    private var next = 0
    private var collected = 0
    private var hasUsedMuch = false

    /// For the writing thread.
    private var reportedMs: UInt64 = 0

    init(daemon: DaemonLink) {
        self.daemon = daemon
        PlainThread.startOrExit("write") { [self] in writePhotos() }
        for number in 1...Self.hashers {
            PlainThread.startOrExit("hash \(number)") { [self] in hashPhotos() }
        }
    }

    // MARK: The driver thread's side

    /// A photo begins: hashing may follow it.
    func begin(_ photo: IncomingPhoto) {
        monitor.change {
            unfinished += 1
            waiting.append(photo)
        }
    }

    /// Room for a piece; waits while both buffers are still to be written.
    func room(for count: Int) -> UnsafeMutableRawBufferPointer {
        let next = next
        monitor.wait { isFull[next] ? nil : () }
        hasUsedMuch = hasUsedMuch || count > Self.collectedBytes
        return buffers[next].room(for: count)
    }

    /// Appends a piece to a photo, which lies in the ``room(for:)`` that was asked for last.
    ///
    /// - Returns: whether the photo can still be written, as far as is known.
    func write(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) -> Bool {
        photo.taken += UInt64(bytes.count)
        let buffer = next
        next = 1 - next
        return monitor.change {
            isFull[buffer] = true
            jobs.append(.write(photo, bytes, buffer: buffer))
            return photo.failure == nil
        }
    }

    /// Appends bytes to a photo that lie anywhere.
    ///
    /// - Returns: as ``write(_:_:)``.
    func collect(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        var isGood = true
        while !rest.isEmpty, isGood {
            let room = room(for: Self.collectedBytes)
            let some = UnsafeRawBufferPointer(rebasing: rest.prefix(room.count - collected))
            UnsafeMutableRawBufferPointer(rebasing: room[collected...]).copyMemory(from: some)
            collected += some.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(some.count))
            if collected == room.count { isGood = writeCollected(photo) }
        }
        return isGood
    }

    private func writeCollected(_ photo: IncomingPhoto) -> Bool {
        guard collected > 0 else { return true }
        let bytes = UnsafeRawBufferPointer(room(for: Self.collectedBytes)).prefix(collected)
        collected = 0
        return write(photo, UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// A photo's bytes are all here, or it failed. The sink answers the daemon when it is through with it.
    func end(_ photo: IncomingPhoto, transferMs: Int, failure: WorkerFailure?) {
        _ = writeCollected(photo)
        monitor.change { jobs.append(.end(photo, transferMs: transferMs, failure)) }
    }

    /// Waits until every photo is answered.
    func drain() { monitor.wait { unfinished == 0 ? () : nil } }

    /// Gives back the memory of large pieces, where all are written.
    func rest() {
        guard hasUsedMuch, monitor.change({ jobs.isEmpty && !isFull.contains(true) }) else { return }
        hasUsedMuch = false
        for buffer in buffers { buffer.release() }
    }

    // MARK: The writing thread's side

    private func writePhotos() {
        while true {
            switch monitor.wait({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
            case .write(let photo, let bytes, let buffer):
                if monitor.change({ photo.failure == nil }) { append(bytes, to: photo) }
                monitor.change { isFull[buffer] = false }
            case .end(let photo, let transferMs, let failure):
                monitor.change {
                    photo.failure = photo.failure ?? failure
                    photo.transferMs = transferMs
                }
            }
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to photo: IncomingPhoto) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(photo.descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                let failure = WorkerFailure(errno: errno, doing: "write")
                return monitor.change { photo.failure = failure }
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        let before = photo.written
        let written = before + UInt64(bytes.count)
        monitor.change { photo.written = written }
        let block = Self.writebackBytes
        if written / block > before / block {
            framefast_start_writeback(photo.descriptor, Int64(before / block * block), Int64(block))
        }
        report(photo, written)
    }

    private func report(_ photo: IncomingPhoto, _ written: UInt64) {
        let now = nowMs()
        guard now - reportedMs >= Self.progressMs else { return }
        reportedMs = now
        daemon.send(.progress(id: photo.id, bytes: written))
    }

    // MARK: The hashing threads' side

    private func hashPhotos() {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readBackBytes, alignment: 64)
        while true {
            let photo = monitor.wait { waiting.isEmpty ? nil : waiting.removeFirst() }
            follow(photo, chunk)
            finish(photo)
            monitor.change { unfinished -= 1 }
        }
    }

    /// Hashes a photo up to its end, waiting for more bytes where it catches up with the camera.
    private func follow(_ photo: IncomingPhoto, _ chunk: UnsafeMutableRawBufferPointer) {
        while true {
            let available = monitor.wait { () -> UInt64? in
                if photo.failure != nil { return photo.transferMs == nil ? nil : 0 }
                if photo.written > photo.hashed { return photo.written - photo.hashed }
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
            photo.hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            photo.hashed += UInt64(count)
        }
    }

    private func finish(_ photo: IncomingPhoto) {
        var failure = monitor.change { photo.failure }
        if close(photo.descriptor) != 0, failure == nil {
            failure = WorkerFailure(errno: errno, doing: "close")
        }
        if let failure {
            unlink(photo.path)
            daemon.send(.failed(id: photo.id, failure))
            return
        }
        let result = FetchResult(
            bytes: photo.hashed, sha256: Hex.text(photo.hash.finalize()), transferMs: photo.transferMs ?? 0)
        daemon.send(.fetched(id: photo.id, result))
    }
}

extension WorkerFailure {
    /// The host's file system refused.
    init(errno code: Int32, doing: String) {
        self.init(
            kind: code == ENOSPC || code == EDQUOT ? .diskFull : .hostIO, code: 0, during: "fetch",
            text: "cannot \(doing) the part file: \(String(cString: strerror(code)))")
    }
}
