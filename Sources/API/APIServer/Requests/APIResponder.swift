import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import Logging

/// A responder that finds the endpoint of a request, authorizes the peer, and calls the attached handler.
package struct APIResponder: Sendable {
    private let table: EndpointTable
    private let logger: Logger

    init(surface: any ControlSurface, hub: EventHub, logger: Logger) {
        table = Self.table(of: surface, hub: hub)
        self.logger = logger
    }

    /// Returns a table with the handlers of the surface and of the server.
    package static func table(of surface: any ControlSurface, hub: EventHub) -> EndpointTable {
        var table = EndpointTable(of: surface)
        let stream = EventStream(hub: hub, content: .complete(of: surface))
        table.handle(\.service.events, stream: stream.response)
        table.handle(\.service.metrics, with: surface.metrics)
        let status = ReplyEncoder<StatusReply>()
        table.handle(\.service.status, encode: status.encode, with: surface.status)
        let summary = ReplyEncoder<StatusSummaryReply>()
        table.handle(\.service.summary, encode: summary.encode) { () throws(ControlError) in
            StatusSummaryReply(try await surface.status())
        }
        table.handle(\.service.openapi) { () throws(ControlError) in OpenAPIText.embedded }
        return table
    }

    func respond(to request: Request, grant: AccessPolicy.Grant) async -> Response {
        do {
            return try await response(to: request, grant: grant)
        } catch {
            if error.code == .internal {
                logger.error(
                    "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return .error(error)
        }
    }

    private func response(to request: Request, grant: AccessPolicy.Grant) async throws(ControlError)
        -> Response
    {
        let method = request.method.rawValue
        switch EndpointMatch(method: method, path: request.uri.path) {
        case .unknown:
            let document = Endpoints.catalog.service.openapi.row.path
            throw ControlError(
                .notFound, "cannot find '\(request.uri.path)'", nextStep: "See \(document).")
        case .wrongMethod(let allowed):
            let methods = allowed.joined(separator: ", ")
            var response = Response.error(
                ControlError(.wrongMethod, "cannot \(method) '\(request.uri.path)', use \(methods)"))
            response.headers[.allow] = methods
            return response
        case .found(let row, let parameter):
            guard grant.allows(row.access) else {
                throw ControlError(
                    .forbidden, "cannot do this: permission denied", nextStep: AccessAdvice.step)
            }
            return try await table.handler(of: row)(request, parameter ?? "")
        }
    }
}
