import FrameFastAPI
import HTTPTypes
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// A service that serves only `/metrics`, on a loopback port, for a collector that cannot read the socket.
/// The service does not authenticate its clients, and runs only if the configuration enables it.
public struct MetricsService: Service {
    private let host: String
    private let port: Int
    private let surface: any ControlSurface
    private let logger: Logger
    private let onFailure: @Sendable (_ reason: String) -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - host: A loopback address.
    ///   - onFailure: Called with the reason if the server cannot listen. The daemon keeps running without
    ///     metrics.
    public init(
        host: String, port: Int, surface: any ControlSurface, logger: Logger,
        onFailure: @escaping @Sendable (_ reason: String) -> Void
    ) {
        self.host = host
        self.port = port
        self.surface = surface
        self.logger = logger
        self.onFailure = onFailure
    }

    /// Serves until the service stops.
    public func run() async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let channel = HTTP1Channel(
            responder: { request, writer, connection in
                try await writer.write(respond(to: request), to: request, on: connection, logger: logger)
            },
            configuration: APIServerLimits.connection)
        let server = channel.server(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), backlog: APIServerLimits.backlog,
                availableConnectionsDelegate: .maximum(APIServerLimits.metricsConnectionsMax, logger: quiet)),
            onServerRunning: { _ in }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet)
        do { try await server.run() } catch is CancellationError {
            return
        } catch {
            onFailure("\(error)")
            try? await gracefulShutdown()
        }
    }

    private func respond(to request: Request) async -> Response {
        let path = Endpoints.catalog.service.metrics.row.path
        // Rejects requests from web pages that reach this port under their own host name (DNS rebinding).
        guard LocalAuthority.isLoopback(request.head.authority ?? "") else {
            return .error(ControlError(.forbidden, "cannot serve this host name, use \(host):\(port)"))
        }
        guard request.uri.path == path else {
            return .error(ControlError(.notFound, "cannot find '\(request.uri.path)', use \(path)"))
        }
        guard request.method == .get else {
            var response = Response.error(
                ControlError(.wrongMethod, "cannot \(request.method.rawValue) '\(path)', use GET"))
            response.headers[.allow] = "GET"
            return response
        }
        do throws(ControlError) {
            let content = try await surface.metrics().content(accept: request.headers[.accept])
            return .text(content.text, type: content.type)
        } catch { return .error(error) }
    }
}
