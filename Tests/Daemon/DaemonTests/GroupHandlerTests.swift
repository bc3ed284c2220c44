import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras
@testable import FrameFastDaemon

/// Tests of requests about groups of cameras.
@Suite(.blocking) struct GroupHandlerTests {
    private static let ring = "[[group]]\nname = \"ring\"\ncameras = [\"left\", \"right\"]\n"

    private static func bodies() -> [ScriptedService.Body] {
        [CameraHandlerTests.body(1, "left", photos: 0), CameraHandlerTests.body(2, "right", photos: 0)]
    }

    /// Reports the result of a release, as a worker does.
    private static func report(
        _ tick: IntervalTick, of body: ScriptedService.Body, to service: ScriptedService
    ) {
        guard var status = service.registry.camera(body.id) else { return }
        status.operation = CameraOperationProgress(kind: .release, state: .ended, done: 1, tick: tick)
        service.parts.groupRelease.handle(status)
    }

    @Test func `releases a group together and reports cameras without a photo`() async throws {
        let bodies = Self.bodies()
        let service = try await ScriptedService(Self.ring.replacing("[\"left\"", with: "[\"away\", \"left\""))
        try await service.running(with: bodies, photos: 0) { control in
            let reply = Mutex<GroupShotReply?>(nil)
            let shot = Task {
                let got = try await control.groups.shoot("ring", GroupShootRequest(inMs: 60_000))
                reply.withLock { $0 = got }
            }
            // A report counts only after the camera has confirmed the request. Therefore, the test repeats
            // the reports.
            let result = try await eventually("the reply") { () -> GroupShotReply? in
                Self.report(
                    IntervalTick(number: 0, outcome: .shot, latenessUs: 2_000, answerUs: 9_000),
                    of: bodies[0], to: service)
                Self.report(
                    IntervalTick(number: 0, outcome: .refused, reason: "The camera could not focus."),
                    of: bodies[1], to: service)
                return reply.withLock { $0 }
            }
            try await shot.value
            #expect(result.fired == 1 && result.spreadMs == nil)
            #expect(result.cameras == [.init(name: "left", latenessMs: 2, answerMs: 9)])
            #expect(result.missing.map(\.name) == ["away", "right"])
            #expect(result.missing.last?.reason == "The camera could not focus.")
            let times = bodies.flatMap { body in
                body.worker.begun.compactMap {
                    if case .release(let command) = $0 { command.atNs } else { nil }
                }
            }
            #expect(times.count == 2 && Set(times).count == 1)
        }
    }

    @Test func `cancels the release if too few cameras are ready`() async throws {
        let bodies = Self.bodies()
        bodies[1].worker.beginFails(
            WorkerFailure(kind: .occupied, during: "operation", text: CameraOperation.Kind.bulb.rawValue))
        try await ScriptedService(Self.ring).running(with: bodies, photos: 0) { control in
            let refusal = await #expect(throws: ControlError.self) {
                try await control.groups.shoot("ring", GroupShootRequest(inMs: 60_000, requireAll: true))
            }
            #expect(refusal?.code == .conflict)
            let message = refusal?.message ?? ""
            #expect(message.contains("1 of 2 required cameras") && message.contains("right: "), "\(message)")
            #expect(message.contains("long exposure"), "\(message)")
            // The waiting camera receives the command to stop.
            try await eventually("the stop command") { bodies[0].worker.ends > 0 ? () : nil }
            await #expect(throws: ControlError.self) { try await control.groups.shoot("rang", .init()) }
        }
    }

    @Test func `reports cameras that do not report the release within eight seconds`() async throws {
        let bodies = Self.bodies()
        let service = try await ScriptedService(Self.ring)
        try await service.running(with: bodies, photos: 0) { control in
            let (members, _) = control.groups.groups.members(of: try control.groups.groups.group("ring"))
            let clock = VirtualClock()
            let release = GroupRelease(clock: clock.hostClock)
            let shot = Task { try await release.release(members, atNs: 60_000_000_000, require: 0) }
            await clock.hasSleeper()
            clock.advance(by: .seconds(60))
            await clock.hasSleeper()
            clock.advance(by: .seconds(9))
            let result = try await shot.value
            #expect(result.fired.isEmpty && result.missing.map(\.name) == ["left", "right"])
            let reasons = Set(result.missing.map(\.reason))
            #expect(reasons == ["The camera did not report the release."])
        }
    }

    @Test func `refuses a second release while cameras wait for the first`() async throws {
        let bodies = Self.bodies()
        let service = try await ScriptedService(Self.ring)
        try await service.running(with: bodies, photos: 0) { control in
            let first = Task { try await control.groups.shoot("ring", GroupShootRequest(inMs: 60_000)) }
            try await eventually("both cameras to have the command") {
                bodies.allSatisfy { $0.worker.begun.count == 1 } ? () : nil
            }
            let refusal = await #expect(throws: ControlError.self) {
                try await control.groups.shoot("ring", GroupShootRequest(inMs: 300))
            }
            #expect(refusal?.message.contains("another group shot") == true)
            #expect(bodies.allSatisfy { $0.worker.begun.count == 1 })
            first.cancel()
            _ = await first.result
        }
    }

    @Test func `starts and stops a group's intervals together and reports missing cameras`()
        async throws
    {
        let bodies = Self.bodies()
        let cameras = "cameras = [\"left\", \"right\", \"test-t-1\", \"away\"]"
        let ring = "[[group]]\nname = \"ring\"\n\(cameras)\n"
        let service = try await ScriptedService(ring)
        try await service.running(with: bodies, photos: 0) { control in
            let request = IntervalRequest(everyMs: 1_000, count: 5)
            let begun = try await control.intervals.interval(group: "ring", request)
            #expect(begun.cameras.map(\.camera.name) == ["left", "right"])
            #expect(begun.missing.map(\.name) == ["test-t-1", "away"])
            #expect(begun.missing.first?.reason.contains("under two names") == true)
            #expect(bodies[0].worker.begun.count == 1)
            let commands = bodies.compactMap { body -> IntervalCommand? in
                if case .interval(let command) = body.worker.begun.last { command } else { nil }
            }
            #expect(commands.count == 2 && Set(commands.map(\.epochNs)).count == 1)
            // The interval of a disconnected camera stops as well.
            service.registry.setConnection(nil, of: "test-t-1")
            let stopped = try await control.operations.stop(group: "ring")
            #expect(stopped.cameras.map(\.camera.name) == ["left", "right"])
            #expect(stopped.missing.map(\.name) == ["test-t-1", "away"])
            let after = try await control.intervals.getInterval(group: "ring")
            #expect(after.cameras.map(\.state) == [.stopped, .stopped])
        }
        try await ScriptedService(ring).running(with: [], photos: 0) { control in
            let refusal = await #expect(throws: ControlError.self) {
                try await control.intervals.interval(group: "ring", IntervalRequest(everyMs: 1_000, count: 5))
            }
            #expect(refusal?.code == .conflict && refusal?.message.contains("left: ") == true)
            await #expect(throws: ControlError.self) { try await control.operations.stop(group: "rang") }
        }
    }
}
