import CLinux
import Crypto
import FrameFastModel
import Glibc
import Synchronization
import WorkerProtocol

/// A photo that is being written to its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // Only the driver thread uses `received`, and all threads use `hasFailed`. Only the writing thread uses
    // the other variables, until it passes the photo to the ``BackgroundHasher``. After that, the locking
    // rules of ``BackgroundHasher`` apply.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    /// The number of bytes in the file.
    var written: UInt64 = 0
    /// The number of hashed bytes.
    var hashed: UInt64 = 0
    var hash = SHA256()
    /// The reason why the photo can't be saved, or `nil` while it can be saved.
    var failure: WorkerFailure? { didSet { hasFailed.store(failure != nil, ordering: .relaxed) } }
    /// The time that the transfer occupied the camera's link, in milliseconds, or `nil` until the last byte
    /// has arrived.
    var transferMs: Int?
    /// Whether the ``BackgroundHasher`` hashes the photo. Only for the writing thread.
    var isHashedInBackground = false
    /// Whether ``failure`` is set. For all threads.
    let hasFailed = Atomic(false)

    /// The number of bytes received from the driver. Only for the driver thread.
    var received: UInt64 = 0
    /// Whether no byte has arrived yet. Only for the driver thread.
    var isEmpty: Bool { received == 0 }

    /// Creates the `.part` file. Throws if the file already exists.
    init(id: UInt64, _ request: FetchRequest) throws(WorkerFailure) {
        self.id = id
        path = request.partPath
        announced = request.announcedSize
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor < 0 else { return }
        throw WorkerFailure(errno: errno, doing: "create")
    }

    /// Adds the next bytes of the file to the hash.
    func addToHash(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        hashed += UInt64(bytes.count)
    }

    /// Closes the file, and deletes it after a failure. The last thread that uses the photo calls this
    /// method.
    ///
    /// - Returns: The event for the daemon.
    func finish() -> WorkerEvent {
        if close(descriptor) != 0, failure == nil { failure = WorkerFailure(errno: errno, doing: "close") }
        if let failure {
            unlink(path)
            return .failed(id: id, failure)
        }
        let result = FetchResult(
            bytes: hashed, sha256: Hex.text(hash.finalize()), transferMs: transferMs ?? 0)
        return .fetched(id: id, result)
    }
}

extension WorkerFailure {
    /// Creates a failure from an `errno` of the host's file system.
    init(errno code: Int32, doing: String) {
        let kind: Kind =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EFBIG: .fileTooLarge
            default: .hostIO
            }
        self.init(
            kind: kind, code: 0, during: "fetch",
            text: "cannot \(doing) the part file: \(String(cString: strerror(code)))")
    }
}
