import Cameras
import Foundation
import FrameFastModel
import Logging
import Store

/// Photos in the memory of a camera whose card cannot be listed, a Sony in PC Remote: what stays there when the connection
/// breaks is not found later, and people are told of it.
final class PhotosLeftInCamera {
    /// What the ledger keeps of a photo that was announced and did not come over.
    static let failure = "it was still in the camera when the connection broke"

    private let context: SessionContext
    /// What sessions left in the camera, and whether it was said.
    private var left: LeftInCamera?
    private var isTold: Bool
    /// Photos that wait in the camera's memory, as far as told.
    private var inCamera: Int

    /// - Parameter memory: What the last session with this camera left.
    init(_ context: SessionContext, memory: CameraMemory) {
        self.context = context
        left = memory.left
        isTold = memory.isLeftTold
        inCamera = context.session.facts.bufferedObjects ?? 0
    }

    /// The camera said how many wait in its memory.
    func heard(_ facts: CameraFacts) { inCamera = facts.bufferedObjects ?? 0 }

    /// Says what sessions left behind, once: it may be taken care of while the condition stands.
    func tell() {
        guard let left, !isTold else { return }
        isTold = true
        context.raise(
            .photosLeftInCamera,
            sentence:
                "\(context.name): up to \(left.count) photo(s) were still in the camera when its connection "
                + "broke. They are not saved here; the camera keeps them on its card, if it has one.",
            nextStep:
                "Copy them from the card with a card reader, or set the camera's USB to MTP or mass storage and copy them "
                + "with a file manager: in PC Remote its card cannot be listed. This message ends a day later, when the camera "
                + "is connected.")
    }

    /// Photos that were announced in an earlier session and are nowhere now: what came over from the camera's memory lies
    /// in the worker's home, and is listed first.
    ///
    /// - Parameter earlier: what waits and was entered before this session.
    nonisolated(nonsending) func tellNeverCame(_ earlier: [CaptureRecord], listing: ObjectList) async throws {
        guard context.leavesPhotosBehind else { return }
        let never = earlier.filter { $0.object.isInMemory && !listing.contains($0.object) }
        for record in never {
            try await context.ledger.setAside(id: record.id, failure: Self.failure)
            if let told = try await context.ledger.capture(id: record.id) { context.shared.onCapture(told) }
        }
        guard !never.isEmpty else { return }
        left = LeftInCamera(losing: never.count, at: Date(), before: left)
        // The ledger does not have them as waiting any more: after a restart nothing else knows their number.
        context.keep(left)
        isTold = false
        tell()
    }

    /// Stops saying so after a day.
    func settle(at now: Date = Date()) {
        guard isTold, let told = left, !told.deservesAttention(at: now) else { return }
        left = nil
        context.clear(.photosLeftInCamera)
    }

    /// The session is over. What stays behind is said at once.
    ///
    /// - Parameter isLost: whether the camera was lost: what was in its memory stays there.
    /// - Returns: what is left behind now, and whether that was said.
    func atEnd(isLost: Bool) -> (left: LeftInCamera?, isTold: Bool) {
        let now = whatIsLeft(isLost: isLost)
        // What was in the camera is counted once, also if the end is told twice.
        inCamera = 0
        if now != left {
            left = now
            isTold = false
        }
        tell()
        return (left, isTold)
    }

    private func whatIsLeft(isLost: Bool) -> LeftInCamera? {
        guard context.leavesPhotosBehind else { return left }
        let isStanding = context.shared.health.current.contains {
            $0.kind == .photosLeftInCamera && $0.subject == .camera(context.session.camera)
        }
        let before = isTold && !isStanding ? nil : left
        guard isLost else { return before }
        if inCamera > 0 {
            context.logger.warning(
                "photos stayed in the camera",
                metadata: ["camera": "\(context.loggedName)", "count": "\(inCamera)"])
        }
        return LeftInCamera(losing: inCamera, at: Date(), before: before)
    }
}
