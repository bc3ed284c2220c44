import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing
import WebPairing

@testable import FrameFastDaemon

/// Tests of codes and devices of the web page, through the handlers of the Unix socket.
@Suite(.blocking) struct WebHandlerTests {
    private static let site = WebSite(url: "https://192.168.1.20:9480", fingerprint: "AB:CD")

    /// Returns a service whose page is served.
    private static func service(clock: HostClock = .system) async throws -> ScriptedService {
        let service = try await ScriptedService("[web]\nlisten = \"lan\"\n", clock: clock)
        await service.parts.web.setSite(site)
        return service
    }

    /// Pairs a device with a new code.
    private static func pair(
        _ service: ScriptedService, _ request: WebPairRequest
    ) async throws -> (device: WebDevice, token: String) {
        let code = try await service.control.web.pair(request).code
        let pairing = try await service.parts.web.pair(code: code, name: "iPad", from: "10.0.0.2")
        guard case .paired(let device, let token) = pairing else {
            throw ControlError(.internal, "cannot pair the device of the test")
        }
        return (device, token.text)
    }

    /// Returns the error of a request for a code.
    private static func refusal(
        _ service: ScriptedService, _ request: WebPairRequest
    ) async -> ControlError? {
        do throws(ControlError) {
            _ = try await service.control.web.pair(request)
            return nil
        } catch { return error }
    }

    @Test func `the URL of a code has the code after the hash sign`() async throws {
        let service = try await Self.service()
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        let reply = try await service.control.web.pair(.init(role: .client, uses: 3))
        #expect(reply.url == "https://192.168.1.20:9480/#\(reply.code)")
        #expect(reply.code.wholeMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/) != nil)
        #expect(reply.sessionName == "Wedding" && reply.uses == 3 && reply.fingerprint == "AB:CD")
        let owner = try await service.control.web.pair(.init(role: .owner))
        #expect(owner.sessionName == nil && owner.uses == 1 && owner.code != reply.code)
    }

