import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle

/// Monitors the capture directory, even if no photo arrives. It detects when the directory becomes unusable
/// and usable again. As soon as the directory is available, it repairs what a previous run left incomplete.
public actor FolderWatch: Service {
    /// The interval between two checks.
    private static let pause: Duration = .seconds(1)
    /// The number of checks between two attempts at a repair.
    private static let looksPerAttempt = 10

    private let folders: WorkFolders
    private let room: FreeSpace
    private let repair: StartupRepair
    private let health: HealthBoard
    private let concern: LedgerConcern
    private let isSyncOffered: @Sendable (_ path: String) -> Bool
    private var remains = StartupRepair.Remains()
    private var looks = 0
    private var hasLedgerFailed = false

    /// - Parameter isSyncOffered: Returns whether the disk of a path supports `fsync`.
    init(
        folders: WorkFolders, room: FreeSpace, repair: StartupRepair, health: HealthBoard,
        concern: LedgerConcern,
        isSyncOffered: @escaping @Sendable (_ path: String) -> Bool = { FileSync.isOffered(at: $0) }
    ) {
        self.folders = folders
        self.room = room
        self.repair = repair
        self.health = health
        self.concern = concern
        self.isSyncOffered = isSyncOffered
    }

    /// Checks the directory until the service stops.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.pause)) != nil {
                await self.lookAgain()
            }
        }
    }

    private func lookAgain() async {
        do {
            try await look()
            if hasLedgerFailed { concern.works() }
            hasLedgerFailed = false
        } catch {
            hasLedgerFailed = true
            concern.failed(error)
        }
    }

    /// Checks the directory once.
    ///
    /// - Throws: An error of the ledger.
    func look() async throws {
        let standing = folders.restore()
        tellSync()
        switch standing {
        case .gone: break
        case .unrepaired:
            remains = try await repair.run()
            folders.repaired()
            tell()
            _ = room.folderStands(.there)
            return
        case .there, .made:
            looks += 1
            guard looks % Self.looksPerAttempt == 0, remains != .init() else { break }
            let unclear = remains.unclear.isEmpty ? [] : Set(remains.unclear.keys)
            remains = try await repair.run(unclear)
            tell()
        }
        _ = room.folderStands(standing)
    }

    /// Accepts the current disk as the disk of the capture directory.
    ///
    /// - Returns: The remaining obstacle, or `nil` if photos can be saved.
    func adopt() async throws -> WorkFolders.Obstacle? {
        try folders.adopt()
        try await look()
        guard case .gone(let obstacle) = folders.restore() else { return nil }
        return obstacle
    }

    /// Raises the condition that the disk does not support `fsync`, or clears it for another disk.
    private func tellSync() {
        let directory = repair.directory
        guard !isSyncOffered(directory) else {
            return health.clear(.syncNotOffered, subject: .folder(directory))
        }
        health.raise(
            .syncNotOffered, subject: .folder(directory),
            sentence:
                "The file system of \(directory) does not offer fsync: a power cut can cost the newest photos there.",
            nextStep:
                "Nothing to do while the photos are on the cards. A disk with ext4, XFS or Btrfs keeps them through a power cut."
        )
    }

    private func tell() {
        let place = repair.parts.folder
        if let first = remains.foreign.first {
            let count = remains.foreign.count
            let name = SafeName.component(first)
            health.raise(
                .foreignFiles, subject: .folder(place),
                sentence: count == 1
                    ? "'\(name)' in \(place) was not put there by FrameFast."
                    : "\(count) things in \(place) were not put there by FrameFast, for example '\(name)'.",
                nextStep: "Move them elsewhere: only photos that are being saved belong there.")
        } else {
            health.clear(.foreignFiles, subject: .folder(place))
        }
        if let why = remains.unclear.values.min() {
            health.raise(
                .repairWaits, subject: .folder(place),
                sentence:
                    "\(remains.unclear.count) photo(s) were being saved when the service ended, and cannot be "
                    + "looked at now: \(why).",
                nextStep:
                    "Let the service read and write there: it is retried automatically. Do not format the card."
            )
        } else {
            health.clear(.repairWaits, subject: .folder(place))
        }
    }
}
