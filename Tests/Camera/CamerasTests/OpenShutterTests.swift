import FrameFastModel
import TestRig
import Testing

@testable import Cameras

/// Tests of the condition for a shutter that stays open because the connection was lost.
@Suite struct OpenShutterTests {
    /// The state of a camera when its connection is lost.
    struct Row: Sendable, CustomTestStringConvertible {
        var kind: CameraOperation.Kind
        var state: CameraOperationProgress.State
        var isReportedOpen = false
        var isOpen: Bool
        var testDescription: String { "\(kind), \(state), \(isReportedOpen)" }
    }

    private static let rows = [
        Row(kind: .bulb, state: .running, isOpen: true),
        Row(kind: .bulb, state: .ended, isOpen: false),
        Row(kind: .movie, state: .running, isOpen: false),
        Row(kind: .interval, state: .running, isOpen: false),
        // The worker has noticed the loss before the daemon, or the camera did not close the shutter.
        Row(kind: .bulb, state: .failed, isReportedOpen: true, isOpen: true),
    ]

    @Test(arguments: rows)
    func `reports an open shutter after a lost connection`(row: Row) async throws {
        var facts = CameraFacts()
        facts.isShutterOpen = row.isReportedOpen
        let camera = try SupervisedCamera(.init(facts: facts))
        try await camera.supervised { clock in
            try await camera.until("a connection with facts", clock) {
                camera.connection == nil ? nil : camera.registry.camera(camera.camera.id)?.facts
            }
            camera.registry.update(
                camera.camera.id, operation: CameraOperationProgress(kind: row.kind, state: row.state))
            try await camera.reconnect(clock)
            #expect(camera.conditionBoard.current.map(\.code) == (row.isOpen ? ["shutter-open"] : []))
            let sentence = "The shutter of left may be open: a long exposure could not be ended."
            #expect(camera.conditionBoard.current.allSatisfy { $0.sentence == sentence })
        }
    }

    /// The shutter of a USB camera may be open when the camera is unplugged and its supervision ends.
    @Test func `reports an open shutter of a camera that was unplugged`() async throws {
        let camera = try SupervisedCamera(.init())
        try await camera.supervised { clock in
            try await camera.until("a connection", clock) { camera.connection }
            camera.registry.update(
                camera.camera.id, operation: CameraOperationProgress(kind: .bulb, state: .running))
        }
        camera.conditionBoard.clearDeparted(camera.camera.id)
        #expect(camera.conditionBoard.current.map(\.code) == ["shutter-open"])
    }
}
