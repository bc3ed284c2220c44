import Cameras
import FrameFastModel
import TestRig
import Testing

@testable import FrameFastDaemon

/// Each next step of a condition that needs the whole service works.
@Suite(.blocking) struct ServiceAdviceTests {
    @Test func `cameras with one serial number are named while both are connected`() async throws {
        let (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0, serial: "4711"),
            CameraHandlerTests.body(2, "right", photos: 0, serial: "4711")
        )
        let service = try await ScriptedService()
        func named() -> Condition? { service.parts.health.current.first { $0.kind == .serialShared } }
        try await service.running(with: [left, right], photos: 0) { _ in
            let condition = try await eventually("the condition") { named() }
            #expect(condition.sentence.contains("the same serial number, 4711"), "\(condition.sentence)")
            #expect(condition.nextStep.contains("leave each at its port"))
            await service.disconnect(right)
            try await eventually("its end") { named() == nil ? () : nil }
        }
    }
}
