import Foundation
import FrameFastModel

/// The rule for the sessions of saved photos: "A photo belongs to the session that ran when it was taken.
/// Photos from before the running session are saved in `unsorted` and are not uploaded until you release
/// them" (`docs/guide.md`).
///
/// Photos with misread facts are ignored. The service may know such a photo by a wrong time.
struct SessionRule {
    let environment: SimulatedEnvironment
    let sessions: [Session]

    /// The margin before and after a change of the session, in seconds. The rule ignores photos within the
    /// margin, because a photo's time has a resolution of a second, and the service accepts 2 s before a
    /// session's start.
    static let marginSeconds = 5.0

    /// Returns the violations.
    func violations(_ records: [CaptureRecord]) -> [String] {
        let photos = environment.takenPhotos
        return records.compactMap { record -> String? in
            guard record.state == .saved, let (camera, shot) = photos[record.sha256 ?? ""],
                !camera.wasMisread(shot), let time = shot.object.cameraTime
            else { return nil }
            let takenAt = Date(timeIntervalSince1970: Double(time))
            guard !isNearChange(takenAt), !isNearChange(record.detectedAt) else { return nil }
            let session = session(at: takenAt)
            guard record.sessionID == session else {
                let actual = record.sessionID?.description ?? "none"
                return "capture \(record.id) is in session \(actual) instead of "
                    + (session?.description ?? "none")
            }
            let isUnsorted = session == nil && self.session(at: record.detectedAt) != nil
            guard record.isUnsorted == isUnsorted else {
                return "capture \(record.id) is \(isUnsorted ? "not " : "")unsorted"
            }
            return nil
        }
    }

    private func session(at time: Date) -> SessionID? {
        sessions.first { $0.startedAt < time && $0.stoppedAt.map { time < $0 } ?? true }?.id
    }

    private func isNearChange(_ time: Date) -> Bool {
        sessions.flatMap { [$0.startedAt, $0.stoppedAt].compactMap(\.self) }
            .contains { abs($0.timeIntervalSince(time)) < Self.marginSeconds }
    }
}
