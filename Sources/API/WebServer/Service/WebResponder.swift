import APIServer
import FrameFastAPI
import FrameFastSystem
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import Synchronization
import WebPage
import WebPairing

/// A responder that checks a browser's request in this order: host, origin, device, role. The responder then
/// serves a file of the page, or calls the handler of the endpoint.
final class WebResponder: Sendable {
    private let table: EndpointTable
    private let pairing: WebPairingResponder
    private let events: WebEventResponder
    private let access: WebAccess
    private let policy: WebPolicy
    private let connections: WebConnections
    /// The files of the page, by path.
    private let files: [String: WebAsset]
    private let clock: HostClock
    private let logger: Logger
    private let hosts = Mutex<HostRule?>(nil)
    private let quota = Mutex(RatingQuota())
    private let fullSize = FullSizeLimiter()

    init(
        table: EndpointTable, events: WebEventResponder, access: WebAccess, policy: WebPolicy,
        connections: WebConnections, files: [WebAsset], clock: HostClock, logger: Logger
    ) {
        self.table = table
        self.events = events
        self.access = access
        self.policy = policy
        self.connections = connections
        self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        self.clock = clock
        self.logger = logger
        pairing = WebPairingResponder(access: access, policy: policy)
    }

    /// Replaces the accepted host names, after this computer's names changed.
    func setHosts(_ rule: HostRule) { hosts.withLock { $0 = rule } }

    /// Removes the rating quota of a device that lost access.
    func remove(_ device: WebDeviceID) { quota.withLock { $0.remove(device: device) } }

    func respond(to request: Request, from peer: WebPeer, on channel: any Channel) async -> Response {
        var response: Response
        do throws(ControlError) {
            response = try await answer(request, from: peer, on: channel)
        } catch {
            var reply = error
            if error.code == .internal {
                logger.error(
                    "a request of the web page failed",
                    metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
                // The message can contain paths and SQL statements, so only the log contains the message.
                reply.message = "cannot answer the request"
            }
            response = .error(reply)
            // A token that the service does not know is usually the token of a device that lost access.
            if error.code == .unauthorized, hasToken(request, from: peer) {
                PageHeaders.clearCache(in: &response.headers, for: peer)
            }
        }
        PageHeaders.add(to: &response.headers)
        return response
    }

    private func answer(
        _ request: Request, from peer: WebPeer, on channel: any Channel
    ) async throws(ControlError) -> Response {
        let authority = try authority(of: request.head, from: peer)
        try OriginRule.check(request.head, authority: authority, from: peer)
        let path = request.uri.path
        if let file = files[path] {
            guard request.method == .get else {
                throw ControlError(.wrongMethod, "cannot \(request.method.rawValue) '\(path)', use GET")
            }
            return file.response(to: request.head)
        }
        let cookie = TokenCookie(isEncrypted: peer.isEncrypted)
        if path == WebPairingResponder.sessionPath, request.method == .post {
            return try await pairing.pair(request, from: peer, cookie)
        }
        guard let token = cookie.token(in: request.headers), let device = await access.device(forToken: token)
        else {
            throw ControlError(
                .unauthorized, "cannot use this page: this device is not paired",
                nextStep: "Ask the photographer for a code.")
        }
        connections.assign(channel, to: device.id)
        if let response = try await pairing.response(to: request, of: device, from: peer, cookie) {
            return response
        }
        return try await call(request, of: device)
    }

    private func hasToken(_ request: Request, from peer: WebPeer) -> Bool {
        let text = TokenCookie(isEncrypted: peer.isEncrypted).token(in: request.headers)
        return text.flatMap { DeviceToken($0) } != nil
    }

    /// Checks the Host header and returns it.
    private func authority(of head: HTTPRequest, from peer: WebPeer) throws(ControlError) -> String {
        // The decoder moves the first Host header to the authority.
        let hasSecond = HTTPField.Name("Host").map { head.headerFields.contains($0) } ?? false
        guard let text = head.authority, !hasSecond else {
            throw ControlError(.badRequest, "cannot read the request: it needs exactly one Host header")
        }
        let rule = hosts.withLock { $0 }
        guard let authority = RequestAuthority(text), let rule, rule.allows(authority, from: peer) else {
            throw ControlError(
                .misdirected, "cannot serve this host name",
                nextStep:
                    "Open the address that 'framefast web pair' shows, or add the name to names in [web].")
        }
        return text
    }

    // MARK: Endpoints

    private func call(_ request: Request, of device: WebDevice) async throws(ControlError) -> Response {
        let method = request.method.rawValue
        switch EndpointMatch(method: method, path: request.uri.path) {
        case .unknown: throw ControlError(.notFound, "cannot find '\(request.uri.path)'")
        case .wrongMethod(let allowed):
            let methods = allowed.joined(separator: ", ")
            throw ControlError(.wrongMethod, "cannot \(method) '\(request.uri.path)', use \(methods)")
        case .found(let row, let parameter):
            try policy.check(device, uses: row.name)
            if row.name == WebPolicy.events { return try await events.response(for: device) }
            var request = request
            if row.name == WebPolicy.rating, let shot = parameter.flatMap({ ShotID(pathText: $0) }) {
                request = try await counted(request, of: device, shot: shot)
            }
            var response = try await run(try table.handler(of: row), request, parameter ?? "", device)
            PageHeaders.limitPicture(&response.headers)
            guard row.name == WebPolicy.original else { return response }
            return try fullSize.limited(response, for: device.id)
        }
    }

    /// Calls a handler with the rights of the device.
    private func run(
        _ handler: EndpointTable.Handler, _ request: Request, _ parameter: String,
        _ device: WebDevice
    ) async throws(ControlError) -> Response {
        let caller = RequestCaller(
            device: device.id, name: device.name, role: device.role,
            session: policy.sessionLimit(of: device))
        let result = await RequestCaller.$current.withValue(caller) {
            await Self.result(of: handler, request, parameter)
        }
        return try result.get()
    }

    private static func result(
        of handler: EndpointTable.Handler, _ request: Request, _ parameter: String
    ) async -> Result<Response, ControlError> {
        do throws(ControlError) { return .success(try await handler(request, parameter)) } catch {
            return .failure(error)
        }
    }

    /// Counts a rating, and returns the request with its body.
    private func counted(
        _ request: Request, of device: WebDevice, shot: ShotID
    ) async throws(ControlError) -> Request {
        let (rating, body) = try await RequestBodyReader.decodeAndKeep(RatingRequest.self, from: request)
        let now = clock.uptime()
        let failure = quota.withLock { quota -> ControlError? in
            do throws(ControlError) {
                try quota.count(
                    device: device.id, shot: shot, comment: rating.comment, at: now)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        var request = request
        request.body = body
        return request
    }
}
