public import APIServer
import FoundationEssentials
import FrameFastAPI
import Glibc
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOPosix
import NIOSSL
public import ServiceLifecycle

/// The page as a service: serves those who were let in, on this computer or on the local network.
public struct WebService: Service {
    /// How to serve.
    public struct Options: Sendable {
        /// Loopback address to listen on; `nil` for the local network, of which only private addresses are answered.
        public var host: String?
        /// The port.
        public var port: Int
        /// Whether the page is reached by TLS.
        public var isTLS: Bool
        /// A certificate and its key of somebody's own, as PEM files; `nil` for one that is made here.
        public var files: (certificate: String, key: String)?
        /// Where a certificate of our own is kept.
        public var folder: String
        /// Further names under which this computer is reached.
        public var names: [String]
        /// Whether an owner's page may release shutters and change what is uploaded.
        public var mayControl: Bool

        /// Creates options.
        public init(
            host: String?, port: Int, isTLS: Bool, files: (certificate: String, key: String)?, folder: String,
            names: [String], mayControl: Bool
        ) {
            self.host = host
            self.port = port
            self.isTLS = isTLS
            self.files = files
            self.folder = folder
            self.names = names
            self.mayControl = mayControl
        }

        /// Whether only this computer can reach it.
        public var isLocal: Bool { host != nil }
    }

    /// Bounds of the page's own: it can use up nothing of the socket's.
    enum Limits {
        /// A browser has six: fifteen devices, and room.
        static let connections = 128
        /// Two browsers of one device, and what they keep open for a moment.
        static let connectionsOfAddress = 16
        static let headerBytes = 16 * 1_024
        static let headers = 64
        static let idle = TimeAmount.seconds(60)
        static let backlog = 64
    }

    private let options: Options
    private let surface: any WebSurface
    private let control: any ControlSurface
    private let hub: EventHub
    private let desk: WebDesk
    private let logger: Logger
    private let onTrouble: @Sendable (_ reason: String) -> Void

    /// Creates the service.
    ///
    /// - Parameter onTrouble: Told why it cannot listen; the daemon goes on without.
    public init(
        options: Options, surface: any WebSurface, control: any ControlSurface, hub: EventHub, desk: WebDesk,
        logger: Logger, onTrouble: @escaping @Sendable (_ reason: String) -> Void
    ) {
        self.options = options
        self.surface = surface
        self.control = control
        self.hub = hub
        self.desk = desk
        self.logger = logger
        self.onTrouble = onTrouble
    }

    /// Serves until the service stops.
    public func run() async throws {
        do {
            let server = try server()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { await tellShots() }
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            return
        } catch {
            onTrouble("\(error)")
            try? await gracefulShutdown()
        }
    }

    /// Pages hear of shots, not of files: each that was saved is told once.
    private func tellShots() async {
        guard let lease = hub.lease() else { return }
        await cancelWhenGracefulShutdown {
            while let taken = await lease.reader.next() {
                guard case .events(let events) = taken else { continue }
                var shots: [ShotID] = []
                for case .capture(let capture) in events.map(\.body)
                where capture.savedAt != nil && shots.last != capture.shotID {
                    shots.append(capture.shotID)
                }
                for shot in shots { await surface.tell(shot) }
            }
        }
    }

    private func server() throws -> any Service {
        let responder = APIResponder(surface: control, hub: hub, logger: logger)
        let control = control
        let web = WebResponder(
            surface: surface, responder: responder, desk: desk,
            events: WebEvents(hub: hub, desk: desk) { () throws(ControlError) in try await control.status() },
            hosts: WebHosts(names: Set(Self.hostNames + options.names.map { $0.lowercased() })),
            isTLS: options.isTLS, mayControl: options.mayControl, logger: logger)
        let channel = WebChannel(shares: AddressShares(max: Limits.connectionsOfAddress)) {
            await web.respond(to: $0, from: $1)
        }
        let configuration = ServerConfiguration(
            address: .hostname(options.host ?? Self.everywhere, port: options.port), backlog: Limits.backlog,
            availableConnectionsDelegate: .maximum(Limits.connections, logger: logger.ofServer))
        guard options.isTLS else {
            return channel.server(
                configuration: configuration, onServerRunning: isServed,
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger.ofServer)
        }
        let certificate = try certificate()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificate.chain.map { .certificate($0) },
            privateKey: .privateKey(certificate.key))
        tls.minimumTLSVersion = .tlsv12
        return try TLSChannel(channel, tlsConfiguration: tls).server(
            configuration: configuration, onServerRunning: isServed,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger.ofServer)
    }

    /// Says in the log who can reach the page.
    @Sendable private func isServed(_: any Channel) {
        let who = options.isLocal ? "this computer" : "private addresses of the local network"
        logger.notice(
            "the page is served",
            metadata: [
                "at": "\(Self.address(options))", "to": "devices that were let in, from \(who)",
                "control": "\(options.mayControl)",
            ])
    }

    private func certificate() throws -> WebCertificate {
        if let files = options.files {
            return try WebCertificate(certificate: files.certificate, key: files.key)
        }
        return try WebCertificate(
            folder: options.folder, names: Self.hostNames + options.names, addresses: Self.addresses)
    }

    // MARK: Names

    /// Names of this computer.
    static var hostNames: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return ["localhost"] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .lowercased()
        return name.isEmpty
            ? ["localhost"] : ["localhost", name] + (name.hasSuffix(".local") ? [] : [name + ".local"])
    }

    /// Every address of this computer, by both protocols where the kernel has both.
    private static var everywhere: String {
        let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return "0.0.0.0" }
        close(socket)
        return "::"
    }

    /// Private addresses of this computer, those of networks first, and of those what people can type. Not link-local ones of
    /// version 6: browsers take none, because they do not say on which network.
    static var addresses: [String] {
        let all = ((try? System.enumerateDevices()) ?? []).compactMap { device -> String? in
            guard let address = device.address, WebHosts.isPrivate(address), !WebHosts.isLoopback(address)
            else { return nil }
            let text = WebHosts.text(address)
            return text.contains(":") && !WebHosts.isUniqueLocal(text) ? nil : text
        }
        return all.filter { !$0.contains(":") } + all.filter { $0.contains(":") } + ["127.0.0.1"]
    }

    /// What browsers on other computers type, without what is behind it; on this computer where only it is served.
    public static func address(_ options: Options) -> String {
        let host = options.host ?? addresses.first ?? "127.0.0.1"
        let place = host.contains(":") ? "[\(host)]" : host
        return "\(options.isTLS ? "https" : "http")://\(place):\(options.port)/"
    }

    /// SHA-256 of the certificate, as browsers show it; `nil` without TLS.
    public static func fingerprint(_ options: Options) throws -> String? {
        guard options.isTLS else { return nil }
        if let files = options.files {
            return try WebCertificate(certificate: files.certificate, key: files.key).fingerprint
        }
        return try WebCertificate(
            folder: options.folder, names: hostNames + options.names, addresses: addresses
        ).fingerprint
    }
}
