import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

/// Tests that no intake starts while records are deleted.
@Suite struct RunningIntakesTests {
    private static let body: BodyID = "test-S1"

    private static func intake(of camera: ScriptedCamera) -> Intake {
        Intake(
            camera.context, previous: IntakeState(), timeline: { SessionTimeline() }, onListed: {})
    }

    private static func camera() async throws -> ScriptedCamera {
        try await ScriptedCamera([]) { _, _, _ in Data() }
    }

    /// Yields to other tasks often enough that each of them ends or waits for an event.
    private static func runOtherTasks() async { for _ in 0..<1_000 { await Task.yield() } }

    @Test func `an intake starts only after the deletion of records`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let (intakes, intake) = (RunningIntakes(), Self.intake(of: camera))
        let start = await intakes.withoutStarts {
            let task = Task { await intakes.start(intake, of: Self.body) }
            await Self.runOtherTasks()
            #expect(intakes[Self.body] == nil)
            return task
        }
        #expect(await start?.value == true)
        #expect(intakes[Self.body] === intake && intakes.all.count == 1)
        intakes.removeIntake(of: Self.body)
        #expect(intakes[Self.body] == nil)
    }

    @Test func `a cancelled task neither starts an intake nor deletes records`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let (intakes, intake) = (RunningIntakes(), Self.intake(of: camera))
        let results = await intakes.withoutStarts {
            let start = Task { await intakes.start(intake, of: Self.body) }
            let deletion = Task { await intakes.withoutStarts { true } }
            start.cancel()
            deletion.cancel()
            return (await start.value, await deletion.value)
        }
        #expect(results?.0 == false && results?.1 == nil && intakes[Self.body] == nil)
    }
}
