import CLinux
import Crypto
import FrameFastModel
import Glibc
import Synchronization
import WorkerProtocol
import XXHash

/// One photo on its way into its `.part` file.
final class IncomingPhoto: @unchecked Sendable {
    // `taken` is the driver thread's. What becomes of the file is the writing thread's, and the hash with it until the photo
    // is handed to the ``LateHashes``; from then on those say under which lock it is touched.
    let id: UInt64
    let path: String
    let announced: UInt64
    let descriptor: Int32
    /// Bytes in the file.
    var written: UInt64 = 0
    /// Bytes of them that are in the hash.
    var hashed: UInt64 = 0
    var hash = SHA256()
    /// Of the same bytes: what manifests hold.
    var fastHash = XXH128()
    /// Why it cannot be kept.
    var failure: WorkerFailure? { didSet { hasFailed.store(failure != nil, ordering: .relaxed) } }
    /// Time on the camera's link; `nil` until its last byte came.
    var transferMs: Int?
    /// Whether it was handed to the ``LateHashes``. For the writing thread.
    var isLate = false
    /// Whether there is a failure, for every thread.
    let hasFailed = Atomic(false)

    /// Bytes that the driver brought. For the driver thread.
    var taken: UInt64 = 0
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

    /// Takes bytes into the hash that follow those in it.
    func add(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        fastHash.update(bytes)
        hashed += UInt64(bytes.count)
    }

    /// Closes the file, which is whole and hashed, or removes it. For the last thread that has the photo.
    ///
    /// - Returns: what the daemon is told.
    func finish() -> WorkerEvent {
        if close(descriptor) != 0, failure == nil { failure = WorkerFailure(errno: errno, doing: "close") }
        if let failure {
            unlink(path)
            return .failed(id: id, failure)
        }
        let result = FetchResult(
            bytes: hashed, sha256: Hex.text(hash.finalize()), xxh128: fastHash.text(),
            transferMs: transferMs ?? 0)
        return .fetched(id: id, result)
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
