import APIClient
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

@testable import FrameFastCLI

@Suite struct DoctorTests {
    @Test(.programs(1), arguments: Tier.rows([[], ["--json"], ["--plain"]], gate: 1))
    func `doctor prints problems first and exits with 4`(flags: [String]) async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(["doctor", "--socket", server.socketPath] + flags)
            #expect(run.status == 4, "\(run.errors)")
            let problem = try #require(run.output.range(of: "udev"))
            let well = try #require(run.output.range(of: "212.4 GB"))
            #expect(problem.lowerBound < well.lowerBound)
        }
    }

    @Test(.programs(1)) func `doctor reports only the version difference of a healthy daemon`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.diagnosis.checks.removeFirst() }
            let run = try await ProgramRun.of(["doctor", "--json", "--socket", server.socketPath])
            let reply = try WireCoder.decode(DiagnosisReply.self, from: Data(run.output.utf8))
            let problems = reply.checks.filter {
                $0.id != "service" && ($0.verdict == .warning || $0.verdict == .danger)
            }
            // The scripted daemon reports a version that differs from this program's.
            #expect(problems.map(\.id) == ["version"])
            #expect(!DiagnosisView(reply.checks.filter { $0.verdict == .ok }, json: Data()).needsAttention)
        }
    }

    @Test(.programs(1)) func `doctor reports a missing daemon with steps`() async throws {
        let run = try await ProgramRun.of(["doctor", "--plain", "--socket", "/nonexistent.sock"])
        #expect(run.status == 4)
        #expect(run.output.hasPrefix("error: "))
        #expect(run.output.contains("step 1: Start it with `"))
    }

    @Test func `shows the steps of a note below its sentence`() {
        let checks = [
            DiagnosisReply.Check(
                id: "libgphoto2-eos-busy", title: "studio-a", verdict: .info, sentence: "It shows BUSY.",
                steps: ["Turn it off.", "Turn it on."]),
            DiagnosisReply.Check(id: "disk", title: "Disk", verdict: .ok, sentence: "212.4 GB are free."),
        ]
        let style = Style(depth: .plain, hasUnicode: false, columns: 80)
        let lines = DiagnosisView(checks, json: Data()).human(style)
        let note = lines.firstIndex { $0.contains("It shows BUSY.") } ?? 0
        let column = lines[note].range(of: "It shows").map { lines[note][..<$0.lowerBound].count }
        for (offset, step) in ["1. Turn it off.", "2. Turn it on."].enumerated() {
            let line = lines[note + 1 + offset]
            #expect(line.trimmingCharacters(in: .whitespaces) == step)
            #expect(line.range(of: step).map { line[..<$0.lowerBound].count } == column)
        }
        #expect(lines.last?.contains("212.4 GB are free.") == true)
    }

    private func facts(
        _ failure: ClientError?, _ membership: ClientChecks.Membership = .notMember, isRoot: Bool = false,
        isServiceUser: Bool = false, isUserUnit: Bool = false, unit: [String: String]? = nil
    ) -> ClientChecks.Facts {
        .init(
            socketPath: "/s", failure: failure, ownVersion: "1", daemonVersion: nil, membership: membership,
            isRoot: isRoot, isServiceUser: isServiceUser, isUserUnit: isUserUnit, unit: unit,
            hasOfflineDiagnosis: false)
    }

    private static let noPermission = ClientError.noPermission(path: "/s")
    private static let refused = ClientError.refused(.init(code: .forbidden, message: "cannot"))

    @Test(
        arguments: [
            (noPermission, .notMember, "usermod -aG framefast"),
            (refused, .notMember, "usermod -aG framefast"),
            (noPermission, .needsNewLogin, "Log out and log in again"),
            (refused, .active, "journalctl -u framefastd"),
            (noPermission, .noGroup, "Install the package"),
            (.unreachable(path: "/s", .noSocket), .notMember, "`sudo systemctl start framefastd`"),
            (.unreachable(path: "/s", .noListener), .notMember, "`sudo systemctl restart framefastd`"),
            (.timedOut, .notMember, "journalctl"), (.invalidResponse("x"), .notMember, "same version"),
        ] as [(ClientError, ClientChecks.Membership, String)])
    func `suggests a fix for each connection failure`(
        failure: ClientError, membership: ClientChecks.Membership, fix: String
    ) {
        let checks = ClientChecks(facts: facts(failure, membership)).checks
        #expect(checks.contains { $0.verdict == .danger && $0.steps.joined().contains(fix) })
    }

    @Test func `gives a refused user the same step in commands, doctor and documents`() throws {
        let step = AccessAdvice.step
        #expect(step.hasSuffix("`sudo usermod -aG framefast $USER`"))
        #expect(Self.noPermission.explanation.nextStep == step)
        for failure in [Self.noPermission, Self.refused, nil] {
            let access = try #require(
                ClientChecks(facts: facts(failure)).checks.first { $0.id == "access" })
            #expect(access.steps.first == step)
        }
        #expect(try DocumentFile("docs/troubleshooting.md").text().contains(step))
    }

    @Test(
        arguments: [
            (ClientChecks.Membership.active, false, false, "ok"), (.notMember, true, false, "ok"),
            (.notMember, false, true, "ok"), (.notMember, false, false, "info"),
            (.needsNewLogin, false, false, "info"),
        ])
    func `distinguishes full control from read-only access`(
        membership: ClientChecks.Membership, isRoot: Bool, isServiceUser: Bool, verdict: String
    ) throws {
        let found = facts(nil, membership, isRoot: isRoot, isServiceUser: isServiceUser)
        let access = try #require(ClientChecks(facts: found).checks.first { $0.id == "access" })
        #expect(access.$verdict.text == verdict)
        #expect(access.sentence.contains("has read-only access") == (verdict == "info"))
    }

    @Test(arguments: [noPermission, refused])
    func `reports a permission error only as an access problem`(failure: ClientError) throws {
        let checks = ClientChecks(facts: facts(failure)).checks
        #expect(checks.filter { $0.verdict == .danger || $0.verdict == .warning }.map(\.id) == ["access"])
        let diagnosis = try #require(checks.first { $0.id == "diagnosis" })
        #expect(diagnosis.sentence.contains("sudo framefast doctor"))
    }

    @Test func `suggests commands that fit the user service, the system service and root`() {
        let unit = ["LoadState": "loaded", "ActiveState": "failed", "Result": "exit-code"]
        let steps = { (facts: ClientChecks.Facts) in
            ClientChecks(facts: facts).checks.flatMap(\.steps).joined(separator: "; ")
        }
        let away = ClientError.unreachable(path: "/s", .noSocket)
        let own = steps(facts(away, isUserUnit: true, unit: unit))
        #expect(own.contains("`systemctl --user start framefastd`") && own.contains("journalctl --user"))
        #expect(!own.contains("sudo"))
        #expect(!steps(facts(away, isRoot: true, unit: unit)).contains("sudo"))
        #expect(steps(facts(away, unit: unit)).contains("`sudo systemctl restart framefastd`"))
    }

    @Test(
        arguments: [
            (["LoadState": "loaded", "ActiveState": "active", "NRestarts": "0"], "ok"),
            (["LoadState": "loaded", "ActiveState": "active", "NRestarts": "3"], "warning"),
            (["LoadState": "loaded", "ActiveState": "failed", "Result": "exit-code"], "danger"),
            (["LoadState": "loaded", "ActiveState": "inactive"], "danger"),
            (["LoadState": "masked", "ActiveState": "inactive"], "danger"),
            (["LoadState": "not-found"], "warning"),
        ] as [([String: String], String)])
    func `rates each state of the systemd unit`(unit: [String: String], verdict: String) {
        let checks = ClientChecks(facts: facts(.timedOut, unit: unit)).checks
        #expect(checks.first?.id == "service")
        #expect(checks.first?.$verdict.text == verdict)
    }

    static let secrets = """
        [api]
        socket = "/run/x.sock" # the old password was planted-1
        [[destination]]
        name = "agency" ; url = "https://bob:planted-2@ftp.example/in?sig=planted-3"
        password = "planted-4"
        api_key = 'planted-5'
        headers = { Authorization = "Bearer planted-6", accept = "x" }
        client-secret = \"\"\"
        planted-7
        planted-8
        \"\"\"
        tokens = [
          "planted-9", # planted-10
        ]
        broken line planted-free
        [destination.credentials]
        user = "planted-11"
        """

    @Test(.programs(1)) func `removes secrets from the archive and never overwrites a file`()
        async throws
    {
        try await TemporaryDirectory.with { folder in
            try await RunningServer.run { server in
                server.surface.change { script in
                    script.status.cameras[0].serial = "042012345678"
                    script.status.cameras[0].id = "canon-042012345678"
                    script.status.conditions = [
                        ConditionReply(
                            code: "upload", severity: .warning, since: Samples.time, about: .service,
                            short: "uploads failed",
                            sentence: "cannot send to https://eve:planted-12@host/: token=planted-13 is old")
                    ]
                    script.diagnosis.checks[0].sentence = "password: \"planted-14\" is wrong."
                }
                let config = folder + "/framefast.toml"
                try FileManager.default.createDirectory(
                    atPath: folder + "/conf.d", withIntermediateDirectories: true)
                try Data(Self.secrets.utf8).write(to: URL(fileURLWithPath: config))
                try Data("[upload]\nsecret = \"planted-15\"\n".utf8)
                    .write(to: URL(fileURLWithPath: folder + "/conf.d/a.toml"))
                let arguments = [
                    "doctor", "--socket", server.socketPath, "--bundle", folder + "/b.tar.gz", "--config",
                    config,
                ]
                let run = try await ProgramRun.of(arguments)
                #expect(run.status == 4, "\(run.errors)")
                let text = try await self.contents(of: folder + "/b.tar.gz")
                #expect(text.contains("agency"))
                #expect(text.contains("accept") || text.contains("Authorization"))
                #expect(text.contains("Linux "))
                #expect(!text.replacingOccurrences(of: "planted-free", with: "").contains("planted-"))
                #expect(!text.contains("042012345678"))
                #expect(text.contains("…678"))
                let mode = try FileManager.default.attributesOfItem(atPath: folder + "/b.tar.gz")[
                    .posixPermissions]
                #expect(mode as? Int == 0o600)
                let again = try await ProgramRun.of(arguments)
                #expect(again.status == 1)
                #expect(again.errors.contains("it already exists"))
            }
        }
    }

    @Test(.programs(1), .enabled(if: geteuid() == 0, "needs root, like a run with sudo"))
    func `gives the archive to the user who ran sudo`() async throws {
        try await TemporaryDirectory.with { folder in
            try await RunningServer.run { server in
                let path = folder + "/b.tar.gz"
                let run = try await ProgramRun.of(
                    ["doctor", "--socket", server.socketPath, "--bundle", path],
                    wrapper: ["/usr/bin/env", "SUDO_UID=4001", "SUDO_GID=4002"])
                #expect(run.status == 4, "\(run.errors)")
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                #expect(facts[.ownerAccountID] as? Int == 4001)
                #expect(facts[.groupOwnerAccountID] as? Int == 4002)
                #expect(facts[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test(.programs(1), .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `writes no archive if the disk of its temporary files is full`() async throws {
        try await TemporaryDirectory.with { folder in
            try await RunningServer.run { server in
                let disk = try SmallDisk(folder + "/full", options: "size=64k")
                try disk.fill()
                let path = folder + "/b.tar.gz"
                let run = try await ProgramRun.of(
                    ["doctor", "--socket", server.socketPath, "--bundle", path],
                    wrapper: ["/usr/bin/env", "TMPDIR=\(disk.path)"])
                #expect(run.status == 1)
                #expect(run.errors.contains("No space left on device"), "\(run.errors)")
                #expect(!FileManager.default.fileExists(atPath: path))
                withExtendedLifetime(disk) {}
            }
        }
    }

    private func contents(of archive: String) async throws -> String {
        try await blocking {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/tar")
            process.arguments = ["-xzOf", archive]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("password=a b", "password=(removed) b"),
        ("{\"token\":\"a\\\"b\",\"x\":1}", "{\"token\":(removed),\"x\":1}"),
        ("Authorization: Basic abcdefghij", "Authorization: (removed)"),
        ("got Bearer abcdefghij", "got Bearer (removed)"),
        ("ftp://u:p/x@h/a?b=c end", "ftp://(removed)@h/a?(removed) end"),
        ("https://h/plain", "https://h/plain"), ("monitor: yes", "monitor: yes"),
        ("serial 123456789", "serial …789"),
    ])
    func `removes secrets from arbitrary text`(text: String, clean: String) {
        #expect(SecretRemover(serials: ["123456789"]).clean(text) == clean)
    }
}
