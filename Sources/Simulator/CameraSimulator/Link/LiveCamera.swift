import FoundationEssentials
import Glibc
import Synchronization

/// The camera that a link leads to: one at a time works on it, and what came of that is told in order.
final class LiveCamera: Sendable {
    let bell = Bell()
    private let camera: Mutex<Camera>
    private let isListening = Mutex(false)
    private let onPhotos: @Sendable ([TakenPhoto]) -> Void
    private let onDeleted: @Sendable ([TakenPhoto]) -> Void

    /// - Parameters:
    ///   - onPhotos: hears of every new file before the client does.
    ///   - onDeleted: hears of every file that a client has deleted.
    init(
        _ camera: Camera, onPhotos: @escaping @Sendable ([TakenPhoto]) -> Void,
        onDeleted: @escaping @Sendable ([TakenPhoto]) -> Void
    ) {
        self.camera = Mutex(camera)
        self.onPhotos = onPhotos
        self.onDeleted = onDeleted
    }

    /// Works on the camera.
    ///
    /// - Returns: the events that came of it, for the link to send.
    func work<Result>(_ body: (inout Camera) -> Result) -> (result: Result, events: [PTPEvent]) {
        let (result, events, photos, deleted, isNowListening) = camera.withLock { camera in
            let result = body(&camera)
            let photos = camera.takePhotos()
            // Before the client hears of them, in events that it polls for as well.
            if !photos.isEmpty { onPhotos(photos) }
            return (result, camera.takeEvents(), photos, camera.takeDeleted(), camera.isClientListening)
        }
        if !deleted.isEmpty { onDeleted(deleted) }
        let isNews = isListening.withLock { isListening in
            defer { isListening = isNowListening }
            return isListening != isNowListening
        }
        if isNews || !photos.isEmpty { bell.ring() }
        return (result, events)
    }

    var isClientListening: Bool { camera.withLock { $0.isClientListening } }

    /// Sessions opened so far.
    var sessionCount: Int { camera.withLock { $0.statistics.sessions } }

    /// Whether every shot that is still on the card has been read to the end.
    var isEveryShotFetched: Bool { camera.withLock { $0.isEveryShotFetched } }

    /// The host's time in its own zone.
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
