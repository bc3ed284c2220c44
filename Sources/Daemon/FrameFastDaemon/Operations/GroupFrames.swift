import Cameras
import Foundation
import FrameFastModel
import Logging
import ServiceLifecycle
import Store
import Synchronization

/// Counts the photos of each shot of a group once they should be there, and names the cameras that have none.
///
/// What it waits for stands in the ledger: after a restart the shots are counted again whose photos may still come.
final class GroupFrames: Service {
    private let ledger: LedgerStore
    private let health: HealthBoard
    private let logger: Logger
    /// How long after its moment a shot of a group is counted; `nil` for a group that is there no more.
    private let settle: @Sendable (GroupName) -> Duration?
    private let (due, expects) = AsyncStream<GroupShot.ID>.makeStream()
    /// The shot of each group that lacks a photo, as people were told last.
    private let incomplete = Mutex<[GroupName: GroupShotID]>([:])

    init(
        ledger: LedgerStore, health: HealthBoard, logger: Logger,
        settle: @escaping @Sendable (GroupName) -> Duration?
    ) {
        self.ledger = ledger
        self.health = health
        self.logger = logger
        self.settle = settle
    }

    /// A shot is taken: its photos are counted some time after its moment.
    func expect(_ shot: GroupShotID) { expects.yield(shot) }

    /// A photo came: it may be the one that its shot lacked.
    func capture(_ record: CaptureRecord) async {
        guard let shot = record.groupShotID, incomplete.withLock({ $0.values.contains(shot) }) else { return }
        await count(shot)
    }

    /// Counts until the service stops.
    func run() async {
        let recent = Date().addingTimeInterval(-GroupShot.frameSecondsMax)
        for shot in (try? await ledger.groupShots(since: recent)) ?? [] { expect(shot.id) }
        await withDiscardingTaskGroup { group in
            for await shot in due.cancelOnGracefulShutdown() {
                group.addTask { await self.countInTime(shot) }
            }
            group.cancelAll()
        }
    }

    private func countInTime(_ id: GroupShotID) async {
        guard let shot = try? await ledger.groupShot(id), let settle = settle(shot.group) else { return }
        let wait = shot.at.timeIntervalSinceNow + settle / .seconds(1)
        guard (try? await Task.sleep(for: .seconds(max(0, wait)))) != nil else { return }
        do { try await ledger.settleGroupShot(id) } catch {
            logger.warning("a shot of a group stays open", metadata: ["shot": "\(id)", "reason": "\(error)"])
        }
        await count(id)
    }

    private func count(_ id: GroupShotID) async {
        // A shot for which no shutter was released is gone by now.
        guard let shot = try? await ledger.groupShot(id) else { return }
        let lack = Condition(shot, since: Date())
        let isNews = incomplete.withLock { incomplete in
            // What is known of a later shot is more.
            guard incomplete[shot.group] ?? id <= id else { return false }
            incomplete[shot.group] = lack == nil ? nil : id
            return true
        }
        guard isNews else { return }
        if let lack {
            health.raise(lack)
        } else {
            health.clear(.groupFrameMissing, subject: .group(shot.group))
        }
    }
}
