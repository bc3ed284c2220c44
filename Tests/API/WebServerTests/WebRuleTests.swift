import FrameFastAPI
import HTTPTypes
import Testing

@testable import WebServer

/// Tests of the rules for origins, cookies, headers and limits.
@Suite struct WebRuleTests {
    private static let host = "192.168.1.20:9480"

    struct OriginRow: Sendable, CustomTestStringConvertible {
        var title: String
        var method = HTTPRequest.Method.post
        var path: String
        var isEncrypted = true
        var fields: [String: String]
        var isAllowed: Bool
        var testDescription: String { title }

        init(
            _ title: String, method: HTTPRequest.Method = .post, path: String = "/v1/sessions",
            isEncrypted: Bool = true,
            origin: String? = "https://192.168.1.20:9480", type: String? = "application/json",
            site: String? = "same-origin", isAllowed: Bool
        ) {
            self.title = title
            self.method = method
            self.path = path
            self.isEncrypted = isEncrypted
            self.isAllowed = isAllowed
            fields = [:]
            fields["Origin"] = origin
            fields["Content-Type"] = type
            fields["Sec-Fetch-Site"] = site
        }
    }

    @Test(arguments: [
        OriginRow("own page", isAllowed: true),
        OriginRow("own page with a character set", type: "Application/JSON; charset=utf-8", isAllowed: true),
        OriginRow("read", method: .get, origin: nil, type: nil, isAllowed: true),
        OriginRow("typed address", method: .get, origin: nil, type: nil, site: "none", isAllowed: true),
        OriginRow("read without TLS", method: .get, origin: nil, type: nil, site: nil, isAllowed: true),
        OriginRow(
            "link to the page", method: .get, path: "/", origin: nil, type: nil, site: "cross-site",
            isAllowed: true),
        OriginRow(
            "live view in a page of another port", method: .get, path: "/v1/cameras/studio/live.mjpeg?rate=1",
            origin: nil, type: nil, site: "same-site", isAllowed: false),
        OriginRow(
            "WebSocket in a page of another port", method: .get, path: "/v1/cameras/studio/live.mjpeg?rate=1",
            origin: "https://192.168.1.20:8080", type: nil, site: nil, isAllowed: false),
        OriginRow("WebSocket of the page", method: .get, type: nil, site: nil, isAllowed: true),
        OriginRow(
            "link to the page with an origin", method: .get, path: "/", origin: "null", type: nil,
            site: "cross-site", isAllowed: true),
        OriginRow("delete without an origin", method: .delete, origin: nil, isAllowed: false),
        OriginRow("foreign origin", origin: "https://evil.test", isAllowed: false),
        OriginRow("opaque origin", origin: "null", isAllowed: false),
        OriginRow("same host without TLS", origin: "http://192.168.1.20:9480", isAllowed: false),
        OriginRow("another port", origin: "https://192.168.1.20:8080", isAllowed: false),
        OriginRow("form", type: "application/x-www-form-urlencoded", isAllowed: false),
        OriginRow("text", type: "text/plain", isAllowed: false),
        OriginRow("no type", type: nil, isAllowed: false),
        OriginRow("sibling site", site: "same-site", isAllowed: false),
        OriginRow("own page in Safari before 16.4", site: nil, isAllowed: true),
        OriginRow(
            "foreign origin in Safari before 16.4", origin: "https://evil.test", site: nil, isAllowed: false),
        OriginRow("form in Safari before 16.4", type: "text/plain", site: nil, isAllowed: false),
        OriginRow(
            "no Sec-Fetch-Site without TLS", isEncrypted: false, origin: "http://192.168.1.20:9480",
            site: nil,
            isAllowed: true),
        OriginRow(
            "foreign site without TLS", isEncrypted: false, origin: "http://192.168.1.20:9480",
            site: "cross-site", isAllowed: false),
        OriginRow("preflight", method: .options, origin: "https://evil.test", type: nil, isAllowed: false),
    ])
    func `refuses changes and API requests that another page may have sent`(row: OriginRow) throws {
        var fields = HTTPFields()
        for (name, value) in row.fields { fields[try #require(HTTPField.Name(name))] = value }
        let request = HTTPRequest(
            method: row.method, scheme: "https", authority: Self.host, path: row.path,
            headerFields: fields)
        let peer = WebPeer(remote: .loopback, local: .loopback, isEncrypted: row.isEncrypted)
        var failure: ControlError?
        do throws(ControlError) { try OriginRule.check(request, authority: Self.host, from: peer) } catch {
            failure = error
        }
        #expect(failure?.code == (row.isAllowed ? nil : .forbidden))
    }

    @Test(arguments: [
        ("__Host-framefast=abc", true, "abc"), ("a=1; __Host-framefast=abc; b=2", true, "abc"),
        ("framefast=abc", true, nil), ("x__Host-framefast=abc", true, nil), ("framefast=abc", false, "abc"),
        ("", true, nil), ("__Host-framefast", true, nil), ("__Host-framefast=", true, ""),
    ])
    func `reads the token from the cookie for TLS or plain HTTP`(
        header: String, isEncrypted: Bool, token: String?
    ) {
        #expect(TokenCookie(isEncrypted: isEncrypted).token(in: [.cookie: header]) == token)
    }

    @Test func `cookie is hidden from scripts and other sites`() {
        let secure = TokenCookie(isEncrypted: true).setting("abc")
        #expect(secure.hasPrefix("__Host-framefast=abc; Path=/; "))
        for part in ["Secure", "HttpOnly", "SameSite=Strict"] { #expect(secure.contains(part)) }
        #expect(!secure.contains("Domain"))
        let plain = TokenCookie(isEncrypted: false).setting("abc")
        #expect(plain.hasPrefix("framefast=abc;") && !plain.contains("Secure"))
        #expect(TokenCookie(isEncrypted: true).deletion.contains("Max-Age=0"))
    }

    @Test func `every reply limits the page to its own files`() {
        var fields: HTTPFields = [.cacheControl: "no-cache"]
        PageHeaders.add(to: &fields)
        let policy = fields[.contentSecurityPolicy] ?? ""
        for rule in [
            "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'",
        ] {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe") && !policy.contains("\n"))
        #expect(fields[.xContentTypeOptions] == "nosniff")
        #expect(fields[.cacheControl] == "no-cache")
        #expect(fields[.accessControlAllowOrigin] == nil)
        var empty = HTTPFields()
        PageHeaders.add(to: &empty)
        #expect(empty[.cacheControl] == "no-store")
    }

    @Test(arguments: [
        ("192.168.1.20", true, true), ("127.0.0.1", false, true), ("192.168.1.20", false, false),
    ])
    func `sends Clear-Site-Data only over TLS or to this computer`(
        local: String, isEncrypted: Bool, isCleared: Bool
    ) throws {
        let address = try #require(IPAddress(local))
        var fields = HTTPFields()
        PageHeaders.clearCache(
            in: &fields, for: WebPeer(remote: address, local: address, isEncrypted: isEncrypted))
        let names = fields.map(\.name.rawName)
        #expect(names == (isCleared ? ["Clear-Site-Data"] : []))
    }

    private static func rate(
        _ quota: inout RatingQuota, device: WebDeviceID = 1, shot: ShotID = 1, comment: String? = nil,
        at time: Double
    ) -> ErrorReply.Code? {
        do throws(ControlError) {
            try quota.count(device: device, shot: shot, comment: comment, at: time)
            return nil
        } catch { return error.code }
    }

    @Test func `refuses more than 60 ratings of a device in a minute`() {
        var quota = RatingQuota()
        for index in 0..<60 { #expect(Self.rate(&quota, at: Double(index) / 2) == nil) }
        #expect(Self.rate(&quota, at: 30) == .tooMany)
        #expect(Self.rate(&quota, device: 2, at: 30) == nil)
        #expect(Self.rate(&quota, at: 60) == nil)
    }

    @Test func `counts an unchanged comment on a shot once`() {
        var quota = RatingQuota()
        for index in Int64(0)..<10 {
            #expect(Self.rate(&quota, shot: ShotID(rawValue: index), comment: "good", at: 0) == nil)
        }
        #expect(Self.rate(&quota, shot: 11, comment: "good", at: 1) == .tooMany)
        #expect(Self.rate(&quota, shot: 3, comment: "good", at: 1) == nil)
        #expect(Self.rate(&quota, shot: 3, comment: "better", at: 1) == .tooMany)
        #expect(Self.rate(&quota, shot: 3, comment: "better", at: 61) == nil)
    }

    @Test func `does not store the text of a counted comment`() {
        var quota = RatingQuota()
        #expect(Self.rate(&quota, comment: "The second one", at: 0) == nil)
        #expect(!String(describing: quota).contains("second"))
    }

    @Test func `limits the full-size photos that a device receives at the same time`() {
        let limiter = FullSizeLimiter()
        var leases = (0..<WebServerLimits.fullSizeMax).map { _ in limiter.lease(for: 1) }
        #expect(leases.allSatisfy { $0 != nil })
        let more = limiter.lease(for: 1)
        let other = limiter.lease(for: 2)
        #expect(more == nil && other != nil)
        leases.removeLast()
        let next = limiter.lease(for: 1)
        #expect(next != nil)
        withExtendedLifetime(leases) {}
    }

    @Test func `reader without progress between two checks is stalled`() {
        var progress = WriteProgress()
        #expect([100, 90, 90].map { progress.isStalled(buffered: $0) } == [false, false, true])
        progress.reset()
        #expect([90, 0, 0].map { progress.isStalled(buffered: $0) } == [false, false, false])
    }
}
