import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle
import Store
import Synchronization

/// A service that runs after a crash. The service checks once whether the files of the photos that were saved
/// before the crash still exist and have their sizes.
///
/// The service does not read the photos, because reading could delay new photos. ``CaptureAudit`` compares
/// the bytes of all photos.
public final class CrashAudit: Service {
    /// A photo whose file is missing or damaged.
    private struct Damage: Sendable {
        var id: CaptureID
        var path: String
    }

    /// The number of photos that the service checks before it pauses.
    private static let pageLength = 500
    /// The pause between two pages.
    private static let pagePause: Duration = .milliseconds(200)
    /// The time that the service has to record a changed photo before the second check.
    private static let settle: Duration = .seconds(2)
    /// The pause between two checks of the capture folder, while the folder is unavailable.
    private static let folderPause: Duration = .seconds(10)
    /// The pause between two checks of damaged photos.
    private static let recheckPause: Duration = .seconds(60)
    /// The shortest time between two log messages with the progress.
    private static let progressInterval: Duration = .seconds(10)
    /// The maximum number of damaged photos in the log.
    private static let loggedMax = 20

    /// The time from the start of the crashed run to the start of this run.
    private let period: Range<Date>
    private let ledger: LedgerStore
    private let conditionBoard: ConditionBoard
    private let logger: Logger
    private let clock: HostClock
    private let files = BlockingPool(label: "framefast.crash-audit", width: 1)
    private let hasChecked = Mutex(false)

    /// Whether the service has checked all photos.
    public var isComplete: Bool { hasChecked.withLock(\.self) }

    /// - Parameter since: The start of the run that crashed.
    init(
        since: Date, ledger: LedgerStore, conditionBoard: ConditionBoard, logger: Logger, clock: HostClock
    ) {
        period = since..<max(since, clock.now())
        self.ledger = ledger
        self.conditionBoard = conditionBoard
        self.logger = logger
        self.clock = clock
    }

    /// Checks the photos, and then waits until the service stops.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            do { try await self.checkPhotos() } catch is CancellationError {
            } catch {
                self.logger.warning(
                    "cannot check the photos that were saved before the crash",
                    metadata: ["reason": "\(error)"])
            }
        }
        try? await gracefulShutdown()
    }

    /// Checks the photos, and reports damaged photos until their files are back.
    ///
    /// - Throws: An error of the ledger, or `CancellationError`.
    func checkPhotos() async throws {
        var damages = try await findDamages()
        hasChecked.withLock { $0 = true }
        for damage in damages.prefix(Self.loggedMax) {
            logger.warning(
                "a photo that was saved before the crash is missing or damaged",
                metadata: ["capture": "\(damage.id)", "path": "\(damage.path)"])
        }
        while let first = damages.first {
            raiseCondition(count: damages.count, example: first.path)
            try await clock.sleep(for: Self.recheckPause)
            damages = try await recheck(damages)
        }
        conditionBoard.clear(.savedPhotosDamaged)
    }

    /// Returns the damaged photos of the period. While the capture folder is unavailable, the function waits,
    /// because all photos would seem to be missing.
    private func findDamages() async throws -> [Damage] {
        while true {
            while !isFolderAvailable { try await clock.sleep(for: Self.folderPause) }
            let suspects = try await checkPeriod()
            guard !suspects.isEmpty else { return [] }
            // The service may have cleared or corrected a photo during the first check.
            try await clock.sleep(for: Self.settle)
            let damages = try await recheck(suspects)
            if isFolderAvailable { return damages }
        }
    }

    private var isFolderAvailable: Bool { !conditionBoard.current.contains { $0.kind == .photosAway } }

    private func checkPeriod() async throws -> [Damage] {
        logger.notice("checking the photos that were saved before the crash")
        var damages: [Damage] = []
        var last: CaptureRecord?
        var count = 0
        var next = clock.deadline(after: Self.progressInterval)
        while true {
            let page = try await ledger.savedPhotos(in: period, after: last, limit: Self.pageLength)
            guard let end = page.last else { break }
            damages += await findDamages(in: page)
            last = end
            count += page.count
            if clock.uptime() >= next {
                logger.info(
                    "checking the photos that were saved before the crash", metadata: ["checked": "\(count)"])
                next = clock.deadline(after: Self.progressInterval)
            }
            try await clock.sleep(for: Self.pagePause)
        }
        logger.notice(
            "checked the photos that were saved before the crash",
            metadata: ["checked": "\(count)", "suspicious": "\(damages.count)"])
        return damages
    }

    /// Returns the photos that are still damaged.
    private func recheck(_ damages: [Damage]) async throws -> [Damage] {
        var remaining: [Damage] = []
        for start in stride(from: 0, to: damages.count, by: Self.pageLength) {
            let page = damages[start..<min(start + Self.pageLength, damages.count)]
            let photos = try await ledger.captures(ids: Set(page.map(\.id))).values.filter {
                $0.state == .saved && $0.clearedAt == nil
            }
            remaining += await findDamages(in: photos.sorted { $0.id < $1.id })
            try await clock.sleep(for: Self.pagePause)
        }
        return remaining
    }

    private func findDamages(in photos: [CaptureRecord]) async -> [Damage] {
        await files.run {
            photos.filter(Self.isDamaged).map { Damage(id: $0.id, path: $0.path ?? "") }
        }
    }

    /// Whether a photo's file is missing, is unreadable, or has another size. A file that was modified after
    /// the photo was saved was edited, and counts as intact.
    private static func isDamaged(_ photo: CaptureRecord) -> Bool {
        guard let path = photo.path, let bytes = photo.bytes, let savedAt = photo.savedAt else {
            return false
        }
        do throws(SystemCallError) {
            let file = try FileReader(path)
            return file.size != bytes && Double(file.modifiedAt) <= savedAt.timeIntervalSince1970
        } catch { return !error.errno.isExhausted }
    }

    private func raiseCondition(count: Int, example: String) {
        conditionBoard.raise(
            .savedPhotosDamaged,
            sentence: count == 1
                ? "1 photo that was saved before a crash is missing or damaged: \(example)."
                : "\(count) photos that were saved before a crash are missing or damaged, for example \(example).",
            nextStep:
                "If you moved or deleted these photos, no action is needed. Otherwise, put the files back, or restore them from the "
                + "card, a destination or a backup. 'framefast doctor --audit' lists all missing and changed photos. This message "
                + "clears when the files are back, and at the next start of the service.")
    }
}
