import Cameras
import Foundation
import FrameFastModel
import Logging
import Store

/// Photos in the memory of a camera whose card cannot be listed: a Sony in PC Remote.
extension Intake {
    /// What the ledger keeps of a photo that was announced and did not come over.
    static let leftInCamera = "it was still in the camera when the connection broke"

    /// Whether photos stay behind when the connection breaks, and cannot be found later.
    var leavesPhotosBehind: Bool { !session.facts.canList && !session.facts.mustDeleteAfterSave }

    /// Says what earlier sessions left behind, once: it may be taken care of while the condition stands.
    func tellLeft() {
        guard let left, !isLeftTold else { return }
        isLeftTold = true
        shared.health.raise(
            .photosLeftInCamera, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name): up to \(left.count) photo(s) were still in the camera when its connection "
                + "broke. They are not saved here; the camera keeps them on its card, if it has one.",
            nextStep:
                "Copy them from the card with a card reader, or set the camera's USB to MTP or mass storage and copy them "
                + "with a file manager: in PC Remote its card cannot be listed.")
    }

    /// Photos that were announced in an earlier session and are nowhere now: what came over from the camera's memory lies
    /// in the worker's home, and is listed first.
    func tellNeverCame(_ waiting: [CaptureRecord], listed: Set<CameraObject>) async throws {
        guard leavesPhotosBehind else { return }
        let never = waiting.filter { record in
            record.object.isInMemory && isOfEarlier(record) && !listed.contains(record.object)
        }
        for record in never {
            try await shared.ledger.setAside(id: record.id, failure: Self.leftInCamera)
            if let told = try await shared.ledger.capture(id: record.id) { shared.onCapture(told) }
        }
        guard !never.isEmpty else { return }
        left = LeftInCamera(losing: never.count, at: Date(), before: left)
        isLeftTold = false
        tellLeft()
    }

    /// Stops saying so after a day.
    func settleLeft() {
        guard isLeftTold, let told = left, !told.deservesAttention(at: Date()) else { return }
        left = nil
        shared.health.clear(.photosLeftInCamera, subject: .camera(session.camera))
    }

    /// What is left behind now that the session is over.
    func whatIsLeft() async -> LeftInCamera? {
        guard leavesPhotosBehind else { return left }
        let isStanding = shared.health.current.contains {
            $0.kind == .photosLeftInCamera && $0.subject == .camera(session.camera)
        }
        let before = isLeftTold && !isStanding ? nil : left
        guard case .lost = end else { return before }
        let count = inCamera
        if count > 0 {
            shared.logger.warning(
                "photos stayed in the camera",
                metadata: ["camera": "\(shared.naming.camera(identity).name)", "count": "\(count)"])
        }
        return LeftInCamera(losing: count, at: Date(), before: before)
    }
}
