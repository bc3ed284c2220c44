import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of hooks: the user's programs that the service runs on events.
@Suite(.serialized, .programs(2)) struct HookTests {
    /// A folder with a script for a hook, and the files (notes) that the script writes.
    private struct Notes {
        let folder: ScratchFolder
        let script: String
        let notes: String

        init(_ body: String) throws {
            folder = try ScratchFolder()
            script = folder.path("hook")
            notes = folder.path("notes")
            try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
            try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: script))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        }

        func table(_ name: String, on: String, arguments: [String], more: [String] = []) -> [String] {
            let line = ([script] + arguments).map { "\"\($0)\"" }.joined(separator: ", ")
            return ["[[hook]]", "name = \"\(name)\"", "on = \(on)", "command = [\(line)]"] + more
        }

        /// Returns the names of finished notes. A note that a script is still writing starts with a dot.
        func names() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: notes)) ?? [])
                .filter { !$0.hasPrefix(".") }.sorted()
        }

        func environment(_ name: String) throws -> [String: String] {
            let lines = try String(contentsOfFile: "\(notes)/\(name)", encoding: .utf8).split(separator: "\n")
            return Dictionary(
                lines.compactMap { line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
                }
            ) { _, last in last }
        }
    }

    /// A script that writes its environment to the note `$2` in the folder `$1`. If the note exists, the
    /// script creates the file `twice-$2` instead.
    private static let note = #"""
        env > "$1/.$2.$$" && ln "$1/.$2.$$" "$1/$2" || : > "$1/twice-$2"
        rm -f "$1/.$2.$$"
        echo "noted $2" >&2
        """#

    @Test func `runs a hook once for each saved photo that passes its filters`() async throws {
        let notes = try Notes(Self.note)
        let camera = try await Simulator(notes.folder, ["--size", "100KB", "--pairs"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: notes.table(
                "note", on: "\"saved\"", arguments: [notes.notes, "{capture}"],
                more: ["types = [\"picture\"]"]))
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        _ = try rig.client.call(\.sessions.start, .init(name: "Bangkok; $(touch PWNED) Wedding"))
        try camera.command("shoot 10")
        let pictures = try await rig.waitUntilSettled(20).filter { $0.originalName.hasSuffix(".JPG") }
        #expect(pictures.count == 10)
        let wanted = pictures.map(\.id.description).sorted()
        try await eventually("a note for each picture") { notes.names().count >= 10 ? () : nil }
        for picture in pictures {
            let facts = try notes.environment(picture.id.description)
            let path = try #require(picture.path)
            #expect(facts["FRAMEFAST_FILE"] == path)
            #expect(facts["FRAMEFAST_NAME"] == rig.relative(path))
            #expect(facts["FRAMEFAST_ORIGINAL"] == picture.originalName)
            #expect(facts["FRAMEFAST_SHA256"] == picture.sha256)
            #expect(facts["FRAMEFAST_BYTES"] == String(picture.size))
            #expect(facts["FRAMEFAST_EVENT"] == "saved" && facts["FRAMEFAST_HOOK"] == "note")
            #expect(facts["FRAMEFAST_CAMERA"] == "studio-a" && facts["FRAMEFAST_KIND"] == "picture")
            #expect(facts["FRAMEFAST_SESSION"] == "Bangkok; $(touch PWNED) Wedding")
        }
        // A script writes its note before it ends.
        try await eventually("the end of each script in the log") {
            let log = rig.log
            return wanted.allSatisfy { log.contains("said=noted \($0)") } ? () : nil
        }
        #expect(try await rig.stop() == 0)
        #expect(notes.names() == wanted)
        #expect(rig.log.contains("end=exit code 0"))
    }

    @Test func `ends a hanging hook on timeout or stop without delaying photos`() async throws {
        let notes = try Notes(
            #"echo $$ > "$1/pid-$2"; trap '' TERM; echo stuck >&2; sleep 1000 & wait; wait"#)
        let camera = try await Simulator(notes.folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: notes.table(
                "brief", on: "\"saved\"", arguments: [notes.notes, "brief-{capture}"],
                more: ["timeout = \"200 ms\""])
                + notes.table(
                    "long", on: "\"camera-ready\"", arguments: [notes.notes, "long"],
                    more: ["timeout = \"1 h\""]))
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 20")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await eventually("a run to time out, and to be logged with its output") {
            let log = rig.log
            return log.contains("end=timed out") && log.contains("said=stuck") ? () : nil
        }
        try await eventually("the long hook to run") { notes.names().contains("pid-long") ? () : nil }
        #expect(try await rig.stop() == 0)
        for name in notes.names() {
            let text = try String(contentsOfFile: "\(notes.notes)/\(name)", encoding: .utf8)
            // The file is empty if the script ended before it wrote its process id.
            guard let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                #expect(text.isEmpty)
                continue
            }
            try await eventually("\(name) to be gone") { RunningProgram.isAlive(pid) ? nil : () }
        }
    }

    @Test(.nightly("in the gate, HooksTests covers each event, and another test of this suite the service"))
    func `runs hooks for cameras, sessions, deliveries and conditions`() async throws {
        let notes = try Notes(Self.note)
        let nas = notes.folder.path("nas")
        let camera = try await Simulator(notes.folder, ["--size", "100KB"])
        let moments = """
            ["camera-ready", "camera-gone", "session-started", "session-stopped", "delivered", "failed",
            "delivered-everywhere", "destination-down", "destination-up", "attention", "resolved"]
            """
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\"",
                "[[destination]]", "name = \"script\"", "kind = \"command\"",
                "command = [\"/bin/sh\", \"-c\", \"test -e \(nas)/works\"]",
            ]
                + notes.table(
                    "note", on: moments, arguments: [notes.notes, "{event}-{capture}{code}{destination}"]))
        func waitForNote(_ name: String) async throws -> [String: String] {
            try await eventually("\(name), notes: \(notes.names())") {
                notes.names().contains(name) ? () : nil
            }
            return try notes.environment(name)
        }
        try await rig.start()
        let ready = try await waitForNote("camera-ready-{capture}{code}{destination}")
        #expect(ready["FRAMEFAST_CAMERA"] == "studio-a" && ready["FRAMEFAST_MODEL"] != nil)
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        #expect(
            try await waitForNote("session-started-{capture}{code}{destination}")["FRAMEFAST_SESSION"]
                == "Wedding")
        try camera.command("shoot")
        let photo = try #require(try await rig.waitUntilSettled(1).first)
        let delivered = try await waitForNote("delivered-\(photo.id){code}nas")
        #expect(delivered["FRAMEFAST_FILE"] == photo.path && delivered["FRAMEFAST_SESSION"] == "Wedding")
        let failed = try await waitForNote("failed-\(photo.id){code}script")
        #expect(failed["FRAMEFAST_SENTENCE"]?.contains("exit code 1") == true)
        #expect(
            try await waitForNote("attention-{capture}upload-failed{destination}")["FRAMEFAST_SUBJECT"]
                == "script")
        #expect(!notes.names().contains { $0.hasPrefix("delivered-everywhere") })
        try Data().write(to: URL(filePath: "\(nas)/works"))
        _ = try rig.client.call(\.uploads.retry, .init(all: true))
        #expect(
            try await waitForNote("delivered-everywhere-\(photo.id){code}{destination}")["FRAMEFAST_FILE"]
                == photo.path)
        _ = try await waitForNote("resolved-{capture}upload-failed{destination}")
        _ = try rig.client.call(\.sessions.stop)
        #expect(
            try await waitForNote("session-stopped-{capture}{code}{destination}")["FRAMEFAST_PHOTOS"] == "1")
        // The destination folder is moved and moved back.
        try FileManager.default.moveItem(atPath: nas, toPath: nas + ".away")
        try camera.command("shoot")
        _ = try await waitForNote("destination-down-{capture}{code}nas")
        try FileManager.default.moveItem(atPath: nas + ".away", toPath: nas)
        _ = try await waitForNote("destination-up-{capture}{code}nas")
        try camera.command("link down")
        _ = try await waitForNote("camera-gone-{capture}{code}{destination}")
        #expect(try await rig.stop() == 0)
        #expect(!notes.names().contains { $0.hasPrefix("twice-delivered") })
    }
}
