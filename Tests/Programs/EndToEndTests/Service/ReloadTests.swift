import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of SIGHUP: the service reloads the configuration while cameras are connected.
@Suite(.serialized, .programs(3)) struct ReloadTests {
    private static func folder(_ name: String, at path: String) -> [String] {
        ["[[destination]]", "name = \"\(name)\"", "kind = \"directory\"", "path = \"\(path)\""]
    }

    private static func photos(in folder: String) -> Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.count { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }
    }

    private static func times(_ words: String, in log: String) -> Int {
        log.split(separator: "\n").count { $0.hasSuffix(words) }
    }

    @Test func `adds and removes destinations, hooks and cameras without reconnecting a camera`()
        async throws
    {
        let folder = try ScratchFolder()
        let one = try await Simulator(folder, name: "one", ["--size", "50KB"])
        let two = try await Simulator(folder, name: "two", ["--size", "50KB", "--serial", "2222"])
        let (nas, spare, notes) = (folder.path("nas"), folder.path("spare"), folder.path("notes"))
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        let inbox = try DatagramInbox(folder.path("notify"))
        let rig = try DaemonRig(
            cameras: [("studio-a", one.address)], tables: Self.folder("nas", at: nas),
            environment: ["NOTIFY_SOCKET": inbox.path])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try one.command("shoot 2")
        try await rig.status("two photos to be delivered") { $0.uploads.delivered == 2 }
        let pid = rig.program?.pid

        // Adds a destination, a hook and a camera.
        try rig.configure(
            tables: Self.folder("spare", at: spare) + Self.folder("nas", at: nas) + [
                "[[hook]]", "name = \"note\"", "on = \"saved\"",
                "command = [\"/bin/sh\", \"-c\", \": > \(notes)/$FRAMEFAST_CAPTURE\"]",
                "[[camera]]", "name = \"studio-b\"", "address = \"\(two.address)\"",
            ])
        rig.program?.signal(SIGHUP)
        try await rig.status("the new destination and camera") {
            $0.destinations.map(\.name) == ["spare", "nas"]
                && $0.cameras.filter { $0.state == .ready }.map(\.name).sorted() == ["studio-a", "studio-b"]
        }
        try one.command("shoot 2")
        try two.command("shoot")
        try await rig.status("five photos at the old destination, three at the new one") {
            $0.uploads.delivered == 8 && $0.uploads.queued == 0
        }
        #expect(
            Self.photos(in: nas) == 5 && Self.photos(in: spare) == 3,
            "[loss] wrong number of delivered photos")
        try await eventually("the hook to run for each photo") {
            try FileManager.default.contentsOfDirectory(atPath: notes).count == 3 ? () : nil
        }

        // Removes the new destination, hook and camera.
        try rig.configure(tables: Self.folder("nas", at: nas))
        rig.program?.signal(SIGHUP)
        try await rig.status("one destination and one camera") {
            $0.destinations.map(\.name) == ["nas"] && $0.cameras.map(\.name) == ["studio-a"]
        }
        try one.command("shoot")
        try await rig.status("the last photo to be delivered") { $0.uploads.delivered == 6 }
        #expect(Self.photos(in: spare) == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: notes).count == 3)
        // Removes the remaining destination `nas`, and adds it again.
        try rig.configure(tables: [])
        rig.program?.signal(SIGHUP)
        try await rig.status("no destination") { $0.destinations.isEmpty }
        try rig.configure(tables: Self.folder("nas", at: nas))
        rig.program?.signal(SIGHUP)
        try await rig.status("the destination to be available") { $0.destinations.map(\.state) == [.ready] }
        try one.command("shoot")
        let last = try await rig.status("another photo to be delivered") { $0.uploads.delivered == 7 }
        // The first camera stayed connected during the whole test.
        #expect(
            rig.log.split(separator: "\n").count {
                $0.contains("camera=studio-a") && $0.hasSuffix("] connected")
            } == 1)
        #expect(rig.program?.pid == pid && rig.program?.isRunning == true)
        #expect(!last.says("configuration-needs-restart"))
        try await eventually("systemd to be notified of four reloads") {
            let notifications = inbox.texts()
            let reloads = notifications.count { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") }
            return reloads == 4 && notifications.count { $0 == "READY=1" } == 5 ? () : nil
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `keeps the running configuration and reports a faulty new one`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let nas = folder.path("nas")
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)], tables: Self.folder("nas", at: nas))
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }

        try rig.configure(tables: Self.folder("nas", at: nas) + ["[capture2]", "min_free = 1"])
        rig.program?.signal(SIGHUP)
        let bad = try await rig.status("the fault to be reported") { $0.says("configuration-faulty") }
        let condition = try #require(bad.conditions.first { $0.code == "configuration-faulty" })
        #expect(condition.sentence.contains("framefast.toml:"), "\(condition.sentence)")
        #expect(condition.sentence.contains("capture2"), "\(condition.sentence)")
        #expect(condition.nextStep?.contains("systemctl reload framefastd") == true)
        #expect(bad.destinations.map(\.name) == ["nas"])
        try camera.command("shoot")
        try await rig.status("the photo to be delivered as before") { $0.uploads.delivered == 1 }

        try rig.configure(
            tables: Self.folder("nas", at: nas) + [
                "[api]", "public_status = true", "[drivers]", "allow = [\"ptp2\", \"canon\"]", "[log]",
                "level = \"debug\"",
            ])
        rig.program?.signal(SIGHUP)
        let late = try await rig.status("the fault to end, and the needed restart to be reported") {
            !$0.says("configuration-faulty") && $0.says("configuration-needs-restart")
        }
        let rest = try #require(late.conditions.first { $0.code == "configuration-needs-restart" })
        #expect(
            rest.sentence.hasSuffix("need a restart: api.public_status, drivers.allow."), "\(rest.sentence)")
        #expect(rest.nextStep?.hasSuffix("sudo systemctl restart framefastd") == true)
        // The log level changes immediately.
        try camera.command("shoot")
        try await eventually("a debug line for the photo") { rig.log.contains("duration_ms=") ? () : nil }

        try rig.configure(tables: Self.folder("nas", at: nas))
        rig.program?.signal(SIGHUP)
        try await rig.status("the condition to end") { !$0.says("configuration-needs-restart") }
        #expect(Self.times("] connected", in: rig.log) == 1)

        // Restarts the service, as the condition's next step says.
        try rig.configure(
            tables: Self.folder("nas", at: nas) + ["[drivers]", "allow = [\"ptp2\", \"canon\"]"])
        rig.program?.signal(SIGHUP)
        try await rig.status("the needed restart to be reported") { $0.says("configuration-needs-restart") }
        #expect(try await rig.stop() == 0)
        try await rig.start()
        try await rig.status("the condition to end after the restart") {
            $0.cameras.first?.state == .ready && !$0.says("configuration-needs-restart")
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `a changed template applies without a restart or a new connection`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)

        try rig.configure(capture: ["template = \"later/{original}.{ext}\""])
        rig.program?.signal(SIGHUP)
        try await eventually("the template to be read") {
            Self.times("the configuration was reloaded", in: rig.log) == 1 ? () : nil
        }
        try camera.command("shoot")
        try await eventually("a photo named by the template") {
            Self.photos(in: rig.captures + "/later") == 1 ? () : nil
        }
        let after = try await rig.status("both photos to be saved") { $0.captures.total == 2 }
        #expect(!after.says("configuration-needs-restart") && !after.says("configuration-faulty"))
        #expect(Self.times("] connected", in: rig.log) == 1)
        #expect(try await rig.stop() == 0)
    }

    @Test(
        .nightly("in the gate, ConfigurationChangeTests covers each change, and another test adds a camera"))
    func `reconnects a camera with its new settings when its table changed`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(2)
        try rig.configure(tables: ["delete_after_save = true"])
        rig.program?.signal(SIGHUP)
        try await eventually("the camera to be connected again") {
            Self.times("] connected", in: rig.log) == 2 ? () : nil
        }
        try camera.command("shoot")
        try await rig.waitUntilSaved(3)
        try await eventually("the new photo to be deleted on the card") {
            try camera.command("stats").contains("\"files\":2,") ? () : nil
        }
        #expect(try await rig.stop() == 0)
    }
}
