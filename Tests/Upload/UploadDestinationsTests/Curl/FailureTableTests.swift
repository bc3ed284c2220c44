import CCurl
import Testing
import UploadEngine

@testable import UploadDestinations

@Suite struct FailureTableTests {
    private static let place = "https://photos.example.org"

    @Test(
        arguments: [
            (65_536, 2_000_000, true), (1_999_999, 2_000_000, true), (65_535, 2_000_000, false),
            (2_000_000, 2_000_000, false), (2_000_001, 2_000_000, false), (0, 0, false),
            // In these rows, the photo is so small that no part of it can identify the photo.
            (10_000, 30_000, false), (65_536, 30_000, false), (65_536, 65_536, false),
        ] as [(UInt64, UInt64, Bool)])
    func `only a file within the size limits may be a photo's part`(
        bytes: UInt64, photo: UInt64, isPart: Bool
    ) {
        #expect(PhotoFile.mayBePart(bytes, of: photo) == isPart)
    }

    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, 0, UploadFailure.Kind.outage(retryAfterSeconds: nil)),
        (CURLE_COULDNT_CONNECT, 0, .outage(retryAfterSeconds: nil)),
        (CURLE_OPERATION_TIMEDOUT, 0, .outage(retryAfterSeconds: nil)),
        (CURLE_SSL_CONNECT_ERROR, 0, .outage(retryAfterSeconds: nil)),
        (CURLE_PEER_FAILED_VERIFICATION, 0, .permanent(.untrusted)),
        (CURLE_SSL_CACERT_BADFILE, 0, .permanent(.misconfigured)),
        (CURLE_USE_SSL_FAILED, 0, .permanent(.untrusted)),
        (CURLE_URL_MALFORMAT, 0, .permanent(.misconfigured)),
        (CURLE_UNSUPPORTED_PROTOCOL, 0, .permanent(.misconfigured)),
        (CURLE_LOGIN_DENIED, 530, .permanent(.unauthorised)),
        (CURLE_LOGIN_DENIED, 534, .permanent(.untrusted)),
        (CURLE_LOGIN_DENIED, 421, .outage(retryAfterSeconds: nil)),
        (CURLE_REMOTE_DISK_FULL, 452, .permanent(.full)),
        (CURLE_FILESIZE_EXCEEDED, 0, .permanent(.tooLarge)),
        (CURLE_REMOTE_ACCESS_DENIED, 550, .permanent(.notFound)),
        (CURLE_UPLOAD_FAILED, 550, .permanent(.forbidden)),
        (CURLE_UPLOAD_FAILED, 553, .permanent(.forbidden)),
        (CURLE_UPLOAD_FAILED, 552, .permanent(.full)),
        (CURLE_UPLOAD_FAILED, 421, .outage(retryAfterSeconds: nil)),
        (CURLE_UPLOAD_FAILED, 426, .transient),
        (CURLE_QUOTE_ERROR, 502, .permanent(.misconfigured)),
        (CURLE_QUOTE_ERROR, 532, .permanent(.unauthorised)),
        (CURLE_PARTIAL_FILE, 0, .transient),
        (CURLE_SEND_ERROR, 0, .transient),
        (CURLE_ABORTED_BY_CALLBACK, 0, .cancelled),
        (CURLE_OUT_OF_MEMORY, 0, .outage(retryAfterSeconds: nil)),
    ])
    func `maps libcurl result codes to failure kinds`(
        code: CURLcode, status: Int, kind: UploadFailure.Kind
    ) {
        let failure = TransportFailure.curl(code: code.rawValue, words: "why", status: status, sent: 9)
            .uploadFailure(place: Self.place)
        #expect(failure.kind == kind)
        #expect(
            failure.kind == .cancelled || failure.sentence.contains(Self.place)
                || failure.sentence.contains("ca_file"))
        #expect(failure.sentence.hasSuffix("."))
        if case .permanent(let reason) = failure.kind, reason != .tooLarge {
            #expect(failure.nextStep != nil)
        }
    }

    @Test(arguments: [
        (
            426, "426 No space left on device; transfer aborted.",
            UploadFailure.Kind.permanent(.full)
        ),
        (426, "426 Connection closed.", .transient),
        (451, "451 Failure writing to local file.", .outage(retryAfterSeconds: nil)),
    ])
    func `maps the FTP reply after an aborted transfer to a failure kind`(
        status: Int, reply: String, kind: UploadFailure.Kind
    ) {
        let failure = TransportFailure.curl(
            code: CURLE_PARTIAL_FILE.rawValue, words: "server did not report OK, got \(status): \(reply)",
            status: status, sent: 9)
        #expect(failure.uploadFailure(place: "ftp://nas").kind == kind)
    }

    @Test(
        arguments: [
            (450, .look, .permanent(.forbidden)), (550, .look, .permanent(.forbidden)),
            // When a copy is read back, 450 means that a different program is using the copy.
            (450, .readBack, .outage(retryAfterSeconds: nil)), (550, .readBack, .permanent(.forbidden)),
        ] as [(Int, UploadStep, UploadFailure.Kind)])
    func `maps FTP replies 450 and 550 to failure kinds by step`(
        status: Int, step: UploadStep, kind: UploadFailure.Kind
    ) {
        let failure = TransportFailure.curl(
            code: CURLE_FTP_COULDNT_RETR_FILE.rawValue, words: "RETR response: \(status)", status: status,
            sent: 0)
        #expect(failure.uploadFailure(place: "ftp://nas", at: step, name: "a.JPG").kind == kind)
    }

    /// IIS keeps a file open until it ends the broken transfer. The file must not count as refused.
    @Test(arguments: [UploadStep.send, .resume, .rename, .remove])
    func `retries later if an earlier transfer has the file open`(step: UploadStep) {
        let reply =
            "550 The process cannot access the file because it is being used by another process."
        let failure = TransportFailure.ftp(
            550, place: "ftp://nas", words: reply, denied: false, step, "a.JPG")
        #expect(failure.kind == .transient)
        #expect(failure.step == step)
        #expect(failure.sentence.contains(reply))
    }

    /// Replies of vsftpd, ProFTPD, FileZilla Server and IIS. The last two refuse the password.
    @Test(arguments: [
        (530, "530 Non-anonymous sessions must use encryption.", true),
        (550, "550 SSL/TLS required on the control channel", true), (530, "530 TLS required", true),
        (503, "503 Use AUTH first.", true), (534, "534 Policy requires SSL.", true),
        (530, "530 Login incorrect.", false), (530, "530 User tls cannot log in.", false),
    ])
    func `distinguishes an FTP server that requires TLS from a wrong password`(
        status: Int, reply: String, isTLS: Bool
    ) {
        let failure = TransportFailure.curl(
            code: CURLE_LOGIN_DENIED.rawValue, words: "Access denied: \(status): \(reply)", status: status,
            sent: 0
        ).uploadFailure(place: "ftp://nas")
        #expect(failure.kind == .permanent(isTLS ? .untrusted : .unauthorised))
        #expect(failure.sentence.contains(reply))
        #expect(failure.nextStep?.contains("encryption = \"explicit\"") == isTLS)
    }

    /// Messages of libcurl with OpenSSL 3 and 1.1, and with GnuTLS. The last rows have messages with other
    /// causes.
    @Test(arguments: [
        ("OpenSSL/3.0.19: error:0A00042E:SSL routines::tlsv1 alert protocol version", true),
        ("error:1409442E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version", true),
        ("gnutls_handshake() failed: Error in protocol version", true),
        ("OpenSSL/3.0.19: error:0A000102:SSL routines::unsupported protocol", false),
        ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", false),
    ])
    func `recognizes an FTP server that requires TLS 1.3`(words: String, isRefusal: Bool) {
        func failure(_ code: CURLcode) -> UploadFailure? {
            TransportFailure.curl(code: code.rawValue, words: words, status: 0, sent: 0)
                .refusalOfTLS12(place: "ftp://nas")
        }
        #expect(failure(CURLE_COULDNT_CONNECT) == nil)
        let refusal = failure(CURLE_SSL_CONNECT_ERROR)
        #expect((refusal != nil) == isRefusal)
        if isRefusal {
            #expect(refusal?.kind == .permanent(.untrusted))
            #expect(refusal?.sentence.contains("TLS 1.3 is off") == true)
            #expect(refusal?.nextStep?.contains("tls13 = true") == true)
        }
    }

    @Test func `reports an outage for a connection lost before the first byte`() {
        let failure = TransportFailure.curl(
            code: CURLE_RECV_ERROR.rawValue, words: "reset", status: 0, sent: 0)
        #expect(failure.uploadFailure(place: Self.place).kind == .outage(retryAfterSeconds: nil))
    }

    @Test(arguments: [
        (
            CURLE_GOT_NOTHING, "https://nas",
            "https://nas closed the connection when asked to create the folder June"
        ),
        (
            CURLE_RECV_ERROR, "https://nas",
            "https://nas broke the connection when asked to create the folder June"
        ),
        (CURLE_RECV_ERROR, "ftp://nas", "ftp://nas broke the connection"),
    ])
    func `names the failed step of a connection closed without a response`(
        code: CURLcode, place: String, sentence: String
    ) {
        let failure = TransportFailure.curl(code: code.rawValue, words: "no answer", status: 0, sent: 0)
            .uploadFailure(place: place, at: .makeFolder, name: "June")
        #expect(failure.sentence == "\(sentence) (no answer).")
        #expect(failure.step == .connect)
    }

    @Test(arguments: [
        (301, UploadFailure.Kind.permanent(.misconfigured)), (400, .permanent(.unprocessable)),
        (401, .permanent(.unauthorised)), (403, .permanent(.forbidden)), (404, .permanent(.notFound)),
        (405, .permanent(.misconfigured)), (407, .permanent(.misconfigured)), (408, .transient),
        (409, .permanent(.conflict)), (410, .permanent(.notFound)), (412, .permanent(.conflict)),
        (413, .permanent(.tooLarge)), (415, .permanent(.unprocessable)), (422, .permanent(.unprocessable)),
        (423, .transient), (425, .transient),
        (429, .outage(retryAfterSeconds: nil)), (500, .outage(retryAfterSeconds: nil)),
        (502, .outage(retryAfterSeconds: nil)), (503, .outage(retryAfterSeconds: nil)),
        (507, .permanent(.full)),
    ])
    func `maps HTTP statuses to failure kinds`(status: Int, kind: UploadFailure.Kind) {
        let failure = CurlResponse(status: status).refusal(place: Self.place)
        #expect(failure.kind == kind)
        #expect(failure.sentence.contains(Self.place) && failure.sentence.contains("\(status)"))
        if status >= 500 { #expect(failure.nextStep != nil) }
        if case .permanent = failure.kind { #expect(failure.nextStep != nil) }
    }

    @Test(
        arguments: [
            (["Digest realm=\"dav\", nonce=\"1\""], false, true),
            (["Negotiate", "NTLM", "digest realm=\"dav\""], false, true),
            (["Negotiate, Digest realm=\"dav\", nonce=\"1\""], false, true),
            // The request used Digest, so the password is wrong.
            (["Digest realm=\"dav\", nonce=\"1\""], true, false),
            (["Digest realm=\"dav\", nonce=\"1\"", "Basic realm=\"dav\""], false, false),
            (["Digest realm=\"dav\", nonce=\"1\", Basic realm=\"dav\""], false, false),
            (["Bearer", "Digest realm=\"dav\""], false, false),
            (["Basic realm=\"digest\""], false, false), ([], false, false),
        ] as [([String], Bool, Bool)])
    func `advises Digest if the server offers no other supported method`(
        offers: [String], usedDigest: Bool, isAdvised: Bool
    ) {
        var response = CurlResponse(
            status: 401, headers: offers.map { HTTPHeader("www-authenticate", $0) })
        response.usedDigest = usedDigest
        let failure = response.refusal(place: Self.place)
        #expect(failure.kind == .permanent(.unauthorised))
        let advice =
            "Set auth = \"digest\" for the destination, because the server offers no other supported method."
        #expect((failure.nextStep == advice) == isAdvised, "\(failure.nextStep ?? "")")
        #expect(failure.nextStep?.contains("password") == !isAdvised)
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("999999999", 3_600), ("soon", nil), ("-5", nil), ("nan", nil),
    ])
    func `parses Retry-After as seconds or as a date by the server clock`(value: String, seconds: Double?) {
        let date = HTTPHeader("date", "Sun, 06 Nov 1994 08:49:37 GMT")
        let response = CurlResponse(status: 503, headers: [date, HTTPHeader("retry-after", value)])
        #expect(response.retryAfterSeconds == seconds)
    }

    @Test(arguments: [
        ("SignatureDoesNotMatch", 403, UploadFailure.Kind.permanent(.unauthorised)),
        ("InvalidAccessKeyId", 403, .permanent(.unauthorised)), ("AccessDenied", 403, .permanent(.forbidden)),
        ("NoSuchBucket", 404, .permanent(.notFound)), ("EntityTooLarge", 400, .permanent(.tooLarge)),
        ("BadDigest", 400, .transient), ("RequestTimeout", 400, .transient),
        ("RequestTimeTooSkewed", 403, .permanent(.misconfigured)),
        ("AuthorizationHeaderMalformed", 400, .permanent(.misconfigured)),
        ("SlowDown", 503, .outage(retryAfterSeconds: nil)),
        ("InternalError", 200, .outage(retryAfterSeconds: nil)),
        ("OperationAborted", 409, .transient), ("SomethingNew", 400, .permanent(.unprocessable)),
        ("XMinioStorageFull", 507, .permanent(.full)),
        ("InvalidRegionName", 400, .permanent(.misconfigured)),
    ])
    func `maps S3 error codes to failure kinds regardless of the status`(
        code: String, status: Int, kind: UploadFailure.Kind
    ) {
        let xml = "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>m</Message></Error>"
        let response = S3Response(http: CurlResponse(status: status, body: Array(xml.utf8)))
        #expect(response.isRefused)
        #expect(response.refusal(place: Self.place, bucket: "b", at: .send, name: "a.JPG").kind == kind)
    }

    @Test(arguments: [
        "SecondLevelDomainForbidden", "PathStyleDomainForbidden", "VirtualHostDomainRequired",
        "InvalidPathAccess",
    ])
    func `advises the address style if a service refuses the bucket in the path`(code: String) {
        let xml = "<Error><Code>\(code)</Code><Message>m</Message></Error>"
        let response = S3Response(http: CurlResponse(status: 403, body: Array(xml.utf8)))
        let failure = response.refusal(place: Self.place, bucket: "b", at: .send, name: "a.JPG")
        #expect(failure.kind == .permanent(.misconfigured))
        #expect(failure.nextStep?.contains("address_style = \"host\"") == true)
    }

    /// Messages of Backblaze B2, Garage and AWS. Each response has the code `AccessDenied`.
    @Test(arguments: [
        ("Cannot upload files, storage cap exceeded. See the Caps &amp; Alerts page.", true),
        ("Cannot download file, download bandwidth or transaction (Class B) cap exceeded.", true),
        ("Forbidden: Object quota is reached, maximum objects for this bucket: 1000", true),
        ("Forbidden: Operation is not allowed for this key.", false), ("Access Denied", false),
    ])
    func `distinguishes a limit of an S3 account from a missing permission`(message: String, isLimit: Bool) {
        let xml = "<Error><Code>AccessDenied</Code><Message>\(message)</Message></Error>"
        let response = S3Response(http: CurlResponse(status: 403, body: Array(xml.utf8)))
        let failure = response.refusal(place: Self.place, bucket: "b", at: .send, name: "a.JPG")
        #expect(failure.kind == .permanent(isLimit ? .full : .forbidden))
        #expect(failure.nextStep?.contains("limit") == isLimit, "\(failure.nextStep ?? "")")
    }

    @Test(arguments: [
        ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"), ("&#39;&#x27;&#34;&#xe9;", "''\"é"),
        ("&#xD800;", "&#xD800;"),
        ("&amp;#39;", "&#39;"),
    ])
    func `decodes XML entities in an S3 key`(text: String, key: String) {
        #expect(S3Response.element("Key", in: "<Key>\(text)</Key>") == key)
    }

    @Test(.timeLimit(.minutes(10)))
    func `ends transfers that start while idle connections close`() async throws {
        let transport = CurlTransport(label: "test")
        // No server listens on this port. Each transfer ends immediately.
        let request = CurlRequest(action: .http(method: "GET"), url: "http://127.0.0.1:9/")
        for _ in 0..<500 {
            transport.closeIdle()
            await #expect(throws: TransportFailure.self) { try await transport.perform(request) }
        }
    }

    @Test func `hides secrets in descriptions and dumps`() {
        let settings = S3Settings(
            endpoint: "https://h", bucket: "b", accessKey: "AK", secretKey: Secret("hush-hush"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("hush"))
    }

    @Test(arguments: [
        ("https://u:p@host/x?sig=1", "https://host"), ("http://host:8080", "http://host:8080"),
        ("https://[::1]:9/x", "https://[::1]:9"), ("nonsense", "the server"),
    ])
    func `a server's description omits path, query and user`(url: String, place: String) {
        #expect(HTTPClient.place(of: url) == place)
    }

    @Test(arguments: [
        (["211-Features:", " SIZE", " HASH SHA-1;SHA-256*", "211 End"], FTPFeatures.Checksum.hash),
        (["211-Features:", " XSHA256", " MDTM", "211 End"], .xsha256), (["211-Features:", " SIZE"], nil),
        (["500 what?"], nil),
    ])
    func `parses the checksum command from a FEAT reply`(lines: [String], checksum: FTPFeatures.Checksum?) {
        #expect(FTPFeatures(lines: lines).checksum == checksum)
    }

    @Test(arguments: [
        (["211-Features:", " MDTM", " MFMT", "211 End"], true),
        (["211-Features:", "211-MFMT", "211 End"], true),
        (["211-Features:", " MDTM", " MFCT", "211 End"], false), (["500 what?"], false),
    ])
    func `parses support for MFMT from a FEAT reply`(lines: [String], takesTime: Bool) {
        #expect(FTPFeatures(lines: lines).takesTime == takesTime)
    }

    @Test(arguments: [
        (["211-Extended features supported:", " LANG EN*", " UTF8", " SIZE", "211 END"], true),
        (["211-Features:", " SIZE", "211 End"], false), (["500 what?"], false),
    ])
    func `parses support for UTF-8 from a FEAT reply`(lines: [String], takesUTF8: Bool) {
        #expect(FTPFeatures(lines: lines).takesUTF8 == takesUTF8)
    }

    @Test(arguments: [
        PutAttempt(name: "a/b c.jpg"), PutAttempt(name: "a/b c.jpg", copyTag: "\"6-1f\""),
    ])
    func `round-trips a PUT attempt through its stored text`(attempt: PutAttempt) {
        #expect(PutAttempt(attempt.text) == attempt)
        #expect(PutAttempt("part a/b c.jpg") == nil)
    }
}
