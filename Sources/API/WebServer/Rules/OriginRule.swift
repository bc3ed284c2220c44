import FrameFastAPI
import HTTPTypes

/// The checks that stop another web page from sending a request with the cookie of this page (CSRF).
///
/// A browser also sends the cookie with requests from pages on other ports of this host. Such a page can't
/// read a reply, but its GET request could start live view on a camera. A GET request that opens a WebSocket
/// has no `Sec-Fetch-Site` header, but its `Origin` header always names the page's origin.
enum OriginRule {
    /// Checks a request.
    ///
    /// - Parameter authority: The request's Host header, which ``HostRule`` accepted.
    /// - Throws: The error for the browser, if another page may have sent the request.
    static func check(_ request: HTTPRequest, authority: String, from peer: WebPeer) throws(ControlError) {
        let fields = request.headerFields
        // Without TLS, browsers send this header only to loopback addresses. Safari before 16.4 never sends
        // the header (mdn/browser-compat-data). Old iPads cannot be updated beyond iPadOS 15.
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] }
        let own = "\(peer.scheme)://\(authority.lowercased())"
        let origin = fields[.origin]?.lowercased()
        guard request.method != .get else {
            // A link from another site may open the page itself.
            let isPage = request.path?.hasPrefix(APIVersion.prefix + "/") != true
            guard isPage || origin == nil || origin == own else {
                throw refusal("the request comes from another page")
            }
            guard isPage || site == nil || site == "same-origin" || site == "none" else {
                throw refusal("the request comes from another site")
            }
            return
        }
        guard origin == own else {
            throw refusal("the request comes from another page")
        }
        guard mediaType(fields[.contentType]) == "application/json" else {
            throw refusal("the request has no Content-Type: application/json")
        }
        guard site == nil || site == "same-origin" else {
            throw refusal("the request comes from another site")
        }
    }

    private static func refusal(_ reason: String) -> ControlError {
        ControlError(
            .forbidden, "cannot accept the request: \(reason)",
            nextStep: "Open the page under its own address and try again.")
    }

    /// Returns the media type without its parameters, in lower case.
    private static func mediaType(_ field: String?) -> String? {
        field?.prefix { $0 != ";" }.split(separator: " ").first?.lowercased()
    }
}
