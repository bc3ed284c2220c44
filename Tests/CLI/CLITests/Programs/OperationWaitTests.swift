import APIServer
import FrameFastAPI
import SurfaceTestSupport
import TestRig
import Testing

/// `framefast bulb`, which waits for the end of what it ordered.
@Suite(.programs(1)) struct OperationWaitTests {
    /// A surface that begins an exposure, and answers with this operation afterwards.
    private static func surface(then operation: OperationReply?) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.on(\.operations.bulb) { camera, _ throws(ControlError) in
                CameraOperationReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    operation: OperationReply(kind: .bulb, state: .running))
            }
            table.on(\.operations.get) { camera throws(ControlError) in
                CameraOperationReply(camera: .init(id: "studio-a", name: "\(camera)"), operation: operation)
            }
        }
    }

    private static let failed = OperationReply(
        kind: .bulb, state: .failed, elapsedMs: 2_000,
        reason: "the connection to the camera ended while it ran")

    @Test(
        arguments: [
            ([], ["Failed", "the connection to the camera ended while it ran"]),
            (["--plain"], ["operation state: failed", "reason: the connection to the camera ended"]),
            (["--json"], [#""state":"failed""#, #""reason":"the connection to the camera ended"#]),
        ] as [([String], [String])])
    func `reports a failed exposure with its reason`(format: [String], words: [String]) async throws {
        try await RunningServer.run(surface: Self.surface(then: Self.failed)) { server in
            let run = try await ProgramRun.of(
                ["bulb", "studio-a", "60s", "--socket", server.socketPath] + format)
            #expect(run.status == 1)
            // Long lines are wrapped.
            let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for words in words { #expect(output.contains(words), "\(output)") }
        }
    }

    @Test(arguments: [[], ["--plain"], ["--json"]] as [[String]])
    func `reports an exposure that the service forgot as an error`(format: [String]) async throws {
        try await RunningServer.run(surface: Self.surface(then: nil)) { server in
            let run = try await ProgramRun.of(
                ["bulb", "studio-a", "60s", "--socket", server.socketPath] + format)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("cannot tell how the bulb of studio-a ended"), "\(run.errors)")
            #expect(run.errors.contains("framefast captures"), "\(run.errors)")
        }
    }
}
