import FrameFastAPI
import HTTPTypes
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// `/metrics` on a port of this computer, for a collector that cannot read the socket. It serves nothing else and asks
/// nobody who he is, so it listens on loopback only, and only when it is asked to.
public struct MetricsService: Service {
    private let host: String
    private let port: Int
    private let surface: any ControlSurface
    private let logger: Logger
    private let onTrouble: @Sendable (_ reason: String) -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - host: A loopback address.
    ///   - onTrouble: Told why it cannot listen; the service goes on without.
    public init(
        host: String, port: Int, surface: any ControlSurface, logger: Logger,
        onTrouble: @escaping @Sendable (_ reason: String) -> Void
    ) {
        self.host = host
        self.port = port
        self.surface = surface
        self.logger = logger
        self.onTrouble = onTrouble
    }

    /// Serves until the service stops.
    public func run() async throws {
        let channel = HTTP1Channel(
            responder: { request, writer, _ in
                let response = await respond(to: request)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(idleTimeout: APIServerLimits.idleTimeout))
        let server = channel.server(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), backlog: APIServerLimits.backlog,
                availableConnectionsDelegate: .maximum(
                    APIServerLimits.metricsConnectionsMax, logger: logger.ofServer)),
            onServerRunning: { _ in }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger.ofServer)
        do { try await server.run() } catch is CancellationError {
            return
        } catch {
            onTrouble("\(error)")
            try? await gracefulShutdown()
        }
    }

    private func respond(to request: Request) async -> Response {
        let path = Endpoints.catalogue.service.metrics.row.path
        // A page in somebody's browser may be made to ask here under a name of its own (DNS rebinding).
        guard LocalAuthority.isLoopback(request.head.authority ?? "") else {
            return .error(ControlError(.forbidden, "cannot answer under this name, only as \(host):\(port)"))
        }
        guard request.uri.path == path else {
            return .error(ControlError(.notFound, "cannot find '\(request.uri.path)', only \(path)"))
        }
        guard request.method == .get else {
            var response = Response.error(
                ControlError(.wrongMethod, "cannot \(request.method.rawValue) '\(path)', only GET"))
            response.headers[.allow] = "GET"
            return response
        }
        do throws(ControlError) {
            return .text(try await surface.metrics().text, type: MetricsText.contentType)
        } catch { return .error(error) }
    }
}
