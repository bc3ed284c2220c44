import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
public import ServiceLifecycle

/// A service that monitors the capture directory, even if no photo arrives. The service detects when the
/// directory becomes unavailable and when it becomes available again. As soon as the directory is available,
/// the service runs ``StartupRepair``.
public actor FolderWatch: Service {
    /// The interval between two checks.
    private static let pause: Duration = .seconds(1)
    /// The number of checks between two attempts at a repair.
    private static let checksPerAttempt = 10

    private let folders: WorkFolders
    private let freeSpace: FreeSpaceMonitor
    private let repair: StartupRepair
    private let conditionBoard: ConditionBoard
    private let ledgerCondition: LedgerCondition
    private let clock: HostClock
    private let isSyncOffered: @Sendable (_ path: String) -> Bool
    private var leftovers = StartupRepair.Leftovers()
    private var checks = 0
    private var hasLedgerFailed = false

    /// - Parameter isSyncOffered: A function that returns whether the disk of a path supports `fsync`.
    init(
        folders: WorkFolders, freeSpace: FreeSpaceMonitor, repair: StartupRepair,
        conditionBoard: ConditionBoard,
        ledgerCondition: LedgerCondition, clock: HostClock,
        isSyncOffered: @escaping @Sendable (_ path: String) -> Bool = { FileSync.isSupported(at: $0) }
    ) {
        self.folders = folders
        self.freeSpace = freeSpace
        self.repair = repair
        self.conditionBoard = conditionBoard
        self.ledgerCondition = ledgerCondition
        self.clock = clock
        self.isSyncOffered = isSyncOffered
    }

    /// Checks the directory until the service stops.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.pause)) != nil {
                await self.checkAgain()
            }
        }
    }

    private func checkAgain() async {
        do {
            try await check()
            if hasLedgerFailed { ledgerCondition.clear() }
            hasLedgerFailed = false
        } catch {
            hasLedgerFailed = true
            ledgerCondition.raise(error)
        }
    }

    /// Checks the directory once.
    ///
    /// - Throws: An error of the ledger.
    func check() async throws {
        let availability = folders.restore()
        updateSyncCondition()
        switch availability {
        case .unavailable: break
        case .unrepaired:
            leftovers = try await repair.run()
            folders.markRepaired()
            updateRepairConditions()
            _ = freeSpace.recordFolder(.existing)
            return
        case .existing, .created:
            checks += 1
            guard checks % Self.checksPerAttempt == 0, leftovers != .init() else { break }
            let unclear = leftovers.unclear.isEmpty ? [] : Set(leftovers.unclear.keys)
            leftovers = try await repair.run(unclear)
            updateRepairConditions()
        }
        _ = freeSpace.recordFolder(availability)
    }

    /// Accepts the current disk as the disk of the capture directory.
    ///
    /// - Returns: The remaining obstacle, or `nil` if photos can be saved.
    func adopt() async throws -> WorkFolders.Obstacle? {
        try folders.adopt()
        try await check()
        guard case .unavailable(let obstacle) = folders.restore() else { return nil }
        return obstacle
    }

    /// Raises a condition if the disk does not support `fsync`; otherwise, clears the condition.
    private func updateSyncCondition() {
        let directory = repair.directory
        guard !isSyncOffered(directory) else {
            return conditionBoard.clear(.syncNotOffered, subject: .folder(directory))
        }
        conditionBoard.raise(
            .syncNotOffered, subject: .folder(directory),
            sentence:
                "The file system of \(directory) does not support fsync: the newest photos can be lost in a power failure.",
            nextStep:
                "Keep the photos on the cards until they are copied elsewhere, or save them to a disk with ext4, XFS or Btrfs."
        )
    }

    private func updateRepairConditions() {
        let place = repair.parts.folder
        if let first = leftovers.foreign.first {
            let count = leftovers.foreign.count
            let name = SafeName.component(first)
            conditionBoard.raise(
                .foreignFiles, subject: .folder(place),
                sentence: count == 1
                    ? "FrameFast did not create '\(name)' in \(place)."
                    : "FrameFast did not create \(count) files in \(place), for example '\(name)'.",
                nextStep:
                    "Move such files to another folder. This folder is only for photos that FrameFast is saving."
            )
        } else {
            conditionBoard.clear(.foreignFiles, subject: .folder(place))
        }
        if let why = leftovers.unclear.values.min() {
            conditionBoard.raise(
                .repairWaits, subject: .folder(place),
                sentence:
                    "\(leftovers.unclear.count) photo(s) were being saved when the service stopped. FrameFast cannot "
                    + "check them now: \(why).",
                nextStep:
                    "Give the service read and write access to the named file or folder. FrameFast retries automatically. "
                    + "Do not format the card."
            )
        } else {
            conditionBoard.clear(.repairWaits, subject: .folder(place))
        }
    }
}
