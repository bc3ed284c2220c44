import CLinux
import Crypto
import FoundationEssentials
import Glibc
import WorkerProtocol

/// One photo on its way into its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // Made by the driver thread and handed to the sink's thread, which alone touches what is written and hashed;
    // `hasFailed` is the one thing the driver thread asks for, under the sink's lock.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    fileprivate var hash = SHA256()
    fileprivate var written: UInt64 = 0
    fileprivate var started: UInt64 = 0
    fileprivate var reported: UInt64 = 0
    fileprivate var failure: WorkerFailure?

    /// Creates the `.part` file, which must not exist.
    init(id: UInt64, _ request: FetchRequest) throws(WorkerFailure) {
        self.id = id
        path = request.partPath
        announced = request.announcedSize
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        if descriptor < 0 { throw WorkerFailure(errno: errno, doing: "create") }
    }
}

/// Writes and hashes photos on a thread of its own.
///
/// SHA-256 is slower than the link on machines without instructions for it, so the camera must not wait for it: the
/// driver thread fills the next piece, and starts the next photo, while the last ones are still being hashed. The
/// pieces lie in a few buffers that are used again and again: when all are full the camera waits, so memory is
/// bounded and does not depend on the photo's size.
final class PhotoSink: @unchecked Sendable {
    // Everything mutable is touched under the monitor's lock, or by the sink's thread only.

    /// Size of a piece: what the driver asks a camera for at a time.
    static let pieceBytes = 1_024 * 1_024
    /// Pieces between the two threads.
    static let pieceCount = 6
    /// Bytes after which the kernel is asked to start writing, to keep the later fsync short.
    static let writebackBytes: UInt64 = 8 * 1_024 * 1_024
    /// Least time between two `progress` events of one photo, in milliseconds.
    static let progressMs: UInt64 = 100

    private enum Order {
        case piece(IncomingPhoto, UnsafeMutableRawBufferPointer)
        case end(IncomingPhoto, transferMs: Int, WorkerFailure?)
    }

    private let daemon: DaemonLink
    private let monitor = Monitor()
    private var free: [UnsafeMutableRawBufferPointer] = []
    private var orders: [Order] = []
    private var isBusy = false

    init(daemon: DaemonLink) {
        self.daemon = daemon
        for _ in 0..<Self.pieceCount { free.append(Self.guardedBuffer()) }
        startThread("sink") { [self] in run() }
    }

    /// A buffer that ends at a page nobody may touch: the driver copies what a camera sent, and a length that it
    /// did not check must end this process, not overwrite memory.
    private static func guardedBuffer() -> UnsafeMutableRawBufferPointer {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let map = mmap(nil, pieceBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED, mprotect(map + pieceBytes, page, PROT_NONE) == 0 else {
            Log.line("cannot map memory: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.noThread)
        }
        return UnsafeMutableRawBufferPointer(start: map, count: pieceBytes)
    }

    // MARK: The driver thread's side

    /// A buffer to fill; waits until one is free.
    func takeBuffer() -> UnsafeMutableRawBufferPointer { monitor.wait { free.popLast() } }

    /// Gives a buffer back unused.
    func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
        monitor.change {
            free.append(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: Self.pieceBytes))
        }
    }

    /// Queues a filled part of a buffer.
    func write(_ photo: IncomingPhoto, _ filled: UnsafeMutableRawBufferPointer) {
        monitor.change { orders.append(.piece(photo, filled)) }
    }

    /// Whether a photo cannot be written any more.
    func hasFailed(_ photo: IncomingPhoto) -> Bool { monitor.change { photo.failure != nil } }

    /// Ends a photo. The sink answers the daemon when it is through with it.
    func end(_ photo: IncomingPhoto, transferMs: Int, failure: WorkerFailure?) {
        monitor.change { orders.append(.end(photo, transferMs: transferMs, failure)) }
    }

    /// Waits until everything queued is done.
    func drain() { monitor.wait { orders.isEmpty && !isBusy ? () : nil } }

    // MARK: The sink's thread

    private func run() {
        while true {
            let order = monitor.wait { () -> Order? in
                guard !orders.isEmpty else { return nil }
                isBusy = true
                return orders.removeFirst()
            }
            switch order {
            case .piece(let photo, let bytes):
                if photo.failure == nil { take(photo, UnsafeRawBufferPointer(bytes)) }
                giveBack(bytes)
            case .end(let photo, let transferMs, let failure):
                finish(photo, transferMs: transferMs, failure: failure)
            }
            monitor.change { isBusy = false }
        }
    }

    private func take(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(photo.descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                let failure = WorkerFailure(errno: errno, doing: "write")
                monitor.change { photo.failure = failure }
                return
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        photo.hash.update(bufferPointer: bytes)
        photo.written += UInt64(bytes.count)
        if photo.written - photo.started >= Self.writebackBytes {
            framefast_start_writeback(
                photo.descriptor, Int64(photo.started), Int64(photo.written - photo.started))
            photo.started = photo.written
        }
        let now = nowMs()
        if photo.reported == 0 { photo.reported = now }
        if now - photo.reported >= Self.progressMs {
            photo.reported = now
            daemon.send(.progress(id: photo.id, bytes: photo.written))
        }
    }

    private func finish(_ photo: IncomingPhoto, transferMs: Int, failure: WorkerFailure?) {
        var failure = photo.failure ?? failure
        if close(photo.descriptor) != 0, failure == nil {
            failure = WorkerFailure(errno: errno, doing: "close")
        }
        if failure == nil, photo.written == 0 || photo.written < photo.announced {
            failure = WorkerFailure(
                kind: .corrupt, during: "fetch",
                text: "\(photo.written) of \(photo.announced) announced bytes came")
        }
        if let failure {
            unlink(photo.path)
            daemon.send(.failed(id: photo.id, failure))
            return
        }
        let digest = photo.hash.finalize().map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        daemon.send(
            .fetched(
                id: photo.id,
                FetchResult(bytes: photo.written, sha256: digest.joined(), transferMs: transferMs)))
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
