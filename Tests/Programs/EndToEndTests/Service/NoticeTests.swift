import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A person is told what is wrong, by the whole programs.
@Suite(.serialized) struct NoticeTests {
    @Test(.enabled(if: PrivateBus.obstacle == nil, "needs dbus-daemon, busctl and python3-gi"))
    func
        `a destination that is down is told once by each kind, and its end once, whatever is killed between`()
        async throws
    {
        let folder = try ScratchFolder()
        let session = try await DesktopSession(folder)
        let (hook, ntfy) = (try await WebhookServer(folder, .hangs), try await WebhookServer(folder))
        let sendmail = try Script(#"cat >> "${0%/*}/mails""#)
        let photos = try Script(#"echo "$FRAMEFAST_EVENT_ID $FRAMEFAST_NAME" >> "${0%/*}/runs""#)
        defer {
            sendmail.remove()
            photos.remove()
        }
        let secret = folder.path("secret")
        try Data("key\n".utf8).write(to: URL(filePath: secret))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let port = try LoopbackPort.free()
        let only = ["delay = \"100 ms\"", "conditions = [\"destination-away\"]"]
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"http\"",
                "url = \"http://127.0.0.1:\(port)/files/{file}\"",
                "[[hook]]", "name = \"note\"", "on = \"saved\"", "command = [\"\(photos.file.path)\"]",
                "durable = true", "[[notice]]", "name = \"desk\"", "kind = \"desktop\"",
            ] + only + [
                "[[notice]]", "name = \"hook\"", "kind = \"webhook\"", "url = \"\(hook.url)\"",
                "secret_file = \"\(secret)\"",
            ] + only + ["[[notice]]", "name = \"phone\"", "kind = \"ntfy\"", "url = \"\(ntfy.url)\""] + only
                + [
                    "[[notice]]", "name = \"mail\"", "kind = \"mail\"", "to = [\"a@example.org\"]",
                    "from = \"b@example.org\"", "sendmail = \"\(sendmail.file.path)\"",
                ] + only,
            environment: session.environment)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        func mails() -> Int {
            ((try? sendmail.text("mails")) ?? "").split(separator: "\n").count { $0.hasPrefix("Subject: ") }
        }
        try await eventually("all to be told, and the webhook to hang") {
            session.bubbles.count == 1 && hook.posts.count == 1 && ntfy.posts.count == 1 && mails() == 1
                ? () : nil
        }
        // A webhook that hangs is in no photo's way.
        try camera.command("shoot 3")
        try await rig.status("the photos") { $0.captures.shots == 5 }
        #expect(hook.posts.count == 1)
        try await rig.kill()
        try hook.answer(.takes)
        try await rig.start()
        try await rig.status("it to be away again") {
            $0.conditions.contains { $0.code == "destination-away" }
        }
        let server = try RunningProgram(
            ServerPrograms.python,
            [ServerPrograms.rig.appending(path: "http_server.py").path, String(port), folder.path("there")],
            log: folder.url.appending(path: "server.log"))
        try await eventually("its end to be told: \(server.output.suffix(400))") {
            session.bubbles.count == 2 && hook.posts.count == 2 && ntfy.posts.count == 2 && mails() == 2
                ? () : nil
        }
        #expect(hook.posts.map { $0.body.contains("\"event\":\"begun\"") } == [true, false])
        #expect(hook.posts[1].body.contains("\"event\":\"ended\""))
        #expect(hook.posts[1].headers["x-framefast-signature"]?.hasPrefix("sha256=") == true)
        #expect(session.bubbles.map { $0.summary.contains("over: nas away") } == [false, true])
        #expect(ntfy.posts.map { $0.headers["priority"] } == ["high", "default"])
        // Each photo's hook was run, and a repeat has its number.
        try await eventually("five photos' hooks") {
            Set(try photos.text("runs").split(separator: "\n")).count == 5 ? () : nil
        }
        let (code, said) = try await RunningProgram.run(
            Programs.path("framefast"), ["notice", "test", "--plain", "--socket", rig.socket], in: rig.folder)
        #expect(code == 0 && said.contains("notice hook: works") && said.contains("answered with status 200"))
        #expect(try await rig.stop() == 0)
    }
}
