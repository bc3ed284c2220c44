import CLinux
import Glibc
import Synchronization
import SystemIO
import WorkerProtocol

/// A sink that writes and hashes photos on a separate thread. The driver thread requests the next chunk while
/// this thread writes the previous chunk.
///
/// The sink has two buffers: one is written while the other is filled. The writing thread hashes a chunk
/// directly after writing it, while the chunk is in the processor's cache. If the driver thread has to wait
/// for the hash, the photo moves to the ``BackgroundHasher``. The next photo starts on the writing thread
/// again. A small photo always stays on the writing thread, because waking another thread costs more than
/// hashing the photo.
final class PhotoSink: @unchecked Sendable {
    // The monitor's lock protects shared fields. Only the named thread uses fields marked "For … thread".

    /// The number of bytes that are collected before a write, for a photo that arrives in small packets.
    static let collectedBytes = 256 * 1_024
    /// The number of bytes that are hashed before the next check for a waiting driver thread. Hashing them
    /// takes less than a millisecond.
    static let hashedAtOnceBytes = 256 * 1_024
    /// The number of bytes after which the kernel starts writeback. Early writeback shortens the later fsync.
    static let writebackBytes: UInt64 = 2 * 1_024 * 1_024
    /// The minimum interval between two `progress` events.
    static let progressInterval = Duration.milliseconds(100)

    private enum Job {
        /// The bytes are in the buffer with this index.
        case write(IncomingPhoto, UnsafeRawBufferPointer, buffer: Int)
        /// The photo is in a file of the ``MemoryPhotoStore``.
        case copy(IncomingPhoto, MemoryPhotoFile)
        case finish(IncomingPhoto, transferMs: Int, WorkerFailure?)
    }

    let daemon: DaemonLink
    private let hasher: BackgroundHasher
    private let monitor = Monitor()
    private var jobs: [Job] = []
    /// Whether the writing thread is running a job.
    private var isBusy = false
    /// Whether the writing thread still uses each of the two buffers.
    private var isFull = [false, false]
    /// Whether the driver thread waits for a buffer.
    private var isBufferWanted = false

    /// For the driver thread: the buffers, the index of the next buffer to fill, and the number of bytes
    /// collected in that buffer.
    private let buffers = [ChunkBuffer(), ChunkBuffer()]
    private var next = 0
    private var collected = 0
    /// Whether ``releaseBuffers()`` can release memory.
    private(set) var hasUsedMuch = false

