import FrameFastAPI
import TestRig
import Testing

@testable import APIServer
@testable import FrameFastDaemon

/// Tests of the example names for a template, and of a suggested next step.
@Suite(.blocking) struct NextStepTests {
    @Test func `lists three names for a template with a counter, otherwise one`() async throws {
        let service = try await ScriptedService()
        for (template, count) in [("{camera}.{ext}", 1), ("{camera}-{counter:03}.{ext}", 3)] {
            let reply = try await service.control.templates.test(.init(template: template))
            #expect(reply.names.count == count && Set(reply.names).count == count, "\(reply.names)")
        }
    }

    @Test func `the error for an unknown destination suggests a reload`() async throws {
        let service = try await ScriptedService()
        var step = ""
        do throws(ControlError) {
            _ = try await service.control.destinations.test("nas")
        } catch { step = error.nextStep ?? "" }
        #expect(step.contains("'framefast destinations'") && step.contains("systemctl reload framefastd"))
        #expect(!step.contains("session"))
    }
}
