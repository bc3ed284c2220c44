import Cameras
import CaptureEngine
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of conditions that need the whole service, and of their next steps.
@Suite(.blocking) struct ServiceAdviceTests {
    /// Returns the condition of a kind, or `nil` if it is not raised.
    private static func condition(_ kind: ConditionKind, of service: ScriptedService) -> Condition? {
        service.parts.conditionBoard.current.first { $0.kind == kind }
    }

    private static func waitForEnd(_ kind: ConditionKind, of service: ScriptedService) async throws {
        try await eventually("\(kind.rawValue) to end") { condition(kind, of: service) == nil ? () : nil }
    }

    @Test func `raises a condition while two cameras share a serial number`() async throws {
        let (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0, serial: "4711"),
            CameraHandlerTests.body(2, "right", photos: 0, serial: "4711")
        )
        let service = try await ScriptedService()
        func identities() -> [BodyID?] {
            [left, right].map { service.parts.engine.identity(ofCamera: $0.id) }
        }
        try await service.running(with: [left, right], photos: 0) { _ in
            let condition = try await eventually("the condition") {
                Self.condition(.serialShared, of: service)
            }
            #expect(condition.sentence.contains("the same serial number, 4711"), "\(condition.sentence)")
            #expect(condition.nextStep.contains("Keep each camera on its port"))
            let before = identities()
            await service.disconnect(right)
            try await Self.waitForEnd(.serialShared, of: service)
            // The service does not swap the cameras, because each camera is on its own port.
            await service.disconnect(left)
            for body in [right, left] { try service.connect(body) }
            try await eventually("the same identities") { identities() == before ? () : nil }
            #expect(Set(before).count == 2)
            try await eventually("the condition") { Self.condition(.serialShared, of: service) }
            await service.disconnect(right)
            try await Self.waitForEnd(.serialShared, of: service)
        }
    }

    @Test func `ends the clock condition when the computer's clock is set`() async throws {
        let error = Mutex(0.0)
        var clock = HostClock.system
        clock.now = { Date().addingTimeInterval(error.withLock(\.self)) }
        let service = try await ScriptedService(clock: clock)
        let body = CameraHandlerTests.body(1, "left", photos: 1)
        try await service.running(with: [body], photos: 1) { control in
            // The computer starts without a clock battery and without a network.
            error.withLock { $0 = -400 * 86_400 }
            // A short watchdog interval shortens the time between two checks.
            let reporter = StatusReporter(
                service.parts, service: control.service,
                notifier: ServiceNotifier(environment: ["WATCHDOG_USEC": "20000"]))
            let reports = Task { try await reporter.run() }
            defer { reports.cancel() }
            let condition = try await eventually("the condition") {
                Self.condition(.clockBehind, of: service)
            }
            #expect(condition.nextStep.contains("Set the clock, for example"), "\(condition.nextStep)")
            error.withLock { $0 = 0 }
            try await Self.waitForEnd(.clockBehind, of: service)
        }
    }
}