    /// For the writing thread.
    private var reported = Instant.start
    private let copied = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PhotoSink.collectedBytes, alignment: 64)

    init(daemon: DaemonLink) {
        self.daemon = daemon
        hasher = BackgroundHasher(daemon: daemon)
        PlainThread.startOrExit("write") { [self] in writePhotos() }
    }

    // MARK: Driver thread

    /// Returns a buffer for a chunk. Waits while both buffers are in use.
    func buffer(for count: Int) -> UnsafeMutableRawBufferPointer {
        let next = next
        monitor.wait {
            isBufferWanted = isFull[next]
            return isBufferWanted ? nil : ()
        }
        hasUsedMuch = hasUsedMuch || count > Self.collectedBytes
        return buffers[next].tail(count)
    }

    /// Appends a chunk to a photo. The chunk must be in the buffer that the last call of ``buffer(for:)``
    /// returned.
    ///
    /// - Returns: `false` if writing the photo has already failed.
    func write(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) -> Bool {
        photo.received += UInt64(bytes.count)
        let buffer = next
        next = 1 - next
        monitor.withLockAndNotify {
            isFull[buffer] = true
            jobs.append(.write(photo, bytes, buffer: buffer))
        }
        return !photo.hasFailed.load(ordering: .relaxed)
    }

    /// Appends bytes from any memory to a photo.
    ///
    /// - Returns: `false` if writing the photo has already failed.
    func collect(_ photo: IncomingPhoto, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        var isGood = true
        while !rest.isEmpty, isGood {
            let buffer = buffer(for: Self.collectedBytes)
            let some = UnsafeRawBufferPointer(rebasing: rest.prefix(buffer.count - collected))
            UnsafeMutableRawBufferPointer(rebasing: buffer[collected...]).copyMemory(from: some)
            collected += some.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(some.count))
            if collected == buffer.count { isGood = writeCollected(photo) }
        }
        return isGood
    }

    private func writeCollected(_ photo: IncomingPhoto) -> Bool {
        guard collected > 0 else { return true }
        let bytes = UnsafeRawBufferPointer(buffer(for: Self.collectedBytes)).prefix(collected)
        collected = 0
        return write(photo, UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// Copies a complete photo from the photo store while the driver thread continues. The daemon receives
    /// the reply when the photo is hashed.
    func copy(_ photo: IncomingPhoto, from file: MemoryPhotoFile) {
        monitor.withLockAndNotify { jobs.append(.copy(photo, file)) }
    }

    /// Records that the photo is complete or has failed. The daemon receives the reply when the photo is
    /// hashed.
    func finish(_ photo: IncomingPhoto, transferMs: Int, failure: WorkerFailure?) {
        _ = writeCollected(photo)
        monitor.withLockAndNotify { jobs.append(.finish(photo, transferMs: transferMs, failure)) }
    }

    /// Waits until the daemon has received a reply for every photo.
    func drain() {
        monitor.wait { jobs.isEmpty && !isBusy ? () : nil }
        hasher.drain()
    }

    /// Releases the memory of large chunks, if all chunks are written.
    func releaseBuffers() {
        guard hasUsedMuch, monitor.withLock({ jobs.isEmpty && !isFull.contains(true) }) else { return }
        hasUsedMuch = false
        for buffer in buffers { buffer.release() }
    }

    // MARK: Writing thread

    private func writePhotos() {
        while true {
            let job = monitor.wait { () -> Job? in
                guard !jobs.isEmpty else { return nil }
                isBusy = true
                return jobs.removeFirst()
            }
            var done: Int?
            switch job {
            case .write(let photo, let bytes, let buffer):
                if !photo.hasFailed.load(ordering: .relaxed) { append(bytes, to: photo) }
                done = buffer
            case .copy(let photo, let file):
                let fault = file.read(by: copied) { bytes in
                    append(bytes, to: photo)
                    return !photo.hasFailed.load(ordering: .relaxed)
                }
                finishWriting(
                    photo, 0, fault.map { WorkerFailure(kind: .objectGone, during: "fetch", text: $0) })
            case .finish(let photo, let transferMs, let failure): finishWriting(photo, transferMs, failure)
            }
            monitor.withLockAndNotify {
                if let done { isFull[done] = false }
                isBusy = false
            }
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to photo: IncomingPhoto) {
        do throws(SystemCallFailure) { try IO.writeAll(bytes, to: photo.descriptor) } catch {
            return fail(photo, WorkerFailure(errno: error.number, doing: "write"))
        }
        let before = photo.written
        let written = before + UInt64(bytes.count)
        let block = Self.writebackBytes
        if written / block > before / block {
            framefast_start_writeback(
                photo.descriptor, Int64(before / block * block),
                Int64((written / block - before / block) * block))
        }
        if photo.isHashedInBackground {
            hasher.recordWritten(photo, written)
        } else {
            photo.written = written
            hash(bytes, of: photo)
        }
        report(photo, written)
    }

    /// Hashes a chunk that was just written. If the driver thread waits for a buffer, hands the photo to the
    /// background hasher.
    private func hash(_ bytes: UnsafeRawBufferPointer, of photo: IncomingPhoto) {
        var rest = bytes
        while !rest.isEmpty {
            if photo.hashed > 0, monitor.withLock({ isBufferWanted }) { return hasher.enqueue(photo) }
            photo.addToHash(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.hashedAtOnceBytes)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.hashedAtOnceBytes))
        }
    }

    private func fail(_ photo: IncomingPhoto, _ failure: WorkerFailure) {
        if photo.isHashedInBackground { hasher.fail(photo, failure) } else { photo.failure = failure }
    }

    private func finishWriting(_ photo: IncomingPhoto, _ transferMs: Int, _ failure: WorkerFailure?) {
        if photo.isHashedInBackground { return hasher.finish(photo, transferMs: transferMs, failure) }
        photo.failure = photo.failure ?? failure
        photo.transferMs = transferMs
        daemon.send(photo.finish())
    }

    private func report(_ photo: IncomingPhoto, _ written: UInt64) {
        let now = Instant.now
        guard now - reported >= Self.progressInterval else { return }
        reported = now
        daemon.send(.progress(id: photo.id, bytes: written))
    }
}
