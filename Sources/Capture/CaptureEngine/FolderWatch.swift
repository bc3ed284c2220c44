import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle

/// Looks after the capture directory, also while no photo comes: notices when it cannot be used any more and when it can
/// again, and puts in step what a run before left there as soon as it can be seen.
public actor FolderWatch: Service {
    /// Time between two looks.
    private static let pause: Duration = .seconds(1)
    /// Looks between two attempts at what could not be put in step.
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

    /// - Parameter isSyncOffered: Whether the disk of a path offers to force data to it.
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

    /// Looks until the service stops.
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

    /// Looks once.
    ///
    /// - Throws: what the ledger throws.
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

    /// Takes the disk that is there now for the capture directory.
    ///
    /// - Returns: what is still in the way; `nil` when photos can be saved.
    func adopt() async throws -> WorkFolders.Obstacle? {
        try folders.adopt()
        try await look()
        guard case .gone(let obstacle) = folders.restore() else { return nil }
        return obstacle
    }

    /// Says that the disk does not confirm what is written to it, until another disk is there.
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
