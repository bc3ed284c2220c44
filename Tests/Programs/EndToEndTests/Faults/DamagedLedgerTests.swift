import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of a ledger that is missing or was damaged in a power failure.
@Suite(.serialized, .programs(2)) struct DamagedLedgerTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Damages the bytes of the file, or `nil` to remove the file.
        var apply: (@Sendable (_ bytes: inout Data) -> Void)?

        /// Damages or removes the ledger at this path.
        func apply(to path: String) throws {
            guard let apply else { return try FileManager.default.removeItem(atPath: path) }
            var bytes = try Data(contentsOf: URL(filePath: path))
            apply(&bytes)
            try bytes.write(to: URL(filePath: path))
        }
    }

    static let damages = [
        Damage(testDescription: "half of the file") { $0 = $0.prefix($0.count / 2) },
        Damage(testDescription: "header") { $0.replaceSubrange(0..<100, with: Data(count: 100)) },
        Damage(testDescription: "removed while stopped", apply: nil),
        Damage(testDescription: "pages") {
            $0.replaceSubrange(4_096..<($0.count - 4_096), with: Data(count: $0.count - 8_192))
        },
        Damage(testDescription: "no database") { $0 = Data("not a database".utf8) },
    ]

    /// Writes the pages of the write-ahead log into the ledger. Damage to the file then affects all pages.
    private static func mergeLog(of path: String) throws {
        let script = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
            """
        let python = try Process.run(URL(filePath: "/usr/bin/python3"), arguments: ["-c", script, path])
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Runs `framefastd --diagnose` on the ledger of a rig whose service is stopped.
    private static func diagnosis(_ rig: DaemonRig) async throws -> DiagnosisReply.Check {
        let run = try await RunningProgram.run(
            Programs.path("framefastd"),
            [
                "--diagnose", "--config", rig.folder.path("framefast.toml"), "--state-dir",
                rig.folder.path("state"), "--socket", rig.socket,
            ], in: rig.folder)
        let line = try #require(
            run.output.split(separator: "\n").first { $0.hasPrefix("{") }, "\(run.output)")
        let reply = try WireCoder.decode(DiagnosisReply.self, from: Data(line.utf8))
        return try #require(reply.checks.first { $0.id == "state" })
    }

    @Test(arguments: Tier.rows(damages, gate: 3))
    func `replaces a damaged ledger and rebuilds its records from the photos`(damage: Damage) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let sent = folder.path("nas")
        try #require(UploadServer.Kind.keyed.obstacle == nil, "\(UploadServer.Kind.keyed.obstacle ?? "")")
        let server = try await UploadServer(.keyed)
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: server.table + [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(sent)\"",
            ])
        rig.expectedErrors = ["condition=ledger-replaced"]
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 5")
        let before = try await rig.waitUntil("five saved photos") { snapshot in
            try snapshot.status.captures.total == 5 && snapshot.status.uploads.delivered == 10
                ? snapshot.files : nil
        }
        try await rig.stop()
        let path = rig.folder.path("state/ledger.sqlite")
        try Self.mergeLog(of: path)
        let sound = try await Self.diagnosis(rig)
        #expect(sound.verdict != .danger, "\(sound.sentence)")
        try damage.apply(to: path)
        let found = try await Self.diagnosis(rig)
        let isDamaged = damage.apply != nil
        #expect(found.sentence.contains("is damaged") == isDamaged, "\(found.sentence)")
        if isDamaged {
            #expect(found.verdict == .danger)
            #expect(found.steps.first?.hasPrefix("Start the service") == true)
        }
        // Removes the files that SQLite left next to the database when the diagnosis read it.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }

        try await rig.start()
        let after = try await rig.waitUntil("the camera to be ready again") { snapshot in
            let status = try snapshot.status
            return status.cameras.first?.state == .ready && status.captures.total == 5
        }
        let status = try after.status
        let replaced = status.conditions.filter { $0.code == "ledger-replaced" }
        #expect(replaced.count == (isDamaged ? 1 : 0))
        if let replaced = replaced.first {
            #expect(replaced.sentence.contains("was moved to"))
            #expect(replaced.nextStep?.hasPrefix("Connect the cameras") == true)
            #expect(
                replaced.nextStep?.hasSuffix("This message clears at the next start of the service.") == true)
        }
        let files = try after.files
        #expect(files == before, "[loss] photos are duplicated or missing")
        let state = try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("state"))
        #expect(state.contains { $0.hasPrefix("ledger.damaged-") } == isDamaged)
        try camera.command("shoot")
        try await rig.waitUntilSaved(6)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let names = try await rig.waitUntil("the new photo at the destination") { _ in
            let names = try FileManager.default.subpathsOfDirectory(atPath: sent).filter {
                $0.hasSuffix(".jpg")
            }
            return names.count >= 6 ? names : nil
        }
        #expect(names.count == 6, "[loss] delivered twice")
        let sums = try camera.truth().map(\.sha256).sorted()
        try await eventually("the new photo at the server") {
            try await Set(server.sums()).isSuperset(of: sums) ? () : nil
        }
        #expect(try await server.sums() == sums, "[loss] wrong photos at the server")
        try await rig.stop()
        try await rig.start()
        let next = try await rig.waitUntil("the camera after the next start") { snapshot -> Bool in
            try snapshot.status.cameras.first?.state == .ready
        }
        #expect(try !next.status.says("ledger-replaced"))
        #expect(try next.files.count == 6, "[loss] photos are duplicated or missing")
        #expect(try await rig.stop() == 0)
    }

    @Test(arguments: Tier.rows([damages[2], damages[4]], gate: 1))
    func `recognizes saved photos at the second start after a lost ledger`(damage: Damage) async throws {
        let folder = try ScratchFolder()
        let first = try await Simulator(
            folder, name: "first", ["--size", "50KB", "--serial", "A1", "--seed", "1"])
        let second = try await Simulator(
            folder, name: "second", ["--size", "50KB", "--serial", "B2", "--seed", "2"])
        let sent = folder.path("nas")
        let rig = try DaemonRig(
            cameras: [("a", first.address), ("b", second.address)],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(sent)\""])
        try await rig.start()
        try await rig.status("both cameras to be ready") { status in
            status.cameras.count == 2 && status.cameras.allSatisfy { $0.state == .ready }
        }
        try first.command("shoot 3")
        try second.command("shoot 3")
        let before = try await rig.waitUntil("six photos to be delivered") { snapshot in
            try snapshot.status.captures.total == 6 && snapshot.status.uploads.delivered == 6
                ? snapshot.files : nil
        }
        try await rig.stop()
        let path = rig.folder.path("state/ledger.sqlite")
        try Self.mergeLog(of: path)
        try damage.apply(to: path)
        // Starts the service twice before the second camera reconnects.
        try rig.configure(cameras: [("a", first.address)])
        try await rig.start()
        try await rig.status("the first camera's photos to be delivered") {
            $0.captures.total == 3 && $0.uploads.delivered == 3
        }
        try await rig.stop()
        try rig.configure(cameras: [("a", first.address), ("b", second.address)])
        try await rig.start()
        let after = try await rig.waitUntil("all photos to be delivered") { snapshot -> Bool in
            try snapshot.status.captures.total == 6 && snapshot.status.uploads.delivered == 6
        }
        #expect(try after.files == before, "[loss] photos are duplicated or missing")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sent).filter { $0.hasSuffix(".jpg") }
        #expect(names.count == 6, "[loss] delivered twice")
        #expect(try await rig.stop() == 0)
    }
}
