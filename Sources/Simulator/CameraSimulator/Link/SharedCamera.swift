import FoundationEssentials
import Glibc
import Synchronization

/// A camera behind a mutex. `onPhotos` receives new files in the order in which the camera takes them.
final class SharedCamera: Sendable {
    let stateChange = ConditionVariable()
    private let camera: Mutex<Camera>
    private let isListening = Mutex(false)
    private let onPhotos: @Sendable ([TakenPhoto]) -> Void
    private let onDeleted: @Sendable ([TakenPhoto]) -> Void

    /// - Parameters:
    ///   - onPhotos: Called with new files before the camera announces them.
    ///   - onDeleted: Called with files that were deleted from the card.
    init(
        _ camera: Camera, onPhotos: @escaping @Sendable ([TakenPhoto]) -> Void,
        onDeleted: @escaping @Sendable ([TakenPhoto]) -> Void
    ) {
        self.camera = Mutex(camera)
        self.onPhotos = onPhotos
        self.onDeleted = onDeleted
    }

    /// Calls `body` with exclusive access to the camera.
    ///
    /// - Returns: The result of `body`, and the resulting events, which the link must send.
    func withExclusiveAccess<Result>(_ body: (inout Camera) -> Result) -> (result: Result, events: [PTPEvent])
    {
        let (result, events, photos, deleted, isNowListening) = camera.withLock { camera in
            let result = body(&camera)
            let photos = camera.drainNewFiles()
            // Call `onPhotos` before a client can receive the events or list the new files.
            if !photos.isEmpty { onPhotos(photos) }
            return (
                result, camera.drainEvents(), photos, camera.drainDeletedFiles(), camera.isClientListening
            )
        }
        if !deleted.isEmpty { onDeleted(deleted) }
        let hasListeningChanged = isListening.withLock { isListening in
            defer { isListening = isNowListening }
            return isListening != isNowListening
        }
        if hasListeningChanged || !photos.isEmpty { stateChange.broadcast() }
        return (result, events)
    }

    var isClientListening: Bool { camera.withLock { $0.isClientListening } }

    /// The number of sessions opened so far.
    var sessionCount: Int { camera.withLock { $0.statistics.sessions } }

    /// Whether clients have read every shot completely, and no shot is only in memory.
    var isEveryShotFetched: Bool { camera.withLock { $0.isEveryShotFetched } }

    /// Returns the host's current time, in the host's time zone.
    static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var seconds = time.tv_sec
        var local = tm()
        localtime_r(&seconds, &local)
        var now = WallTime(
            hostMs: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            offsetSeconds: local.tm_gmtoff)
        clock_gettime(CLOCK_MONOTONIC, &time)
        now.monotonicNs = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return now
    }
}
