import APIServer
import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import TextForms
import WebPairing

/// The paths that only the web page has: pairing, the device's own rights, the final ratings, and logging
/// out.
struct WebPairingResponder: Sendable {
    /// The path at which a browser exchanges a code for a cookie.
    static let sessionPath = APIVersion.prefix + "/web/session"
    static let mePath = APIVersion.prefix + "/web/me"
    static let donePath = APIVersion.prefix + "/web/done"

    let access: WebAccess
    let policy: WebPolicy

    /// Exchanges a code for the cookie of a new device. If the browser was already paired, its previous
    /// device loses access, and the response deletes that device's pictures in the browser, if possible.
    func pair(
        _ request: Request, from peer: WebPeer, _ cookie: TokenCookie
    ) async throws(ControlError) -> Response {
        let input = try await RequestBodyReader.decode(WebSessionRequest.self, from: request)
        let name = UntrustedText.cleaned(input.name, lengthMax: WebDevice.nameLengthMax)
        guard !name.isEmpty else {
            throw ControlError(.invalid, "cannot pair without a name", nextStep: "Enter your name.")
        }
        let previousToken = cookie.token(in: request.headers) ?? ""
        let previous = await access.device(forToken: previousToken)
        let pairing: WebAccess.Pairing
        do {
            pairing = try await access.pair(
                code: input.code, name: name, from: peer.remote.description)
        } catch {
            throw ControlError(
                .internal, "cannot store the device: \(error)",
                nextStep: "Ask the photographer for a new code.")
        }
        switch pairing {
        case .paired(let device, let token):
            var response = try Response.json(me(device), status: .created)
            response.headers[.setCookie] = cookie.setting(token.text)
            if let previous {
                // A failure is ignored: the previous device has already lost access, and a later call of
                // `removeEndedDevices()` removes it. The response replaces the browser's token.
                _ = try? await access.revoke(previous.id)
                PageHeaders.clearCache(in: &response.headers, for: peer)
            }
            return response
        case .refused:
            throw ControlError(
                .forbidden, "cannot pair: the code is wrong, used or expired",
                nextStep: "Check the code, or ask the photographer for a new one.")
        case .limited(let seconds):
            let wait = Int(max(seconds, 1).rounded(.up))
            var response = Response.error(
                ControlError(
                    .tooMany, "cannot try another code yet: too many codes were wrong",
                    nextStep: "Wait \(wait) seconds, then try again."))
            response.headers[.retryAfter] = "\(wait)"
            return response
        case .full:
            throw ControlError(
                .unavailable, "cannot pair more than \(WebAccess.devicesMax) devices",
                nextStep: "The photographer can remove devices with 'framefast web revoke'.")
        }
    }

    /// Returns the reply to a request of a paired device for one of the page's own paths, or `nil` for
    /// another path.
    func response(
        to request: Request, of device: WebDevice, from peer: WebPeer, _ cookie: TokenCookie
    ) async throws(ControlError) -> Response? {
        let methods: [HTTPRequest.Method]
        switch request.uri.path {
        case Self.mePath: methods = [.get]
        case Self.donePath: methods = [.post]
        case Self.sessionPath: methods = [.post, .delete]
        default: return nil
        }
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .wrongMethod, "cannot \(request.method.rawValue) '\(request.uri.path)', use \(allowed)")
        }
        switch request.uri.path {
        case Self.mePath: return try .json(me(device))
        case Self.donePath: return try .json(me(try await finish(device)))
        default: return await logOut(device, from: peer, cookie)
        }
    }

    private func finish(_ device: WebDevice) async throws(ControlError) -> WebDevice {
        guard device.role == .client else {
            throw ControlError(.forbidden, "cannot send final ratings: only a client's device has them")
        }
        let finished: WebDevice?
        do { finished = try await access.finish(device.id) } catch {
            throw ControlError(.internal, "cannot store the final ratings: \(error)", nextStep: "Try again.")
        }
        return finished ?? device
    }

    /// Revokes the device. The response deletes the token and, if possible, the pictures in the browser, even
    /// if the ledger fails.
    private func logOut(_ device: WebDevice, from peer: WebPeer, _ cookie: TokenCookie) async -> Response {
        var response = Response(status: .noContent)
        do { _ = try await access.revoke(device.id) } catch {
            // The reason can contain paths. It is therefore only in the log.
            response = .error(
                ControlError(
                    .internal, "cannot store that device \(device.id) is logged out",
                    nextStep: "Ask the photographer to revoke the device with 'framefast web revoke'."))
        }
        response.headers[.setCookie] = cookie.deletion
        PageHeaders.clearCache(in: &response.headers, for: peer)
        return response
    }

    private func me(_ device: WebDevice) -> WebMeReply {
        WebMeReply(
            name: device.name, role: device.role, session: device.sessionName,
            control: device.role == .owner && policy.allowsControl,
            originals: policy.names(for: device.role).contains(WebPolicy.original), done: device.isDone)
    }
}
