import FrameFastAPI
public import FrameFastSystem
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// A service that serves the API on a Unix socket and reports when it listens.
public struct APIService: Service {
    /// Options of the service.
    public struct Options: Sendable {
        /// The path of the socket, at most 107 bytes.
        public var socketPath: String
        /// The permissions of each peer.
        public var policy: AccessPolicy

        /// Creates options.
        public init(socketPath: String, policy: AccessPolicy) {
            self.socketPath = socketPath
            self.policy = policy
        }
    }

    private let options: Options
    private let surface: any ControlSurface
    private let hub: EventHub
    private let clock: HostClock
    private let logger: Logger
    private let onListening: @Sendable () async -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - surface: The handlers of the requests.
    ///   - hub: The hub to which the daemon publishes events. When the service stops, it finishes the hub.
    ///   - clock: The clock for heartbeats and for the grace period after a stop.
    ///   - onListening: Called once, as soon as the server accepts connections.
    public init(
        options: Options, surface: any ControlSurface, hub: EventHub, clock: HostClock = .system,
        logger: Logger, onListening: @escaping @Sendable () async -> Void = {}
    ) {
        self.options = options
        self.surface = surface
        self.hub = hub
        self.clock = clock
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a graceful stop or cancellation. A graceful stop ends streams immediately. Requests in
    /// progress then have three seconds to finish.
    ///
    /// - Throws: ``SocketFileError`` if the socket cannot be opened.
    public func run() async throws {
        let file = SocketFile(path: options.socketPath)
        try file.prepare()
        let ours = Mutex<SocketFile.Identity?>(nil)
        defer {
            hub.finish()
            file.remove(if: ours.withLock { $0 })
        }
        let server = server {
            do throws(SocketFileError) {
                try file.setAccess(
                    isOpenToAll: options.policy.isStatusPublic, group: options.policy.controlGroup)
            } catch {
                logger.error("cannot set the permissions of the socket", metadata: ["error": "\(error)"])
            }
            ours.withLock { $0 = file.identity }
            await onListening()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await sendHeartbeats() }
            group.addTask { try await endStreams() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func server(onRunning: @escaping @Sendable () async -> Void) -> any Service {
        let responder = APIResponder(surface: surface, hub: hub, logger: logger)
        let refusals = RefusalLog(policy: options.policy, logger: logger)
        let guests = ReadOnlyConnectionLimiter(namespace: options.policy.namespace)
        let channel = PeerChannel(
            policy: options.policy, limiter: guests, onRefusal: refusals.logMembershipProblem
        ) {
            await responder.respond(to: $0, grant: $1)
        }
        // At levels below `warning`, the HTTP server would log every connection.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return channel.server(
            configuration: ServerConfiguration(
                address: .unixDomainSocket(path: options.socketPath),
                backlog: APIServerLimits.backlog,
                availableConnectionsDelegate: .maximum(APIServerLimits.connectionsMax, logger: quiet)),
            onServerRunning: { _ in await onRunning() },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: quiet)
    }

    private func sendHeartbeats() async throws {
        while true {
            try await clock.sleep(for: APIServerLimits.heartbeat)
            hub.sendHeartbeat()
        }
    }

    /// Ends the streams at a graceful stop, then returns after ``APIServerLimits/stopGrace``.
    private func endStreams() async throws {
        try await gracefulShutdown()
        hub.finish()
        try await clock.sleep(for: APIServerLimits.stopGrace)
    }
}
