import APIServer
import Foundation
import FrameFastAPI
import FrameFastSystem
import Logging
import ServiceLifecycle
import SurfaceTestSupport
import WebPairing

@testable import WebPage
@testable import WebServer

/// A web page on a loopback address, which runs while a test's body runs.
struct RunningPage: Sendable {
    let hub = EventHub()
    let access: WebAccess
    let devices: MemoryDevices
    let isEncrypted: Bool
    /// The port, which the kernel chose.
    private(set) var port = 0
    private(set) var site = WebSite(url: "")

    /// The session of clients in tests.
    static let session: SessionID = 1
    /// A shot that the service can't read.
    static let unreadable: ShotID = 500
    /// The size of the full-size picture, in bytes. The socket buffers are smaller.
    static let fullSize = 1 << 30

    /// Runs the page while `body` runs.
    static func run(
        isEncrypted: Bool = true, policy: WebPolicy = WebPolicy(),
        _ body: @Sendable (RunningPage) async throws -> Void
    ) async throws {
        // The clock stands still. Otherwise, a limit per minute would expire while a slow test runs.
        var stopped = HostClock.system
        stopped.uptime = { 1_000 }
        let clock = stopped
        try await TemporaryDirectory.with { directory in
            let devices = MemoryDevices()
            let access = WebAccess(
                storage: devices.storage, clock: clock, logger: RunningServer.silence,
                onCodesVoided: { _ in })
            var page = RunningPage(access: access, devices: devices, isEncrypted: isEncrypted)
            let (reports, continuation) = AsyncStream.makeStream(of: WebService.Report.self)
            let service = WebService(
                options: WebOptions(
                    place: .networks(port: 0, includesPublic: false), isEncrypted: isEncrypted, names: [],
                    certificate: .folder(directory + "/web"), policy: policy),
                parts: WebService.Parts(
                    surface: surface, hub: page.hub, access: access,
                    files: [
                        WebAsset(
                            path: "/", bytes: Array("<html>".utf8), contentType: "text/html",
                            cacheControl: "no-cache", entityTag: "\"1\"")
                    ],
                    snapshot: { _ throws(ControlError) in
                        ClientSnapshotReply(name: "Wedding", shots: 3, newestID: 3, isLive: true, photoAge: 1)
                    }),
                network: { LocalNetwork(hostName: "studio", addresses: [.loopback]) },
                clock: clock, logger: RunningServer.silence
            ) { continuation.yield($0) }
            let services = ServiceGroup(services: [service], logger: RunningServer.silence)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { continuation.finish() }
                    try await services.run()
                }
                for await report in reports {
                    guard case .listening(let site, _) = report else { continue }
                    page.site = site
                    page.port = site.url.split(separator: ":").last.flatMap { Int($0) } ?? 0
                    break
                }
                try await body(page)
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }

    /// A surface on which shot 1 belongs to ``session``, and all other shots belong to another session.
    private static let surface = ScriptedControlSurface { table in
        table.handle(\.shots.get) { id throws(ControlError) in
            let caller = RequestCaller.current
            guard id != RunningPage.unreadable else {
                throw ControlError(
                    .internal, "cannot read the ledger: /srv/framefast/ledger.sqlite: SELECT 1",
                    nextStep: "Check the service's log.")
            }
            guard caller?.session == nil || id == 1 else {
                throw ControlError(.notFound, "cannot find shot \(id)")
            }
            return RunningPage.shot(id, caller?.role)
        }
        table.handle(\.shots.thumbnail) { _, query throws(ControlError) in
            RunningPage.picture(query, .bytes(Array("picture".utf8)))
        }
        table.handle(\.shots.full) { _, query throws(ControlError) in
            let read: @Sendable (Int, Int) async throws -> [UInt8] = { _, countMax in
                [UInt8](repeating: UInt8(ascii: "x"), count: countMax)
            }
            return RunningPage.picture(query, .file(length: RunningPage.fullSize, read: read))
        }
        table.handle(\.shots.rate) { id, request throws(ControlError) in
            RunningPage.shot(id, RequestCaller.current?.role, stars: request.stars ?? 0)
        }
    }

    private static func picture(_ query: ShotPictureQuery, _ body: ShotPicture.Content.Body) -> ShotPicture {
        ShotPicture(revision: "00ff", requestedRevision: query.v) { () throws(ControlError) in
            ShotPicture.Content(revision: "00ff", body: body)
        }
    }

    private static func shot(_ id: ShotID, _ role: WebRole?, stars: Int = 0) -> ShotReply {
        ShotReply(
            id: id, stars: stars, capturedAt: Samples.time, cameraName: role?.rawValue ?? "unknown",
            session: id == 1 ? session : 2)
    }

    /// Pairs a device and returns it with its cookie.
    func pair(_ role: WebRole) async throws -> (device: WebDevice, cookie: String) {
        let grant = PairingGrant(role: role, session: role == .owner ? nil : Self.session)
        guard let open = await access.openCode(for: grant, uses: 1),
            case .paired(let device, let token) = try await access.pair(
                code: open.code.text, name: "Anna", from: "192.168.1.50")
        else { throw ControlError(.internal, "cannot pair") }
        return (device, "\(cookieName)=\(token.text)")
    }

    var cookieName: String { TokenCookie(isEncrypted: isEncrypted).name }

    /// Returns the text of a request from the page itself.
    func request(
        _ method: String, _ path: String, cookie: String? = nil, body: String? = nil, host: String? = nil,
        origin: String? = nil, site: String? = "same-origin", more: String = "", isKeptOpen: Bool = false
    ) -> String {
        let own = "127.0.0.1:\(port)"
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? own)"]
        if !isKeptOpen { lines.append("Connection: close") }
        if let cookie { lines.append("Cookie: \(cookie)") }
        if method != "GET" {
            lines.append("Origin: \(origin ?? "\(isEncrypted ? "https" : "http")://\(own)")")
            lines.append("Content-Type: application/json")
            if let site { lines.append("Sec-Fetch-Site: \(site)") }
            lines.append("Content-Length: \((body ?? "").utf8.count)")
        }
        if !more.isEmpty { lines.append(more) }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Sends a request on a new connection and returns the reply.
    func exchange(_ request: String) async throws -> PageReply {
        try await PageConnection.exchange(port: port, request, isEncrypted: isEncrypted)
    }
}

/// An in-memory store of devices.
actor MemoryDevices {
    struct Failure: Error {}

    private var devices: [WebDevice] = []
    private var count: Int64 = 0
    private var isFailing = false
    /// The devices that were removed.
    private(set) var removed: [WebDeviceID] = []

    nonisolated var storage: WebAccess.Storage {
        WebAccess.Storage(
            load: { [] }, add: { await self.add($0) }, update: { _ in },
            remove: { try await self.remove($0) })
    }

    /// Makes each removal fail or succeed.
    func setFailing(_ isFailing: Bool) { self.isFailing = isFailing }

    private func remove(_ ids: [WebDeviceID]) throws {
        guard !isFailing else { throw Failure() }
        removed += ids
    }

    private func add(_ device: WebDevice) -> WebDevice {
        count += 1
        var device = device
        device.id = WebDeviceID(rawValue: count)
        device.sessionName = device.session == nil ? nil : "Wedding"
        devices.append(device)
        return device
    }
}
