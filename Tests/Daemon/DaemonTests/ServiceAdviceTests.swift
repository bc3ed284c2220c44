import Cameras
import FrameFastModel
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of next steps that need the whole service.
@Suite(.blocking) struct ServiceAdviceTests {
    @Test func `raises a condition while two cameras share a serial number`() async throws {
        let (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0, serial: "4711"),
            CameraHandlerTests.body(2, "right", photos: 0, serial: "4711")
        )
        let service = try await ScriptedService()
        func named() -> Condition? { service.parts.health.current.first { $0.kind == .serialShared } }
        try await service.running(with: [left, right], photos: 0) { _ in
            let condition = try await eventually("the condition") { named() }
            #expect(condition.sentence.contains("the same serial number, 4711"), "\(condition.sentence)")
            #expect(condition.nextStep.contains("Keep each camera on its port"))
            await service.disconnect(right)
            try await eventually("the condition to end") { named() == nil ? () : nil }
        }
    }
}
