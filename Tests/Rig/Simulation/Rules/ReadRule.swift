import FrameFastModel
import Synchronization

/// The rule that the service does not repeatedly read a photo that it has saved.
///
/// A run of the service does not read the photos that were saved before its start. After the run has saved a
/// photo, it may read the photo once, because an announcement of the photo may wait while the photo is saved.
///
/// The rule does not apply if the service has a reason to compare bytes. The reasons are second readings,
/// cameras with the same serial number, photos on two cards, photos that are marked as past before their
/// deletion, and photos with misread facts.
final class ReadRule: Sendable {
    private let isActive: Bool
    private let cameras: [SimulatedCamera]
    /// The largest allowed number of reads of saved photos, by SHA-256.
    private let limits = Mutex<[String: Int]>([:])

    init(_ plan: SimulationPlan, _ cameras: [SimulatedCamera]) {
        isActive =
            plan.verify == .structure && plan.sharedSerial == nil && !plan.features.usesTwoCards
            && !plan.deletesAfterSave
        self.cameras = cameras
    }

    /// Starts the rule for a run of the service.
    ///
    /// - Parameter records: The records at the start.
    func recordStart(_ records: [CaptureRecord]) {
        guard isActive else { return }
        let saved = Set(records.filter { $0.state == .saved }.compactMap(\.sha256))
        let reads = self.reads
        limits.withLock { $0 = reads.filter { saved.contains($0.key) }.mapValues { $0.reads } }
    }

    /// Handles a photo that the service has just saved.
    func recordSaved(_ record: CaptureRecord) {
        guard isActive, let sha256 = record.sha256, let photo = reads[sha256] else { return }
        limits.withLock { limits in limits[sha256] = limits[sha256] ?? photo.reads + 1 }
    }

    /// The violations so far.
    var violations: [String] {
        guard isActive else { return [] }
        let limits = self.limits.withLock(\.self)
        return reads.compactMap { sha256, photo -> String? in
            guard let limit = limits[sha256], photo.reads > limit, !photo.camera.wasMisread(photo.shot) else {
                return nil
            }
            return "read \(photo.reads) times, but \(limit) reads are sufficient: "
                + "\(photo.camera.id) \(photo.shot.object.path)"
        }.sorted()
    }

    /// All photos with the number of their reads, by SHA-256.
    private var reads: [String: (camera: SimulatedCamera, shot: SimulatedCamera.Shot, reads: Int)] {
        var reads: [String: (camera: SimulatedCamera, shot: SimulatedCamera.Shot, reads: Int)] = [:]
        for camera in cameras {
            for shot in camera.taken {
                reads[shot.sha256] = (camera, shot, camera.reads(of: shot))
            }
        }
        return reads
    }
}
