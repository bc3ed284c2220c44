import FrameFastModel
import Testing

@Suite struct CameraOperationTests {
    @Test(arguments: [
        (CameraOperation.Kind.bulb, CameraOperationProgress.State?.some(.failed)), (.bracket, .failed),
        (.focusStack, .failed), (.movie, .failed), (.interval, nil), (.liveView, nil),
    ])
    func `a running operation fails or continues after a lost connection`(
        kind: CameraOperation.Kind, state: CameraOperationProgress.State?
    ) {
        let after = CameraOperationProgress(kind: kind, state: .running, done: 1).afterDisconnection
        #expect(after?.state == state)
        #expect((after?.reason == nil) == (state == nil))
    }

    @Test(arguments: [CameraOperationProgress.State.ended, .stopped, .failed])
    func `a finished operation keeps its state after the connection ends`(
        state: CameraOperationProgress.State
    ) {
        let progress = CameraOperationProgress(kind: .bulb, state: state, reason: "words")
        #expect(progress.afterDisconnection == progress)
    }
}
