import APIServer
import FoundationEssentials
import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// Answers one request of a browser: first whether it may be asked at all, then who asks, then what.
struct WebResponder: Sendable {
    /// Where a request came from.
    struct Origin: Sendable {
        var remote: SocketAddress?
        var local: SocketAddress?
    }

    /// What an owner's page may ask of the socket's endpoints, beside looking at the status and the fleet.
    private static let controls: Set<String> = [
        "camerasTrigger", "camerasTriggerAll", "camerasLivePictures", "uploadsSetMode", "sessionsStart",
        "sessionsStop",
    ]

    let surface: any WebSurface
    let responder: APIResponder
    let desk: WebDesk
    let events: WebEvents
    let hosts: WebHosts
    let isTLS: Bool
    let mayControl: Bool
    let logger: Logger

    func respond(to request: Request, from origin: Origin) async -> Response {
        var response: Response
        do { response = try await answer(request, origin) } catch {
            if error.code == .internal {
                logger.error("a page's request failed", metadata: ["error": "\(error)"])
            }
            response = .error(error)
        }
        for field in WebHeaders.all(isTLS: isTLS) where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        return response
    }

    private func answer(_ request: Request, _ origin: Origin) async throws(ControlError) -> Response {
        guard let remote = origin.remote, WebHosts.isPrivate(remote),
            origin.local.map(WebHosts.isPrivate) ?? false
        else { throw ControlError(.forbidden, "this page is for the local network only") }
        guard hosts.isOurs(request.head.authority, local: origin.local) else {
            var response = Response.error(
                ControlError(.badRequest, "this is not the host that was asked for"))
            response.status = .misdirectedRequest
            return response
        }
        let isLooking = request.method == .get || request.method == .head
        if !isLooking { try checkOrigin(request) }
        let path = request.uri.path
        if isLooking, let file = WebFiles.file(path) { return file }
        if path == "/pair", request.method == .post { return try await pair(request, remote) }
        guard let token = Self.token(request, isTLS: isTLS), let device = await desk.device(token: token)
        else {
            var response = Response.error(
                ControlError(.forbidden, "this device was not let in", nextStep: "Ask for a code."))
            response.status = .unauthorized
            return response
        }
        return try await answer(request, device)
    }

    /// Somebody else's page must not make a browser do something here.
    private func checkOrigin(_ request: Request) throws(ControlError) {
        let own = (isTLS ? "https://" : "http://") + (request.head.authority ?? "")
        let site = request.headers[WebHeaders.fetchSite]
        guard request.headers[.origin] == own, site == nil || site == "same-origin" else {
            throw ControlError(.forbidden, "this was asked by another page")
        }
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw ControlError(.badRequest, "the body is no JSON")
        }
    }

    private func pair(_ request: Request, _ remote: SocketAddress) async throws(ControlError) -> Response {
        let asked = try await RequestBodyReader.decode(PairRequest.self, from: request)
        let address = WebHosts.text(remote)
        let (device, token): (WebDevice, String)
        do {
            (device, token) = try await desk.admit(
                code: String(asked.code.prefix(32)), name: asked.name ?? "", from: address)
        } catch {
            // Those who must wait are not written down: nobody fills the log.
            if error.code == .forbidden {
                logger.notice(
                    "a code was refused", metadata: ["from": "\(address)", "why": "\(error.message)"])
            }
            throw error
        }
        logger.notice(
            "a device was let in", metadata: ["device": "\(device.id)", "role": "\(device.role.rawValue)"])
        var response = try await me(device)
        response.headers[.setCookie] = WebHeaders.cookie(token, isTLS: isTLS)
        return response
    }

    private func me(_ device: WebDevice) async throws(ControlError) -> Response {
        var name: String?
        if let session = device.session { name = await surface.name(of: session) }
        return try .json(WebMeReply(device, sessionName: name, mayControl: mayControl))
    }

    // MARK: What is asked

    private func answer(_ request: Request, _ device: WebDevice) async throws(ControlError) -> Response {
        let segments = request.uri.path.split(separator: "/").map(String.init)
        switch (request.method, segments.first, segments.count) {
        case (.get, "v1", 2) where segments[1] == "me": return try await me(device)
        case (.post, "done", 1):
            return try await me(try await desk.finish(device))
        case (.get, "v1", 2) where segments[1] == "events": return try events.response(for: device)
        case (.get, "v1", 2) where segments[1] == "shots":
            var query = try QueryReader.decode(ShotsQuery.self, from: request.uri.query)
            if device.role != .owner { query.session = device.session ?? SessionID(rawValue: 0) }
            return try .json(try await surface.list(query))
        case (_, "v1", 3...4) where segments[1] == "shots":
            return try await shot(request, segments, device)
        default: return try await asOwner(request, device)
        }
    }

    private func shot(
        _ request: Request, _ segments: [String], _ device: WebDevice
    ) async throws(ControlError) -> Response {
        guard let id = ShotID(pathText: segments[2]) else { throw Self.noShot }
        // Another session's shot is none at all.
        guard device.sees(session: try await surface.session(of: id)) else { throw Self.noShot }
        if segments.count == 3, request.method == .get {
            return try .json(try await surface.detail(id, for: device))
        }
        guard segments.count == 4 else { throw Self.noShot }
        if request.method == .get, let size = ShotPictureSize(rawValue: segments[3]) {
            return .still(try await surface.picture(id, size))
        }
        guard request.method == .post, segments[3] == "rating" else { throw Self.noShot }
        guard device.mayRate else {
            throw ControlError(
                .forbidden, device.isDone ? "you said that you are done" : "this device looks only")
        }
        let rating = try await RequestBodyReader.decode(RatingRequest.self, from: request).checked()
        let isAllowed = await desk.allow(.rating, device)
        let mayComment = rating.comment == .keep ? true : await desk.allow(.comment, device)
        guard isAllowed, mayComment else {
            throw ControlError(.unavailable, "too much at once", nextStep: "Go on in a minute.")
        }
        return try .json(try await surface.rate(id, rating, by: device))
    }

    private static let noShot = ControlError(.notFound, "there is no such photo")

    /// What the socket answers as well: the status, and what is allowed of the rest.
    private func asOwner(_ request: Request, _ device: WebDevice) async throws(ControlError) -> Response {
        guard device.role == .owner,
            case .found(let row, _) = EndpointMatch(
                method: request.method.rawValue, path: request.uri.path)
        else { throw ControlError(.notFound, "there is nothing at '\(request.uri.path)'") }
        let mayAsk =
            ["serviceStatus", "camerasList", "fleetList"].contains(row.name)
            || mayControl && Self.controls.contains(row.name)
        guard mayAsk else {
            throw ControlError(
                .forbidden, "the page may not do this",
                nextStep: "Use framefast on the service's computer, or set [web] control = true.")
        }
        return await Asker.$current.withValue(Asker(device: device.name)) {
            await responder.respond(to: request, grant: .control)
        }
    }

    private static func token(_ request: Request, isTLS: Bool) -> String? {
        let name = WebHeaders.cookieName(isTLS: isTLS) + "="
        for field in request.headers[values: .cookie] {
            for part in field.split(separator: ";") {
                let pair = part.drop { $0 == " " }
                if pair.hasPrefix(name) { return String(pair.dropFirst(name.count)) }
            }
        }
        return nil
    }
}
