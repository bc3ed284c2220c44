import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The photos in the memory of a camera whose card cannot be listed, such as a Sony in PC Remote. If the
/// connection breaks, the service cannot find the remaining photos later. A condition reports these photos.
final class PhotosLeftInCamera {
    /// The failure that the ledger stores for a photo that was announced and not transferred.
    static let failure = "it was still in the camera when the connection was lost"

    private let context: ConnectionContext
    /// The photos that stayed in the camera when earlier connections ended, or `nil` if no photos stayed.
    private var left: LeftInCamera?
    private var isReported: Bool
    /// The number of photos in the camera's memory, as last reported.
    private var inCamera: Int

    /// - Parameter previous: The state that the last connection to this camera passed on.
    init(_ context: ConnectionContext, previous: IntakeState) {
        self.context = context
        left = previous.left
        isReported = previous.isLeftReported
        inCamera = context.connection.facts.bufferedObjects ?? 0
    }

    /// Updates the number of photos in the camera's memory.
    func update(_ facts: CameraFacts) { inCamera = facts.bufferedObjects ?? 0 }

    /// Raises the condition for photos that stayed in the camera. The condition is raised only once, because
    /// a condition that the user acknowledged must not return.
    func reportLeft() {
        guard let left, !isReported else { return }
        isReported = true
        context.raise(
            .photosLeftInCamera,
            sentence:
                "\(context.name): up to \(left.count) photo(s) were still in the camera when its connection "
                + "was lost. They are not saved here; the camera keeps them on its card, if it has one.",
            nextStep:
                "Copy these files from the card with a card reader. Or set the camera's USB to MTP or mass storage, and copy them "
                + "with a file manager. FrameFast cannot list the card in PC Remote. This message clears when the camera is connected "
                + "and one day has passed since the connection was lost.")
    }

    /// Sets aside photos that were announced in an earlier connection and are missing now. Photos that the
    /// worker has already received from the camera's memory are part of `listing`.
    ///
    /// - Parameter earlier: The waiting photos that were recorded before this connection.
    nonisolated(nonsending) func setAsideLost(_ earlier: [CaptureRecord], listing: ObjectList) async throws {
        guard context.leavesPhotosBehind else { return }
        let lost = earlier.filter { $0.object.isInMemory && !listing.contains($0.object) }
        for record in lost {
            try await context.ledger.setAside(id: record.id, failure: Self.failure)
            if let reported = try await context.ledger.capture(id: record.id) {
                context.shared.onCapture(reported)
            }
        }
        guard !lost.isEmpty else { return }
        left = LeftInCamera(losing: lost.count, at: context.clock.now(), before: left)
        // The ledger no longer lists these photos as pending. After a restart, their number is known only
        // from the file that `saveLeft` writes.
        context.saveLeft(left)
        isReported = false
        reportLeft()
    }

    /// Clears the condition if at least one day has passed since the connection was lost.
    func expire() { expire(at: context.clock.now()) }

    /// Clears the condition if the given date is at least one day after the lost connection.
    func expire(at now: Date) {
        guard isReported, let reported = left, !reported.isCurrent(at: now) else { return }
        left = nil
        context.clear(.photosLeftInCamera)
    }

    /// Records the photos that stay in the camera when the connection ends, and raises the condition.
    ///
    /// - Parameter isLost: Whether the camera was lost. If so, the photos in its memory stay in the camera.
    /// - Returns: The photos that stay in the camera, and whether the condition was raised.
    func finish(isLost: Bool) -> (left: LeftInCamera?, isReported: Bool) {
        let now = remaining(isLost: isLost)
        // The photos in the camera are counted only once if this function is called twice.
        inCamera = 0
        if now != left {
            left = now
            isReported = false
        }
        reportLeft()
        return (left, isReported)
    }

    private func remaining(isLost: Bool) -> LeftInCamera? {
        guard context.leavesPhotosBehind else { return left }
        let isRaised = context.shared.conditionBoard.current.contains {
            $0.kind == .photosLeftInCamera && $0.subject == .camera(context.connection.camera)
        }
        let before = isReported && !isRaised ? nil : left
        guard isLost else { return before }
        if inCamera > 0 {
            context.logger.warning(
                "photos stayed in the camera",
                metadata: ["camera": "\(context.loggedName)", "count": "\(inCamera)"])
        }
        return LeftInCamera(losing: inCamera, at: context.clock.now(), before: before)
    }
}