    @Test func `lists paired devices and revokes one`() async throws {
        let service = try await Self.service()
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        let (client, token) = try await Self.pair(service, .init(role: .client, session: "current"))
        let (owner, _) = try await Self.pair(service, .init(role: .owner))
        let web = try await service.control.web.devices()
        #expect(web.isOn && web.url == Self.site.url && !web.control)
        let listed = web.devices
        #expect(listed.map(\.id) == [client.id, owner.id] && listed.map(\.role) == [.client, .owner])
        #expect(listed.map(\.sessionName) == ["Wedding", nil] && listed[0].expiresAt == nil)
        #expect(try await service.control.web.revoke(client.id).devices.map(\.id) == [owner.id])
        #expect(await service.parts.web.device(forToken: token) == nil)
        let gone = await #expect(throws: ControlError.self) {
            try await service.control.web.revoke(client.id)
        }
        #expect(gone?.code == .notFound)
    }

    @Test func `the error of a failed revocation names the disk and the command`() async throws {
        struct Failure: Error {}
        let service = try await Self.service()
        let device = try await Self.pair(service, .init(role: .owner)).device
        let devices = [device]
        let web = WebAccess(
            storage: .init(
                load: { devices }, add: { $0 }, update: { _ in }, remove: { _ in throw Failure() }),
            clock: .system, logger: ScriptedService.silence
        ) { _ in }
        try await web.load()
        let handler = WebHandler(
            web: web, ledger: service.ledger, configuration: service.parts.configuration, clock: .system)
        let error = await #expect(throws: ControlError.self) { try await handler.revoke(device.id) }
        let step = error?.nextStep ?? ""
        #expect(error?.code == .internal)
        #expect(step.contains("the disk that holds \(service.folder.path("state"))"), "\(step)")
        #expect(step.contains("run 'framefast web revoke \(device.id)' again"), "\(step)")
        #expect(await web.devices().isEmpty)
    }

    @Test func `a stopped session keeps its own name and is not live`() async throws {
        let service = try await Self.service()
        let first = try await service.control.sessions.start(.init(name: "Wedding")).id
        let later = try await service.control.sessions.start(.init(name: "Fashion")).id
        #expect(try await service.control.sessions.clientSnapshot(of: later).isLive)
        let snapshot = try await service.control.sessions.clientSnapshot(of: first)
        #expect(snapshot.name == "Wedding" && !snapshot.isLive && snapshot.shots == 0)
        #expect(try await service.control.sessions.keep(first, .init(keep: "7 d")).id == first)
        let unknown = await #expect(throws: ControlError.self) {
            try await service.control.sessions.clientSnapshot(of: 999_999)
        }
        #expect(unknown?.code == .notFound)
    }

    @Test func `a code for a client becomes void when its session stops`() async throws {
        let service = try await Self.service()
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        let codes = [
            try await service.control.web.pair(.init(role: .client, uses: 9)).code,
            try await service.control.web.pair(.init(role: .screen, uses: 9)).code,
        ]
        let (device, token) = try await Self.pair(service, .init(role: .client))
        // The start of a session stops the running session.
        _ = try await service.control.sessions.start(.init(name: "Party"))
        for code in codes {
            guard case .refused = try await service.parts.web.pair(code: code, name: "x", from: "a") else {
                Issue.record("the code \(code) of a stopped session was accepted")
                continue
            }
        }
        let still = try #require(await service.parts.web.device(forToken: token))
        #expect(still.id == device.id && still.sessionStoppedAt != nil)
        _ = try await service.control.sessions.stop()
        let error = await Self.refusal(service, .init(role: .client))
        #expect(error?.code == .conflict && error?.nextStep?.contains("session start") == true)
    }

    @Test func `pairs by a session's number, its unique name, or the running session's name`() async throws {
        let service = try await Self.service()
        let first = try await service.control.sessions.start(.init(name: "Wedding"))
        _ = try await service.control.sessions.start(.init(name: "Party"))
        let wedding = try await Self.pair(service, .init(role: .client, session: "Wedding")).device
        #expect(wedding.session == first.id)
        _ = try await service.control.sessions.start(.init(name: "Party"))
        // Two sessions have this name, and the second session is running.
        let running = try await service.control.web.pair(.init(role: .screen, session: "Party"))
        #expect(running.sessionName == "Party")
        _ = try await service.control.sessions.stop()
        let error = await Self.refusal(service, .init(role: .client, session: "Party"))
        #expect(error?.code == .conflict && error?.message.contains("2 sessions") == true)
        let byNumber = try await Self.pair(service, .init(role: .client, session: "2")).device
        #expect(byNumber.session == 2)
        #expect(await Self.refusal(service, .init(role: .client, session: "Other"))?.code == .notFound)
    }

    @Test func `refuses a code for a session that stopped 12 hours ago`() async throws {
        let seconds = Mutex(0.0)
        var clock = HostClock.system
        clock.now = { Date(timeIntervalSince1970: 1_800_000_000) + seconds.withLock(\.self) }
        let service = try await Self.service(clock: clock)
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        _ = try await service.control.sessions.stop()
        seconds.withLock { $0 = 12 * 3_600 - 1 }
        #expect(await Self.refusal(service, .init(role: .client, session: "Wedding")) == nil)
        seconds.withLock { $0 = 12 * 3_600 }
        #expect(await Self.refusal(service, .init(role: .client, session: "Wedding"))?.code == .conflict)
    }

    @Test func `devices and their expiry survive a restart of the service`() async throws {
        let service = try await Self.service()
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        let (device, token) = try await Self.pair(service, .init(role: .client))
        _ = try await service.control.sessions.stop()
        let restarted = try await WebAccess.stored(
            in: service.ledger, conditionBoard: service.parts.conditionBoard, clock: .system,
            logger: ScriptedService.silence)
        let again = try #require(await restarted.device(forToken: token))
        #expect(again.id == device.id && again.sessionStoppedAt != nil)
    }

    @Test func `removes a device that lost access, and ends its streams`() async throws {
        let seconds = Mutex(0.0)
        var clock = HostClock.system
        clock.now = { Date(timeIntervalSince1970: 1_800_000_000) + seconds.withLock(\.self) }
        let service = try await Self.service(clock: clock)
        let ended = Mutex<[WebDeviceID]>([])
        _ = try await service.control.sessions.start(.init(name: "Wedding"))
        let (device, _) = try await Self.pair(service, .init(role: .client))
        _ = try await service.control.sessions.stop()
        await service.parts.web.addEndHandler { id in ended.withLock { $0.append(id) } }
        try await service.running {
            seconds.withLock { $0 = WebDevice.secondsAfterSession }
            // A short watchdog interval shortens the time between two checks.
            let reporter = StatusReporter(
                service.parts, service: service.control.service,
                notifier: ServiceNotifier(environment: ["WATCHDOG_USEC": "20000"]))
            let reports = Task { try await reporter.run() }
            defer { reports.cancel() }
            try await eventually("the device to be removed") {
                try await service.ledger.webDevices().isEmpty ? () : nil
            }
        }
        #expect(ended.withLock(\.self) == [device.id])
    }

    @Test(arguments: [
        ("", "Set listen = \"lan\""), ("[web]\nlisten = \"lan\"\n", "See 'framefast doctor'."),
    ])
    func `refuses a code while no browser can open the page`(tables: String, step: String) async throws {
        let service = try await ScriptedService(tables)
        let error = await Self.refusal(service, .init(role: .owner))
        #expect(error?.code == .conflict && error?.nextStep?.hasPrefix(step) == true)
    }

    @Test func `refuses a 33rd open code`() async throws {
        let service = try await Self.service()
        for _ in 0..<PairingCodes.codesMax { _ = try await service.control.web.pair(.init(role: .owner)) }
        #expect(await Self.refusal(service, .init(role: .owner))?.code == .conflict)
    }

    @Test(arguments: [
        WebPairRequest(role: .owner, session: "Wedding"), WebPairRequest(role: .client, uses: 0),
        WebPairRequest(role: .client, uses: 101), WebPairRequest(role: .client, session: ""),
        WebPairRequest(role: .screen, session: String(repeating: "x", count: 121)),
    ])
    func `refuses an invalid request for a code`(request: WebPairRequest) {
        let error = #expect(throws: ControlError.self) { try request.checked() }
        #expect(error?.code == .invalid)
    }

    @Test func `names the valid roles in the error for an unknown role`() throws {
        let request = try WireCoder.decode(WebPairRequest.self, from: Data(#"{"role":"guest"}"#.utf8))
        let error = #expect(throws: ControlError.self) { try request.checked() }
        #expect(error?.code == .invalid && error?.nextStep == "Choose one of owner, client, screen.")
    }

    @Test func `reports wrong codes until a new code is open`() async throws {
        let service = try await Self.service()
        func condition() -> Condition? {
            service.parts.conditionBoard.current.first { $0.kind == .webCodesVoided }
        }
        _ = try await service.control.web.pair(.init(role: .owner))
        for index in 0..<PairingCodes.failuresMax {
            #expect(condition() == nil)
            _ = try await service.parts.web.pair(code: "0000-0000", name: "x", from: "\(index)")
        }
        let step = try #require(condition()).nextStep
        #expect(step.contains("open a new code with 'framefast web pair'"))
        _ = try await service.control.web.pair(.init(role: .owner))
        #expect(condition() == nil)
    }

    @Test func `reports a page without TLS until the configuration turns TLS on`() async throws {
        let open = try await ScriptedService("[web]\nlisten = \"lan\"\ntls = \"off\"\n")
        let condition = try #require(
            open.parts.conditionBoard.current.first { $0.kind == .webUnencrypted })
        #expect(condition.sentence.contains("others in the network can read photos"))
        #expect(condition.nextStep.contains("in [web] of the configuration, then restart the service"))
        let closed = try await ScriptedService("[web]\nlisten = \"lan\"\ntls = \"on\"\n")
        #expect(closed.parts.conditionBoard.current.allSatisfy { $0.kind != .webUnencrypted })
    }

    @Test(arguments: [
        ("", "The web page is off: no browser can reach it."),
        (
            "[web]\nlisten = \"127.0.0.1:9480\"\n",
            "Only this computer can reach the web page, at http://127.0.0.1:9480."
        ),
        (
            "[web]\nlisten = \"lan\"\n",
            "Devices in the private networks of this computer can reach the web page at port 9480 with TLS, and see "
                + "photos only after they are paired."
        ),
        (
            "[web]\nlisten = \"lan:8443\"\nallow_public = true\n",
            "Devices with a private address can reach the web page at port 8443 with TLS, and see photos only after "
                + "they are paired. The page is also served on the public addresses of this computer."
        ),
    ])
    func `doctor states which devices can reach the web page`(tables: String, sentence: String) async throws {
        let service = try await ScriptedService(tables)
        let check = try #require(
            try await service.control.diagnosis.diagnosis().checks.first { $0.id == "web" })
        #expect(check.sentence == sentence && check.verdict == .ok)
    }
}
