import FrameFastAPI
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// The socket as a service: serves until it is stopped, and says when it listens.
public struct APIService: Service {
    /// How to serve.
    public struct Options: Sendable {
        /// Path of the socket, at most 107 bytes.
        public var socketPath: String
        /// Who may do what.
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
    private let logger: Logger
    private let onListening: @Sendable () async -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - surface: What requests do.
    ///   - hub: Where the daemon publishes events. It is finished when this service stops.
    ///   - onListening: Called once, when a client can connect and is answered.
    public init(
        options: Options, surface: any ControlSurface, hub: EventHub, logger: Logger,
        onListening: @escaping @Sendable () async -> Void = {}
    ) {
        self.options = options
        self.surface = surface
        self.hub = hub
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a graceful stop or cancellation. Requests in progress get three seconds, streams are ended.
    ///
    /// - Throws: ``SocketFileError`` when the socket cannot be opened.
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
                try file.open(toEverybody: options.policy.isStatusPublic, group: options.policy.controlGroup)
            } catch {
                logger.error("cannot open the socket to others", metadata: ["error": "\(error)"])
            }
            ours.withLock { $0 = file.identity }
            await onListening()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await beat() }
            group.addTask { try await endStreams() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func server(onRunning: @escaping @Sendable () async -> Void) -> any Service {
        let responder = APIResponder(surface: surface, hub: hub, logger: logger)
        let refusals = RefusalLog(policy: options.policy, logger: logger)
        let guests = GuestShares(namespace: options.policy.namespace)
        let channel = PeerChannel(policy: options.policy, guests: guests, onRefusal: refusals.note) {
            await responder.respond(to: $0, grant: $1)
        }
        return channel.server(
            configuration: ServerConfiguration(
                address: .unixDomainSocket(path: options.socketPath),
                backlog: APIServerLimits.backlog,
                availableConnectionsDelegate: .maximum(
                    APIServerLimits.connectionsMax, logger: logger.ofServer)),
            onServerRunning: { _ in await onRunning() },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger.ofServer)
    }

    private func beat() async throws {
        while true {
            try await Task.sleep(for: APIServerLimits.heartbeat)
            hub.beat()
        }
    }

    /// On a graceful stop: ends the streams at once, and everything else when the grace is over.
    private func endStreams() async throws {
        try await gracefulShutdown()
        hub.finish()
        try await Task.sleep(for: APIServerLimits.stopGrace)
    }
}
