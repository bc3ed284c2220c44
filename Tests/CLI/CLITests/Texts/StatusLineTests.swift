import APIClient
import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

@testable import FrameFastCLI

@Suite struct StatusLineTests {
    private static func changed(_ change: (inout StatusReply) -> Void) -> StatusReply {
        var status = Samples.status
        change(&status)
        return status
    }

    private static func line(_ status: StatusReply) -> String { StatusLine.view(status).plain().joined() }

    private static func camera(_ name: String, _ state: CameraReply.State) -> CameraReply {
        CameraReply(id: CameraID(rawValue: name), name: name, state: state)
    }

    @Test(arguments: [
        (Samples.status, "studio-a: ready, Bangkok Wedding, 212 shots"),
        (changed { $0.session = nil }, "studio-a: ready, 212 today"),
        (changed { $0.cameras = [] }, "FrameFast: no camera, Bangkok Wedding, 212 shots"),
        (changed { $0.cameras.append(camera("b", .ready)) }, "2 cameras: ready, Bangkok Wedding, 212 shots"),
        (
            changed { $0.cameras.append(camera("b", .inUse)) }, "b: in use, Bangkok Wedding, 212 shots"
        ),
        (
            changed { $0.uploads = UploadStatisticsReply(held: 2, queued: 3, uploading: 1, failed: 1) },
            "studio-a: ready, Bangkok Wedding, 212 shots, 4 to upload, 2 held, 1 failed"
        ),
        (
            changed { $0.conditions = [Samples.condition] },
            "warning: disk nearly full, Bangkok Wedding, 212 shots"
        ),
        (changed { $0.state = .starting }, "studio-a: starting, Bangkok Wedding, 212 shots"),
        (changed { $0.cameras[0].isIgnored = true }, "FrameFast: no camera, Bangkok Wedding, 212 shots"),
    ])
    func `the status line shows the most important facts`(status: StatusReply, line: String) {
        #expect(Self.line(status) == line)
    }

    // Regression test: the line about one unavailable destination had 198 cells and named the destination
    // three times.
    @Test(arguments: StatusBarFormat.allCases, [8, 30, StatusBarEncoder.widthDefault])
    func `a status line fits its width and names its subject once`(format: StatusBarFormat, width: Int) {
        let status = Self.changed { status in
            status.cameras.append(Self.camera("b", .ready))
            status.session?.name = "The long wedding of Søren and 山田さん in Bangkok"
            status.uploads = UploadStatisticsReply(queued: 18)
            status.conditions = [
                ConditionReply(
                    code: "destination-away", severity: .warning, since: Samples.time, about: .destination,
                    subject: "cloud", name: "cloud", short: "cloud unavailable",
                    sentence:
                        "The destination cloud is unavailable: the server does not accept SSH connections.")
            ]
        }
        for line in StatusBarEncoder(format, width: width).lines(StatusLine.view(status)) {
            let text = Self.text(line)
            #expect(Cells.width(text) <= width, "\(text)")
            #expect(text.components(separatedBy: "cloud").count <= 2, "\(text)")
        }
        let full = StatusBarEncoder(.tmux).lines(StatusLine.view(status))[0]
        #expect(full == "#[fg=colour214]▲#[default] #[bold]cloud unavailable#[default] · 18 to upload")
    }

