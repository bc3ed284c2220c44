import CLinux
import Crypto
import FoundationEssentials
import FrameFastModel
import Glibc
import PlainThreads
import WorkerProtocol

/// One photo on its way into its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // The driver thread writes the file, one hashing thread reads it back; `hash` and `hashed` are the hashing
    // thread's alone, everything else that changes is touched under the sink's lock.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    fileprivate var written: UInt64 = 0
    fileprivate var failure: WorkerFailure?
    fileprivate var transferMs: Int?
    fileprivate var hash = SHA256()
    fileprivate var hashed: UInt64 = 0

    /// Whether nothing was written yet. For the driver thread.
    var isEmpty: Bool { written == 0 }

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

/// Writes photos on the driver's thread and hashes them on threads of their own.
///
/// SHA-256 is slower than the link on machines without instructions for it, so the camera must not wait for it: a
/// hashing thread reads back what is in the file so far (from the page cache) while more is coming in, and goes on
/// while the next photos come. Memory does not depend on the photo's size or on how far the hash is behind.
final class PhotoSink: @unchecked Sendable {
    // Everything mutable is touched under the monitor's lock, or by the driver thread only.

    /// Size of a piece: what the driver asks a camera for at a time.
    static let pieceBytes = 1_024 * 1_024
    /// Bytes read back at a time: fits the processor's second-level cache.
    static let readBackBytes = 256 * 1_024
    /// Photos that are hashed at the same time.
    static let hashers = 2
    /// Bytes after which the kernel is asked to start writing, to keep the later fsync short.
    static let writebackBytes: UInt64 = 8 * 1_024 * 1_024
    /// Least time between two `progress` events, in milliseconds.
    static let progressMs: UInt64 = 100

    /// Room for one piece, for the driver thread. It ends at a page nobody may touch: the driver copies what a
    /// camera sent, and a length that it did not check must end this process, not overwrite memory.
    let buffer: UnsafeMutableRawBufferPointer

    private let daemon: DaemonLink
    private let monitor = Monitor()
    private var waiting: [IncomingPhoto] = []
    private var unfinished = 0
    private var reportedMs: UInt64 = 0

    init(daemon: DaemonLink) {
        self.daemon = daemon
        buffer = Self.guardedBuffer()
        for number in 1...Self.hashers {
            PlainThread.startOrExit("hash \(number)") { [self] in hashPhotos() }
        }
    }

    private static func guardedBuffer() -> UnsafeMutableRawBufferPointer {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let map = mmap(nil, pieceBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED, mprotect(map + pieceBytes, page, PROT_NONE) == 0 else {
            Log.line("cannot map memory: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.noRoom)
        }
        return UnsafeMutableRawBufferPointer(start: map, count: pieceBytes)
    }

    // MARK: The driver thread's side

    /// A photo begins: hashing may follow it.
    func begin(_ photo: IncomingPhoto) {
        monitor.change {
            unfinished += 1
            waiting.append(photo)
        }
    }

    /// Appends bytes to a photo.
    ///
    /// - Returns: whether the photo can still be written.
    func write(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(photo.descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                let failure = WorkerFailure(errno: errno, doing: "write")
                monitor.change { photo.failure = failure }
                return false
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
        return true
    }

    /// A photo's bytes are all here, or it failed. The sink answers the daemon when it is through with it.
    func end(_ photo: IncomingPhoto, transferMs: Int, failure: WorkerFailure?) {
        monitor.change {
            photo.failure = photo.failure ?? failure
            photo.transferMs = transferMs
        }
    }

    /// Waits until every photo is answered.
    func drain() { monitor.wait { unfinished == 0 ? () : nil } }

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
