public import APIServer
public import FrameFastAPI
public import FrameFastSystem
public import Logging
public import ServiceLifecycle
public import WebPage

/// A service that serves the web page to the paired devices of this computer's private networks.
public struct WebService: Service {
    /// The result of the server's attempts to listen.
    public enum Report: Hashable, Sendable {
        /// The page is served. The problem is the reason why its certificate can't be renewed, or `nil`.
        case listening(WebSite, problem: String?)
        /// The page is not served, for this reason.
        case failed(String)
    }

    /// The parts of the daemon that the server uses.
    public struct Parts: Sendable {
        /// The handlers of the requests.
        public var surface: any ControlSurface
        /// The hub to which the daemon publishes events.
        public var hub: EventHub
        /// The paired devices.
        public var access: WebAccess
        /// The files of the page.
        public var files: [WebAsset]
        /// Returns the state of a session for a device with the role `client` or `screen`.
        public var snapshot: @Sendable (SessionID) async throws(ControlError) -> ClientSnapshotReply

        /// Creates a list of parts.
        public init(
            surface: any ControlSurface, hub: EventHub, access: WebAccess, files: [WebAsset] = WebAssets.all,
            snapshot: @escaping @Sendable (SessionID) async throws(ControlError) -> ClientSnapshotReply
        ) {
            self.surface = surface
            self.hub = hub
            self.access = access
            self.files = files
            self.snapshot = snapshot
        }
    }

    private let options: WebOptions
    private let parts: Parts
    private let network: @Sendable () -> LocalNetwork
    private let clock: HostClock
    private let logger: Logger
    private let onReport: @Sendable (Report) async -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - network: Returns the current names and addresses of this computer.
    ///   - onReport: Called when the server listens or can't listen, and when the result changes. The daemon
    ///     keeps running without the page.
    public init(
        options: WebOptions, parts: Parts,
        network: @escaping @Sendable () -> LocalNetwork = LocalNetwork.current, clock: HostClock = .system,
        logger: Logger, onReport: @escaping @Sendable (Report) async -> Void
    ) {
        self.options = options
        self.parts = parts
        self.network = network
        self.clock = clock
        self.logger = logger
        self.onReport = onReport
    }

    /// Serves until a graceful stop or cancellation. A graceful stop ends streams immediately. Requests in
    /// progress then have three seconds to finish.
    public func run() async throws {
        let streams = WebStreams()
        let connections = WebConnections()
        let events = WebEventResponder(
            surface: parts.surface, hub: parts.hub, access: parts.access, policy: options.policy,
            streams: streams, snapshot: parts.snapshot)
        let responder = WebResponder(
            table: APIResponder.table(of: parts.surface, hub: parts.hub), events: events,
            access: parts.access, policy: options.policy, connections: connections, files: parts.files,
            clock: clock, logger: logger)
        await parts.access.addEndHandler { device in
            streams.finish(device)
            connections.close(device)
            responder.remove(device)
        }
        let listeners = WebListeners(
            options: options, responder: responder, limiter: connections.limiter, network: network,
            clock: clock, logger: logger
        ) { report in
            await handle(report)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await listeners.run() }
            group.addTask {
                try? await gracefulShutdown()
                streams.finishAll()
                try? await clock.sleep(for: WebServerLimits.stopGrace)
            }
            await group.next()
            group.cancelAll()
        }
        await parts.access.setSite(nil)
    }

    private func handle(_ report: Report) async {
        switch report {
        case .listening(let site, _):
            await parts.access.setSite(site)
            logger.notice(
                "serving the web page",
                metadata: ["url": "\(site.url)", "fingerprint": "\(site.fingerprint ?? "no TLS")"])
        case .failed: await parts.access.setSite(nil)
        }
        await onReport(report)
    }
}
