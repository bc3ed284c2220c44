import Cameras
import FrameFastModel
import FrameFastSystem
import Synchronization

/// Watches the capture disk for all cameras, and says so when it fills up.
final class FreeSpace: Sendable {
    private let directory: String
    private let health: HealthBoard
    private let state: Mutex<State>

    private struct State {
        var disk: DiskGuard
        /// What the last photo that was not admitted needs.
        var refusedBytes: UInt64 = 0
        /// Why a new folder cannot be made in place of one that is gone; `nil` when nobody tried, or it can.
        var unmakeable: String?
        /// The last attempt, when the disk refused although its numbers looked well.
        var doubtedSince: ContinuousClock.Instant?
    }

    /// Time between two attempts on a disk that refuses although its numbers look well (quota, no room for more
    /// files, another program that writes as fast).
    private static let doubtPause: Duration = .seconds(2)

    init(directory: String, minFreeBytes: UInt64, health: HealthBoard) {
        self.directory = directory
        self.health = health
        state = Mutex(State(disk: DiskGuard(minFreeBytes: minFreeBytes)))
    }

    /// Keeps this many bytes free from now on.
    func keep(minFreeBytes: UInt64) {
        state.withLock { $0.disk.minFreeBytes = minFreeBytes }
        _ = look()
    }

    /// Whether `bytes` more may be written now.
    func admits(_ bytes: UInt64) -> Bool {
        guard let free = freeBytes else { return false }
        let now = ContinuousClock.now
        let (isAdmitted, told) = state.withLock { state -> (Bool, State) in
            var isAdmitted = state.disk.admit(needBytes: bytes, freeBytes: free)
            state.refusedBytes = isAdmitted ? 0 : bytes
            if let since = state.doubtedSince {
                // Full until a photo was saved; one attempt now and then.
                state.disk.writeFailed()
                isAdmitted = isAdmitted && since.duration(to: now) >= Self.doubtPause
                if isAdmitted { state.doubtedSince = now }
            }
            return (isAdmitted, state)
        }
        tell(told)
        return isAdmitted
    }

    /// A write failed for want of room.
    func writeFailed() {
        guard let free = freeBytes else { return }
        tell(
            state.withLock { state in
                _ = state.disk.admit(needBytes: 0, freeBytes: free)
                state.disk.writeFailed()
                state.doubtedSince = .now
                return state
            })
    }

    /// A photo was saved.
    func wrote() {
        guard state.withLock({ $0.doubtedSince != nil }) else { return }
        tell(
            state.withLock { state in
                state.doubtedSince = nil
                _ = state.disk.admit(needBytes: state.refusedBytes, freeBytes: state.disk.freeBytes)
                return state
            })
    }

    /// The guard as of now.
    func look() -> DiskGuard {
        guard let free = freeBytes else { return state.withLock(\.disk) }
        let state = state.withLock { state in
            _ = state.disk.admit(needBytes: state.refusedBytes, freeBytes: free)
            if state.doubtedSince != nil { state.disk.writeFailed() }
            return state
        }
        tell(state)
        return state.disk
    }

    /// `nil` when nobody can tell, because the folder is not there or its disk does not answer: that is told, and is
    /// no full disk.
    private var freeBytes: UInt64? {
        do {
            let free = try DiskSpace.of(directory).freeBytes
            health.clear(Self.awayCode)
            return free
        } catch {
            let unmakeable = state.withLock(\.unmakeable)
            if error.isMissing, unmakeable == nil {
                health.raise(
                    Self.awayCode, .warning, sentence: "The folder for photos \(directory) is away.",
                    nextStep: "Put it back if it was moved by mistake: the next photo makes a new one.")
            } else {
                health.raise(
                    Self.awayCode, .danger,
                    sentence: "The folder for photos \(directory) is away (\(unmakeable ?? "\(error)")): "
                        + "photos wait on the card.",
                    nextStep: "Mount its disk again, or put the folder back: FrameFast goes on by itself.")
            }
            return nil
        }
    }

    /// A photo is to be written: whether its folder is there, or there again.
    func folderStands(_ standing: WorkFolders.Standing) -> Bool {
        let why: String? = if case .gone(let why) = standing { why } else { nil }
        state.withLock { $0.unmakeable = why }
        if why != nil { _ = look() }
        return why == nil
    }

    private static let awayCode = "photos-away"

    private func tell(_ state: State) {
        let disk = state.disk
        let free =
            "\(disk.freeBytes / 1_048_576) MiB free, \(disk.minFreeBytes / 1_048_576) MiB are kept free"
        switch disk.level {
        case .ok:
            health.clear("disk-full")
            health.clear("disk-low")
        case .low:
            health.clear("disk-full")
            health.raise(
                "disk-low", .warning, sentence: "The disk with \(directory) is getting full (\(free)).",
                nextStep: "Move finished sessions away; photos are still saved.")
        case .full:
            health.clear("disk-low")
            health.raise(
                "disk-full", .danger,
                sentence: state.doubtedSince == nil
                    ? "The disk with \(directory) is full (\(free)): photos wait on the card."
                    : "The disk with \(directory) takes no more photos, for want of space, of files or by a quota "
                        + "(\(free)): photos wait on the card.",
                nextStep: "Make room in \(directory): FrameFast goes on by itself. Do not format the card.")
        }
    }
}
