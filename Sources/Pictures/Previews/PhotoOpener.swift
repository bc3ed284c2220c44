import FrameFastSystem
import Glibc
import Synchronization
import SystemIO
import SystemPackage

/// A limited number of threads that open and close photos.
///
/// A photo may be on a network disk that does not answer. Only these threads then wait for the disk. A call
/// that waits too long fails, and its thread remains busy until the disk answers. Until then, calls for
/// photos in the same folder fail immediately. Otherwise, repeated calls would keep all threads busy.
final class PhotoOpener: Sendable {
    /// The result of opening a photo.
    typealias Opened = Result<FileDescriptor, Failure>

    /// The reason why a photo cannot be opened.
    enum Failure: Error, Hashable {
        case photo(PreviewError)
        /// The disk of the photo does not answer.
        case stalled
        /// All threads are opening other photos, usually because their disks do not answer.
        case noThread
    }

    /// The largest number of photos that are being opened at the same time.
    static let threadsMax = 4
    /// The longest wait for a photo, in seconds.
    static let secondsMax = Double(10 * DebugSwitches.signOfLifeFactor)

    private let pool = BlockingPool(label: "framefast.photos", width: PhotoOpener.threadsMax)
    private let state = Mutex(State())
    private let openFile: @Sendable (PreviewPhoto) -> Opened
    private let clock: HostClock

    private struct State {
        /// The pending results, one for each photo that is being opened.
        var opening: Set<ObjectIdentifier> = []
        /// The folders whose disk does not answer, by path.
        var stalledFolders: Set<String> = []
    }

    /// Creates an opener.
    ///
    /// - Parameter openFile: Opens a photo for reading. The call may block.
    init(
        clock: HostClock,
        openFile: @escaping @Sendable (PreviewPhoto) -> Opened = { PhotoOpener.openPhoto($0) }
    ) {
        self.clock = clock
        self.openFile = openFile
    }

    /// Opens a photo for reading. The caller closes the descriptor with ``close(_:)``. If the task is
    /// cancelled, the call fails immediately with ``Failure/stalled``, unless the photo is already open.
    func open(_ photo: PreviewPhoto) async -> Opened {
        let folder = DurableFile.parent(of: photo.path)
        let outcome = AsyncResult<Opened>()
        let failure = state.withLock { state -> Failure? in
            if state.stalledFolders.contains(folder) { return .stalled }
            guard state.opening.count < Self.threadsMax else { return .noThread }
            state.opening.insert(ObjectIdentifier(outcome))
            return nil
        }
        if let failure { return .failure(failure) }
        // Both tasks can outlive this call.
        let timer = Task { [self] in
            // The sleep fails if the photo is opened in time.
            guard (try? await clock.sleepAwake(Self.secondsMax)) != nil else { return }
            state.withLock { state in
                guard state.opening.contains(ObjectIdentifier(outcome)) else { return }
                state.stalledFolders.insert(folder)
                outcome.set(.failure(.stalled))
            }
        }
        Task { [self] in
            await pool.run { [self] in
                let opened = openFile(photo)
                timer.cancel()
                let isLate = state.withLock { state in
                    state.opening.remove(ObjectIdentifier(outcome))
                    if outcome.set(opened) { return false }
                    state.stalledFolders.remove(folder)
                    return true
                }
                if isLate, case .success(let late) = opened { try? late.close() }
            }
        }
        return await withTaskCancellationHandler {
            await outcome.wait()
        } onCancel: {
            // A cancelled caller does not wait for the disk, even if the disk works.
            outcome.set(.failure(.stalled))
        }
    }

    /// Closes a photo. Does not wait for the disk.
    func close(_ photo: FileDescriptor) {
        Task { [pool] in await pool.run { try? photo.close() } }
    }

    /// Opens a photo for reading. Does not follow a symbolic link, and does not wait for the writer of a
    /// named pipe.
    static func openPhoto(_ photo: PreviewPhoto) -> Opened {
        let descriptor = Glibc.open(photo.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = Errno(rawValue: errno)
            if reason.isPathMissing { return .failure(.photo(.photoMissing)) }
            return .failure(.photo(.unavailable("cannot open \(photo.path): \(reason)")))
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            UInt64(max(information.st_size, 0)) == photo.bytes
        else {
            Glibc.close(descriptor)
            return .failure(.photo(.photoChanged))
        }
        return .success(FileDescriptor(rawValue: descriptor))
    }
}
