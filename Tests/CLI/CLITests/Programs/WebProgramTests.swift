import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of the built program's verbs for the web page, against a real socket.
@Suite(.programs(1)) struct WebProgramTests {
    private static let url = "https://192.168.1.20:9480/#K7QM-4R2P"

    private final class RecordedRequests: Sendable {
        let pair = Mutex<WebPairRequest?>(nil)
        let revoked = Mutex<[WebDeviceID]>([])
    }

    private static func device(_ id: WebDeviceID, _ name: String, _ role: WebRole) -> WebDeviceReply {
        WebDeviceReply(
            id: id, name: name, role: role, sessionName: role == .owner ? nil : "Wedding", createdAt: .now,
            lastUsedAt: .now)
    }

    /// Returns a surface that has four devices and records the requests.
    private static func surface(_ recorded: RecordedRequests) -> ScriptedControlSurface {
        let devices = [
            device(1, "iPad of Ann", .client), device(2, "TV", .screen), device(3, "TV", .screen),
            device(4, "3", .owner),
        ]
        return ScriptedControlSurface { table in
            table.handle(\.web.pair) { request throws(ControlError) in
                recorded.pair.withLock { $0 = request }
                return WebCodeReply(
                    url: url, code: "K7QM-4R2P", expiresAt: .now + 600, uses: request.uses ?? 1,
                    role: request.role ?? .client, sessionName: "Wedding", fingerprint: "AB:CD")
            }
            table.handle(\.web.devices) { () throws(ControlError) in
                WebDevicesReply(devices: devices, isOn: true, url: "https://192.168.1.20:9480", control: true)
            }
            table.handle(\.web.revoke) { id throws(ControlError) in
                recorded.revoked.withLock { $0.append(id) }
                return WebDevicesReply(devices: devices.filter { $0.id != id })
            }
        }
    }

    @Test func `web pair prints the address and the code in each format`() async throws {
        let recorded = RecordedRequests()
        try await RunningServer.run(surface: Self.surface(recorded)) { server in
            let verb = [
                "web", "pair", "--role", "client", "--session", "Wedding", "--uses", "20", "--socket",
                server.socketPath,
            ]
            let plain = try await ProgramRun.of(verb + ["--plain"])
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(plain.output.hasPrefix("page: \(Self.url)\ncode: K7QM-4R2P\nrole: client\n"))
            #expect(plain.output.contains("session: Wedding\ndevices: 20\n"))
            #expect(plain.output.contains("certificate: SHA-256 AB:CD\n"))
            let request = recorded.pair.withLock { $0 }
            #expect(request == WebPairRequest(role: .client, session: "Wedding", uses: 20))
            let json = try await ProgramRun.of(verb + ["--json"])
            let reply = try WireCoder.decode(WebCodeReply.self, from: Data(json.output.utf8))
            #expect(reply.url == Self.url && reply.code == "K7QM-4R2P" && json.status == 0)
            #expect(json.output.contains(#""expires_at":"#))
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg"),
            "needs zbar-tools (scripts/prepare --tests)"))
    func `zbar reads the page's address from the drawn code`() async throws {
        try await RunningServer.run(surface: Self.surface(RecordedRequests())) { server in
            let run = try await ProgramRun.of(
                ["web", "pair", "--role", "client", "--socket", server.socketPath])
            #expect(run.status == 0, "\(run.errors)")
            // Without colors, the program draws the light modules.
            let drawn = run.output.split(separator: "\n").prefix { line in
                line.allSatisfy { "█▀▄ ".contains($0) }
            }
            let rows = drawn.flatMap { line -> [[Bool]] in
                [line.map { !"█▀".contains($0) }, line.map { !"█▄".contains($0) }]
            }
            let scratch = try ScratchFolder()
            let picture = scratch.path("code.pgm")
            try Self.picture(rows).write(to: URL(filePath: picture))
            let read = try await blocking {
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/zbarimg")
                process.arguments = ["--quiet", "--raw", picture]
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                let text = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return String(decoding: text, as: UTF8.self)
            }
            #expect(read == Self.url + "\n")
        }
    }

    /// Returns a gray picture in PGM form, with four pixels for each module.
    private static func picture(_ rows: [[Bool]]) -> Data {
        let scale = 4
        var data = Data("P5 \((rows.first?.count ?? 0) * scale) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { data.append(contentsOf: line) }
        }
        return data
    }

    @Test func `live prints the page's address on a computer without a display`()
        async throws
    {
        try await RunningServer.run(surface: Self.surface(RecordedRequests())) { server in
            let rest = ["--open", "--socket", server.socketPath]
            let plain = try await ProgramRun.of(["live", "studio-a", "--plain"] + rest)
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(plain.output == "page: https://192.168.1.20:9480/#/status?live=\(Samples.camera.id)\n")
            let human = try await ProgramRun.of(["live", "studio-a"] + rest)
            #expect(human.output.contains("This computer has no display."), "\(human.output)")
            let unknown = try await ProgramRun.of(["live", "right"] + rest)
            #expect(unknown.status == 1 && unknown.errors.contains("cannot find camera 'right'"))
        }
    }

    @Test(arguments: [
        ["pair"], ["pair", "--role", "guest"], ["pair", "--role", "owner", "--session", "Wedding"],
        ["pair", "--role", "client", "--uses", "0"], ["pair", "--role", "client", "--uses", "101"],
        ["revoke"],
    ])
    func `rejects invalid arguments before it calls the service`(arguments: [String]) async throws {
        let run = try await ProgramRun.of(["web"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty)
    }

    @Test func `lists paired devices, and revokes a device by number or unique name`() async throws {
        let recorded = RecordedRequests()
        try await RunningServer.run(surface: Self.surface(recorded)) { server in
            let rest = ["--plain", "--socket", server.socketPath]
            let list = try await ProgramRun.of(["web"] + rest)
            #expect(list.output.hasPrefix("device 1: iPad of Ann, client, session Wedding\n"))
            #expect(list.output.hasSuffix("device 4: 3, owner\n"))
            for (device, id) in [("iPad of Ann", 1), ("2", 2), ("3", 4)] as [(String, WebDeviceID)] {
                let run = try await ProgramRun.of(["web", "revoke", device] + rest)
                #expect(run.status == 0 && run.output.hasPrefix("revoked: device \(id)\n"), "\(run.errors)")
                #expect(recorded.revoked.withLock(\.last) == id)
            }
            for device in ["TV", "Phone"] {
                let run = try await ProgramRun.of(["web", "revoke", device] + rest)
                #expect(run.status != 0 && run.errors.contains("framefast web devices --plain"))
            }
            #expect(recorded.revoked.withLock(\.count) == 3)
        }
    }
}
