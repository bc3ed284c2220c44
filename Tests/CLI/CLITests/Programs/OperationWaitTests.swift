import APIServer
import FrameFastAPI
import SurfaceTestSupport
import TestRig
import Testing

/// Tests of verbs that wait for the end of an operation, such as `framefast bulb`.
@Suite(.programs(1)) struct OperationWaitTests {
    /// Returns a surface that starts an exposure, and then reports this operation.
    private static func surface(then operation: OperationReply?) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.handle(\.operations.bulb) { camera, _ throws(ControlError) in
                CameraOperationReply(
                    camera: .init(id: "studio-a", name: "\(camera)"),
                    operation: OperationReply(kind: .bulb, state: .running))
            }
            table.handle(\.operations.get) { camera throws(ControlError) in
                CameraOperationReply(camera: .init(id: "studio-a", name: "\(camera)"), operation: operation)
            }
        }
    }

    private static let failed = OperationReply(
        kind: .bulb, state: .failed, elapsedMs: 2_000,
        reason: "the connection to the camera was lost during the operation")

    @Test(
        arguments: [
            ([], ["Failed", "the connection to the camera was lost during the operation"]),
            (
                ["--plain"],
                [
                    "operation state: failed",
                    "reason: the connection to the camera was lost during the operation",
                ]
            ),
            (
                ["--json"],
                [
                    #""state":"failed""#,
                    #""reason":"the connection to the camera was lost during the operation"#,
                ]
            ),
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
    func `reports an exposure that the daemon no longer knows`(format: [String]) async throws {
        try await RunningServer.run(surface: Self.surface(then: nil)) { server in
            let run = try await ProgramRun.of(
                ["bulb", "studio-a", "60s", "--socket", server.socketPath] + format)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("cannot determine how the bulb of studio-a ended"), "\(run.errors)")
            #expect(run.errors.contains("framefast captures"), "\(run.errors)")
        }
    }

    private static func reply(_ camera: CameraReference, _ operation: OperationReply) -> CameraOperationReply
    {
        CameraOperationReply(camera: .init(id: "studio-a", name: "\(camera)"), operation: operation)
    }

    private static let stopped = OperationReply(
        kind: .bulb, state: .stopped, elapsedMs: 2_000, reason: "The operation was stopped.")

    @Test(arguments: [
        ["bulb", "studio-a", "60s"], ["stop", "studio-a"], ["bulb", "studio-a", "1s", "--detach"],
    ])
    func `a stopped exposure fails the bulb verb but not the stop verb`(
        arguments: [String]
    ) async throws {
        let surface = ScriptedControlSurface { table in
            table.handle(\.operations.bulb) { camera, _ throws(ControlError) in
                Self.reply(camera, OperationReply(kind: .bulb, state: .running))
            }
            table.handle(\.operations.stop) { camera throws(ControlError) in Self.reply(camera, Self.stopped)
            }
            table.handle(\.operations.get) { camera throws(ControlError) in Self.reply(camera, Self.stopped) }
        }
        try await RunningServer.run(surface: surface) { server in
            let run = try await ProgramRun.of(arguments + ["--socket", server.socketPath])
            let isCutOff = arguments[0] == "bulb" && !arguments.contains("--detach")
            #expect(run.status == (isCutOff ? 1 : 0), "\(run.output)")
            #expect(!run.output.contains("Done"))
            if isCutOff { #expect(run.output.contains("The operation was stopped."), "\(run.output)") }
        }
    }

    /// Verbs, and the operations that they start. Not all photos of these operations were announced.
    private static let unproven: [(arguments: [String], operation: OperationReply)] = [
        (
            ["bulb", "studio-a", "1s"],
            OperationReply(kind: .bulb, state: .failed, total: 1, reason: "no photo was announced")
        ),
        (
            ["bracket", "studio-a", "--ev", "-1,0,1"],
            OperationReply(
                kind: .bracket, state: .failed, done: 2, total: 3,
                reason: "only 2 of 3 photos were announced")
        ),
        (
            ["stack", "studio-a", "--count", "4"],
            OperationReply(kind: .focusStack, state: .failed, total: 4, reason: "no photo was announced")
        ),
        (
            ["movie", "studio-a", "1s"],
            OperationReply(kind: .movie, state: .failed, total: 1, reason: "no photo was announced")
        ),
        // A movie without a duration, stopped by a person.
        (
            ["movie", "studio-a"],
            OperationReply(kind: .movie, state: .failed, total: 1, reason: "no photo was announced")
        ),
        // An operation in the state `ended` also fails if photos are missing.
        (["movie", "studio-a", "1s"], OperationReply(kind: .movie, state: .ended, total: 1)),
        (
            ["bracket", "studio-a", "--ev", "-1,0,1"],
            OperationReply(kind: .bracket, state: .ended, done: 2, total: 3)
        ),
    ]

    /// Returns a surface on which each verb starts this operation. The operation has already ended.
    private static func surface(of operation: OperationReply) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.handle(\.operations.bulb) { camera, _ throws(ControlError) in Self.reply(camera, operation)
            }
            table.handle(\.operations.bracket) { camera, _ throws(ControlError) in
                Self.reply(camera, operation)
            }
            table.handle(\.operations.stack) { camera, _ throws(ControlError) in Self.reply(camera, operation)
            }
            table.handle(\.operations.movie) { camera, _ throws(ControlError) in Self.reply(camera, operation)
            }
            table.handle(\.operations.get) { camera throws(ControlError) in Self.reply(camera, operation) }
        }
    }

    @Test(arguments: unproven)
    func `an operation with missing photos fails and shows the reason`(
        arguments: [String], operation: OperationReply
    ) async throws {
        try await RunningServer.run(surface: Self.surface(of: operation)) { server in
            for format in [[], ["--plain"], ["--json"]] as [[String]] {
                let run = try await ProgramRun.of(arguments + ["--socket", server.socketPath] + format)
                #expect(run.status == 1, "\(run.output)")
                // Long lines are wrapped.
                let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(!output.contains("Done"), "\(output)")
                if let reason = operation.reason { #expect(output.contains(reason), "\(output)") }
            }
        }
    }

    /// Operations whose photos were announced.
    private static let proven: [(arguments: [String], operation: OperationReply)] = [
        (
            ["bracket", "studio-a", "--ev", "-1,0,1"],
            OperationReply(kind: .bracket, state: .ended, done: 3, total: 3)
        ),
        (
            ["stack", "studio-a", "--count", "4"],
            OperationReply(kind: .focusStack, state: .ended, done: 4, total: 4)
        ),
        (["movie", "studio-a", "1s"], OperationReply(kind: .movie, state: .ended, done: 1, total: 1)),
        (
            ["movie", "studio-a"],
            OperationReply(
                kind: .movie, state: .stopped, done: 1, total: 1, reason: "The operation was stopped.")
        ),
    ]

    @Test(arguments: proven)
    func `an operation succeeds if all its photos were announced`(
        arguments: [String], operation: OperationReply
    ) async throws {
        try await RunningServer.run(surface: Self.surface(of: operation)) { server in
            for format in [[], ["--plain"], ["--json"]] as [[String]] {
                let run = try await ProgramRun.of(arguments + ["--socket", server.socketPath] + format)
                #expect(run.status == 0, "\(run.output)")
                if format == [], operation.state == .ended { #expect(run.output.contains("Done")) }
            }
        }
    }

    /// Intervals with 6 photos. Each row contains the state, the number of photos taken, the reason, a word
    /// of the output, and the exit status.
    private static let intervals: [(OperationReply.State, Int, String?, String, Int32)] = [
        (.ended, 6, nil, "Done", 0), (.ended, 2, "incomplete: 2 of 6 photos were taken", "Incomplete", 1),
        (.ended, 0, "incomplete: 0 of 6 photos were taken", "Incomplete", 1),
        (.stopped, 2, "the interval was stopped", "Stopped", 1),
        (.failed, 2, "its card is full", "Failed", 1),
    ]

    @Test(arguments: intervals)
    func `an interval succeeds only if all photos were taken`(
        state: OperationReply.State, shot: Int, reason: String?, word: String, status: Int32
    ) async throws {
        let reply = IntervalReply(
            camera: .init(id: "studio-a", name: "studio-a"), state: state, everyMs: 1_000, count: 6, past: 6,
            shot: shot, missed: shot < 6 ? [.init(first: shot + 1, last: 6)] : [], refused: [], latestMs: 1,
            reason: reason)
        let surface = ScriptedControlSurface { table in
            table.handle(\.operations.interval) { _, _ throws(ControlError) in reply }
            table.handle(\.operations.getInterval) { _ throws(ControlError) in reply }
        }
        try await RunningServer.run(surface: surface) { server in
            for format in [[], ["--plain"], ["--json"]] as [[String]] {
                let run = try await ProgramRun.of(
                    ["interval", "studio-a", "--every", "1s", "--count", "6", "--socket", server.socketPath]
                        + format)
                #expect(run.status == status)
                // Long lines are wrapped.
                let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                if format == [] { #expect(output.contains(word), "\(output)") }
                if let reason { #expect(output.contains(reason), "\(output)") }
            }
            // Showing an old interval exits with 1 only if the interval failed.
            let shown = try await ProgramRun.of(["interval", "studio-a", "--socket", server.socketPath])
            #expect(shown.status == (state == .failed ? 1 : 0), "\(shown.output)")
        }
    }

    @Test(arguments: [OperationReply.State.ended, .stopped])
    func `an interval with a refused setting fails and shows the reason`(
        state: OperationReply.State
    ) async throws {
        let refusal = "The camera does not accept this value right now."
        let failed = IntervalReply.FailedSettings(
            count: 2, photo: 4, key: "iso", asked: "800", reason: refusal)
        let reply = IntervalReply(
            camera: .init(id: "studio-a", name: "studio-a"), state: state, everyMs: 1_000, count: 6, past: 6,
            shot: 6, missed: [], refused: [], latestMs: 1, failedSettings: failed,
            reason: state == .ended
                ? "2 settings were not changed, first iso=800 for photo 4: \(refusal)"
                : "the interval was stopped")
        let surface = ScriptedControlSurface { table in
            table.handle(\.operations.interval) { _, _ throws(ControlError) in reply }
        }
        try await RunningServer.run(surface: surface) { server in
            for format in [[], ["--plain"], ["--json"]] as [[String]] {
                let run = try await ProgramRun.of(
                    ["interval", "studio-a", "--every", "1s", "--count", "6", "--socket", server.socketPath]
                        + format)
                #expect(run.status == 1)
                // Long lines are wrapped.
                let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(output.ranges(of: refusal).count == (format == [] || state == .stopped ? 1 : 2))
                if format == ["--json"] {
                    #expect(output.contains(#""failed_settings":{"asked":"800","count":2,"key":"iso""#))
                } else {
                    #expect(output.contains("iso=800 for photo 4"), "\(output)")
                }
                if format == [] {
                    #expect(output.contains(state == .ended ? "Incomplete" : "Not set"), "\(output)")
                }
            }
        }
    }

    @Test(arguments: [[], [.init(name: "c1", reason: "camera 'c1' is not connected")]] as [[MissingCamera]])
    func `a group interval fails if a camera did not start`(
        missing: [MissingCamera]
    ) async throws {
        let camera = IntervalReply(
            camera: .init(id: "c0", name: "c0"), state: .ended, everyMs: 1_000, count: 6, past: 6, shot: 6,
            missed: [], refused: [], latestMs: 1, reason: nil)
        let reply = GroupIntervalReply(group: "ring", cameras: [camera], missing: missing)
        let surface = ScriptedControlSurface { table in
            table.handle(\.groups.interval) { _, _ throws(ControlError) in reply }
            table.handle(\.groups.getInterval) { _ throws(ControlError) in reply }
        }
        try await RunningServer.run(surface: surface) { server in
            let show = ["interval", "--group", "ring", "--socket", server.socketPath]
            let ordered = try await ProgramRun.of(show + ["--every", "1s", "--count", "6"])
            #expect(ordered.status == (missing.isEmpty ? 0 : 1), "\(ordered.output)")
            #expect(try await ProgramRun.of(show).status == 0)
        }
    }
}
