import CLinux
import Crypto
import FrameFastModel
import Glibc
import Synchronization
import WorkerProtocol

/// A photo that is being written to its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // `received` belongs to the driver thread. The other fields belong to the writing thread, until it passes
    // the photo to the ``BackgroundHasher``. From then on, the hasher documents which lock protects a field.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    /// The number of bytes in the file.
    var written: UInt64 = 0
    /// The number of bytes in the hash.
    var hashed: UInt64 = 0
    var hash = SHA256()
    /// The reason why the photo can't be saved, or `nil`.
    var failure: WorkerFailure? { didSet { hasFailed.store(failure != nil, ordering: .relaxed) } }
    /// The time that the transfer used the camera's link, in milliseconds, or `nil` until the last byte
    /// arrived.
    var transferMs: Int?
    /// Whether the ``BackgroundHasher`` hashes the photo. For the writing thread.
    var isHashedInBackground = false
    /// Whether ``failure`` is set. For every thread.
    let hasFailed = Atomic(false)

    /// The number of bytes that the driver delivered. For the driver thread.
    var received: UInt64 = 0
    /// Whether no byte has arrived yet. For the driver thread.
    var isEmpty: Bool { received == 0 }

    /// Creates the `.part` file, which must not exist.
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

    /// Closes a complete and hashed file, or deletes a failed one. Called by the last thread that uses the
    /// photo.
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
    /// Creates a failure from an error of the host's file system.
    init(errno code: Int32, doing: String) {
        self.init(
            kind: code == ENOSPC || code == EDQUOT ? .diskFull : .hostIO, code: 0, during: "fetch",
            text: "cannot \(doing) the part file: \(String(cString: strerror(code)))")
    }
}