    /// Returns the visible text of a line.
    private static func text(_ line: String) -> String {
        let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        let text = object?["full_text"] as? String ?? object?["text"] as? String ?? line
        return text.replacing(#/#\[[^\]]*\]|%\{[^}]*\}|<\/?b>/#, with: "")
    }

    @Test func `transfer progress does not change the status line`() {
        let one = Self.changed { $0.cameras[0].state = .downloading }
        let two = Self.changed {
            $0.cameras[0].state = .downloading
            $0.cameras[0].progress?.bytes = 9
        }
        #expect(StatusLine.view(one) == StatusLine.view(two))
    }

    @Test(arguments: StatusBarFormat.allCases, [false, true])
    func `bars without details need only the summary`(
        format: StatusBarFormat, isStream: Bool
    ) {
        let status = Self.changed { status in
            status.cameras.append(Self.camera("b", .reconnecting))
            status.uploads = UploadStatisticsReply(held: 1, queued: 2, delivered: 3)
        }
        let encoder = StatusBarEncoder(format, isStream: isStream)
        let whole = encoder.lines(StatusLine.view(status))
        #expect((whole == encoder.lines(StatusLine.view(StatusSummaryReply(status)))) == !format.showsDetails)
    }

    @Test func `the offline line has a next step in its details`() {
        let view = StatusLine.offline(ClientError.unreachable(path: "/run/f.sock", .noSocket).explanation)
        #expect(view.badge.tone == .danger)
        #expect(view.details.last?.hasPrefix("next step: Start it with") == true)
    }

    @Test(arguments: [
        ("{camera} {word}", "studio-a Ready"), ("{{{today}}}", "{212}"),
        ("{session}: {photos}", "Bangkok Wedding: 212"),
        ("{glyph}{battery} % {shots} {free}", "✓84 % 512 212.4 GB"), ("{attention}{percent}", ""), ("", ""),
        ("{rate}/min {cameras}", "12/min 1"),
        ("{camera}: {exposure}", "studio-a: 1/125 f/5.6 ISO 400 AWB RAW+J"),
    ])
    func `renders a custom template`(template: String, line: String) throws {
        let status = StatusSummaryReply(Samples.status)
        #expect(try StatusTemplate(template).text(StatusLine.view(status), status, hasUnicode: true) == line)
    }

    // An ignored camera does not count.
    @Test(arguments: [(false, "[]"), (true, "[1/125 f/5.6 ISO 400 AWB RAW+J]")])
    func `a template omits the exposure if there are several cameras`(isIgnored: Bool, line: String) throws {
        let whole = Self.changed { status in
            var second = Samples.camera
            (second.id, second.name, second.isIgnored) = ("b", "b", isIgnored)
            status.cameras.append(second)
        }
        let status = StatusSummaryReply(whole)
        let template = try StatusTemplate("[{exposure}]")
        #expect(template.text(StatusLine.view(status), status, hasUnicode: true) == line)
    }

    @Test func `a template omits unknown free space`() throws {
        var whole = Samples.status
        (whole.disk.freeBytes, whole.disk.guard) = (0, .away)
        let status = StatusSummaryReply(whole)
        let line = try StatusTemplate("[{free}]").text(StatusLine.view(status), status, hasUnicode: true)
        #expect(line == "[]")
    }

    @Test(arguments: [
        ("{nope}", "{nope} is unknown: use one of glyph, word"), ("{word", "unclosed brace"),
    ])
    func `an invalid template reports the reason`(template: String, why: String) {
        do throws(StatusTemplate.ParseError) {
            _ = try StatusTemplate(template)
            Issue.record("accepted the template")
        } catch { #expect(error.text.hasPrefix(why)) }
    }

    @Test func `applies events to the status`() {
        var status = Samples.status
        status.apply(.camera(Self.camera("b", .ready)))
        status.apply(.cameraRemoved("studio-a"))
        #expect(status.cameras.map(\.id) == ["b"])
        status.apply(.destination(Samples.destinations[0]))
        status.apply(.destination(Samples.destinations[0]))
        #expect(status.destinations == [Samples.destinations[0]])
        var statistics = status.captures
        statistics.total += 3
        status.apply(.statistics(statistics, status.disk, UploadStatisticsReply(queued: 3)))
        #expect(status.captures.total == Samples.status.captures.total + 3 && status.uploads.queued == 3)
        status.apply(.conditions([Samples.condition]))
        status.apply(.state(Word(.starting)))
        #expect(status.conditions == [Samples.condition] && status.state == .starting)
        var session = Samples.session
        session.endedAt = Samples.time
        status.apply(.session(session))
        #expect(status.session == nil)
    }

    @Test(.programs(1), arguments: Tier.rows(StatusBarFormat.allCases, gate: [.plain, .i3bar]))
    func `a status line makes one request and exits with 0`(format: StatusBarFormat) async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.conditions = [Samples.condition] }
            let run = try await ProgramRun.of([
                "status", "--format", format.rawValue, "--socket", server.socketPath,
            ])
            #expect(run.status == 0 && run.errors.isEmpty)
            #expect(run.output.contains("disk nearly full"))
            #expect(server.surface.calls == ["status"])
        }
    }

    @Test(.programs(1)) func `prints an offline line without a daemon`() async throws {
        let run = try await ProgramRun.of(["status", "--format", "plain", "--socket", "/nonexistent.sock"])
        #expect(run.status == 0 && run.output == "FrameFast: offline\n")
    }

    @Test(
        .programs(1),
        arguments: Tier.rows(
            [
                ["status", "--format", "dzen"], ["status", "--template", "{nope}"],
                ["status", "--follow", "--json"], ["status", "--format", "tmux", "--plain"],
            ], gate: 1))
    func `rejects an unknown format, template or combination`(arguments: [String]) async throws {
        let run = try await ProgramRun.of(arguments)
        #expect(run.status == 2 && run.output.isEmpty)
    }

    @Test(.programs(1)) func `with --follow, prints changed lines across daemon restarts`() async throws {
        try await TemporaryDirectory.with { directory in
            let socket = directory + "/run/f.sock"
            let follower = try PseudoTerminal(["status", "--follow", "--socket", socket])
            try await blocking { _ = try follower.waitForText("FrameFast: offline\r\n") }
            for name in ["first", "second"] {
                let server = RunningServer(socketPath: socket)
                server.surface.change { $0.status.session?.name = name }
                try await serving(server) {
                    try await blocking {
                        _ = try follower.waitForText("studio-a: ready, \(name), 212 shots\r\n")
                    }
                    var camera = Samples.camera
                    camera.batteryPercent = 12
                    // A change of the battery prints no line, because the line omits the battery.
                    server.hub.publish(.camera(camera))
                    camera.state = .reconnecting
                    server.hub.publish(.camera(camera))
                    let line = try await blocking { try follower.waitForText("\r\n") }
                    #expect(line == "studio-a: reconnecting, \(name), 212 shots")
                }
                try await blocking { _ = try follower.waitForText("FrameFast: offline\r\n") }
            }
        }
    }

    /// Runs a server until the body returns.
    private func serving(_ server: RunningServer, _ body: @Sendable () async throws -> Void) async throws {
        let (listening, continuation) = AsyncStream.makeStream(of: Void.self)
        let service = server.service(policy: .ofThisProcess(isStatusPublic: false)) { continuation.yield() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await service.run()
            }
            for await _ in listening { break }
            try await body()
            group.cancelAll()
        }
    }
}
