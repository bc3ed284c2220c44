import FrameFastModel
import GPhoto2
import Testing

@testable import CameraWorker

/// Tests of the texts for operations that have failed.
@Suite struct OperationReasonsTests {
    @Test(
        arguments: [(0, .bulb, true), (1, .focusStack, true), (0, .movie, false)]
            as [(Int, CameraOperation.Kind, Bool)])
    func `a missing photo's reason names mirror lock-up and the self-timer`(
        photos: Int, kind: CameraOperation.Kind, namesThem: Bool
    ) {
        let reason = OperationReasons.notAnnounced(photos, of: 2, by: kind)
        #expect(reason.hasPrefix(photos == 0 ? "no photo" : "only 1 of 2 photos"))
        #expect(reason.contains("mirror lock-up and self-timer") == namesThem)
    }

    @Test(
        arguments: [
            (.busy, "Canon EOS Full-Press failed (0x2019: PTP Device Busy)", "busy, or it could not focus"),
            (.busy, "I/O in progress", "The camera was busy."),
            (.refused, "Canon EOS M Capture failed: Perhaps no focus?", "The camera could not focus."),
        ] as [(CameraError.Kind, String, String)])
    func `a refused release of an EOS names the focus as a possible cause`(
        kind: CameraError.Kind, text: String, words: String
    ) {
        let error = CameraError(kind: kind, code: -1, operation: "trigger", text: text)
        #expect(OperationReasons.refused(error).contains(words))
    }
}
