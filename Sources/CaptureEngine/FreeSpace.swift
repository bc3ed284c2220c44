import Cameras
import FrameFastModel
import FrameFastSystem
import Synchronization

/// Watches the capture disk for all cameras, and says so when it fills up.
final class FreeSpace: Sendable {
    private let directory: String
    private let health: HealthBoard
    private let state: Mutex<DiskGuard>

    /// How often a full disk is looked at again.
    static let recheck: Duration = .seconds(1)

    init(directory: String, minFreeBytes: UInt64, health: HealthBoard) {
        self.directory = directory
        self.health = health
        state = Mutex(DiskGuard(minFreeBytes: minFreeBytes))
    }

    /// Whether `bytes` more may be written now.
    func admits(_ bytes: UInt64) -> Bool {
        let free = (try? DiskSpace.of(directory))?.freeBytes ?? 0
        let (admitted, disk) = state.withLock { disk in (disk.admit(needBytes: bytes, freeBytes: free), disk)
        }
        tell(disk)
        return admitted
    }

    /// A write failed for want of room.
    func writeFailed() {
        tell(
            state.withLock { disk in
                disk.writeFailed()
                return disk
            })
    }

    /// The guard as of now.
    func look() -> DiskGuard {
        let free = (try? DiskSpace.of(directory))?.freeBytes ?? 0
        return state.withLock { disk in
            if disk.level != .full { _ = disk.admit(needBytes: 0, freeBytes: free) }
            return disk
        }
    }

    private func tell(_ disk: DiskGuard) {
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
                sentence: "The disk with \(directory) is full (\(free)): photos wait on the card.",
                nextStep: "Make room in \(directory): FrameFast goes on by itself. Do not format the card.")
        }
    }
}
