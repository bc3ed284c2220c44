import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

/// The verbs about the page: the built program against a real socket.
@Suite struct WebProgramTests {
    private final class Asked: Sendable {
        let pair = Mutex<WebPairRequest?>(nil)
        let revoked = Mutex<String?>(nil)

        func surface() -> ScriptedControlSurface {
            let device = WebDeviceReply(
                id: "d3", name: "Mia", role: .client, session: SessionID(rawValue: 7), isDone: false,
                pairedAt: Samples.time, lastUsedAt: Samples.time)
            return ScriptedControlSurface { [self] table in
                table.on(\.web.pair) { request throws(ControlError) in
                    self.pair.withLock { $0 = request }
                    return WebPairReply(
                        url: "https://192.168.1.20:9480/#K7QM-4R2P", code: "K7QM-4R2P", role: request.role,
                        expiresAt: Samples.time, fingerprint: "AB:CD")
                }
                table.on(\.web.devices) { () throws(ControlError) in WebDevicesReply(devices: [device]) }
                table.on(\.web.revoke) { id throws(ControlError) in
                    self.revoked.withLock { $0 = id.pathText }
                    return WebDevicesReply(devices: [])
                }
            }
        }
    }

    @Test func `a code is shown with where it is used, and asked for as it was meant`() async throws {
        let asked = Asked()
        try await RunningServer.run(surface: asked.surface()) { server in
            let socket = ["--socket", server.socketPath]
            let plain = try await ProgramRun.of(
                ["web", "pair", "--uses", "3", "--session", "7", "--plain"] + socket)
            #expect(plain.status == 0 && plain.output.contains("https://192.168.1.20:9480/#K7QM-4R2P"))
            #expect(plain.output.contains("certificate: AB:CD"))
            #expect(
                asked.pair.withLock { $0 }
                    == WebPairRequest(role: .client, session: SessionID(rawValue: 7), uses: 3))
            let json = try await ProgramRun.of(["web", "pair", "--role", "owner", "--json"] + socket)
            #expect(json.output.contains(#""code":"K7QM-4R2P""#) && json.output.contains(#""expires_at""#))
            let drawn = try await ProgramRun.of(["web", "pair", "--role", "owner"] + socket)
            #expect(drawn.output.contains("█▀▀▀▀▀█"))
            #expect(try await ProgramRun.of(["web", "pair", "--role", "guest"] + socket).status == 2)
            let devices = try await ProgramRun.of(["web", "devices", "--plain"] + socket)
            #expect(devices.output == "device d3 Mia: client, session 7\n")
            let none = try await ProgramRun.of(["web", "revoke", "d3", "--plain"] + socket)
            #expect(none.output == "devices: none\n" && asked.revoked.withLock { $0 } == "d3")
        }
    }

    @Test func `live view is opened in the browser, and where there is none the address is shown`()
        async throws
    {
        let asked = Asked()
        let folder = FileManager.default.temporaryDirectory.appending(path: "open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (script, seen) = (folder.appending(path: "xdg-open"), folder.appending(path: "seen"))
        try "#!/bin/sh\necho \"$1\" > \(seen.path)\n".write(to: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        try await RunningServer.run(surface: asked.surface()) { server in
            let open = ["live", "studio-a", "--open", "--plain", "--socket", server.socketPath]
            let run = try await ProgramRun.of(
                open, wrapper: ["/usr/bin/env", "PATH=\(folder.path):/usr/bin:/bin"])
            #expect(run.status == 0 && run.output.isEmpty)
            #expect(try String(contentsOf: seen, encoding: .utf8) == "https://192.168.1.20:9480/#K7QM-4R2P\n")
            #expect(asked.pair.withLock { $0 } == WebPairRequest(role: .owner))
            let without = try await ProgramRun.of(open, wrapper: ["/usr/bin/env", "PATH=/nowhere"])
            #expect(without.status == 0 && without.output.contains("address: https://192.168.1.20:9480/"))
            #expect(try await ProgramRun.of(open + ["--mjpeg"]).status == 2)
        }
    }
}
