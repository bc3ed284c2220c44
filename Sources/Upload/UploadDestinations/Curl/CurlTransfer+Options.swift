import CCurl
import Glibc

extension CurlTransfer {
    /// The largest size of libcurl's upload buffer, in bytes.
    private static let bufferBytesMax: UInt64 = 1 << 19
    /// The smallest body size for which an HTTP request without Digest authentication has the header
    /// `Expect: 100-continue`, in bytes. With this header, a server can refuse a request before the body. The
    /// header costs one round trip, which is too much for smaller bodies.
    private static let asksFirstFromBytes: UInt64 = 32 << 20
    /// The speed below which a transfer counts as stalled, in bytes per second.
    private static let stallBytesPerSecond = 1000

    /// Creates the libcurl handle.
    ///
    /// - Returns: The handle, or `nil` if libcurl lacks memory or rejects an option.
    func prepare(share: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        var setter = OptionSetter(easy: easy)
        setter.check(framefast_curl_set_pointer(easy, CURLOPT_SHARE, share))
        setCallbacks(&setter)
        setBounds(&setter)
        setTrust(&setter)
        switch request.action {
        case .http(let method): setHTTP(method, &setter)
        case .store, .retrieve, .enter: setFTP(&setter)
        }
        return setter.failed ? nil : easy
    }

    private func setCallbacks(_ set: inout OptionSetter) {
        set.check(
            framefast_curl_set_callbacks(
                set.easy, Unmanaged.passUnretained(self).toOpaque(),
                { bytes, size, count, user in
                    guard let bytes, let user else { return Int(CURL_READFUNC_ABORT) }
                    return CurlTransfer.of(user).read(into: .init(start: bytes, count: size * count))
                },
                { user, offset, origin in
                    guard let user else { return CURL_SEEKFUNC_FAIL }
                    return CurlTransfer.of(user).seek(to: Int64(offset), origin: origin)
                },
                { bytes, size, count, user in
                    guard let bytes, let user else { return 0 }
                    return CurlTransfer.of(user).write(.init(start: bytes, count: size * count))
                        ? size * count : 0
                },
                { bytes, size, count, user in
                    guard let bytes, let user else { return 0 }
                    return CurlTransfer.of(user).header(.init(start: bytes, count: size * count))
                        ? size * count : 0
                },
                { user, _, _, _, sent in
                    guard let user else { return 1 }
                    return CurlTransfer.of(user).progress(sent: UInt64(max(sent, 0))) ? 0 : 1
                }))
        set.pointer(CURLOPT_ERRORBUFFER, words)
    }

    private func setBounds(_ set: inout OptionSetter) {
        let connection = request.connection
        set.text(CURLOPT_URL, request.url)
        set.text(CURLOPT_PROTOCOLS_STR, request.schemes)
        set.text(CURLOPT_REDIR_PROTOCOLS_STR, request.schemes)
        set.number(CURLOPT_FOLLOWLOCATION, 0)
        set.number(CURLOPT_PATH_AS_IS, 1)
        set.number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        // An empty text makes libcurl ignore proxies in the environment.
        set.text(CURLOPT_PROXY, connection.proxy ?? "")
        set.number(CURLOPT_NOSIGNAL, 1)
        // Removes a transfer without waiting for a hanging name resolution. The wait would also block all
        // other transfers.
        set.number(CURLOPT_QUICK_EXIT, 1)
        set.number(CURLOPT_CONNECTTIMEOUT, connection.connectSeconds)
        if !request.mayBeSilent {
            set.number(CURLOPT_LOW_SPEED_LIMIT, Self.stallBytesPerSecond)
            set.number(CURLOPT_LOW_SPEED_TIME, connection.stallSeconds)
            set.number(CURLOPT_SERVER_RESPONSE_TIMEOUT, connection.stallSeconds)
        }
        set.number(CURLOPT_TCP_KEEPALIVE, 1)
        // The buffer holds at most half a second of data, but at least 16 KiB. With a low bandwidth limit,
        // sending a large full buffer would take so long that the transfer counts as stalled. For FTP,
        // FrameFast limits the bandwidth: `read` waits between two buffers. FTP's buffers are smaller,
        // because FrameFast does not wait after the last buffer of a file.
        let share =
            (request.budget?.bytesPerSecond).map { request.isHTTP ? $0 / 2 : $0 / 16 } ?? Self.bufferBytesMax
        let useful = min(share, request.body?.count ?? 0, Self.bufferBytesMax)
        set.number(CURLOPT_UPLOAD_BUFFERSIZE, Int(max(useful, 1 << 14)))
    }

    private func setTrust(_ set: inout OptionSetter) {
        set.number(CURLOPT_SSL_VERIFYPEER, request.connection.insecure ? 0 : 1)
        set.number(CURLOPT_SSL_VERIFYHOST, request.connection.insecure ? 0 : 2)
        let most = request.allowsTLS13 ? CURL_SSLVERSION_MAX_DEFAULT : CURL_SSLVERSION_MAX_TLSv1_2
        set.number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2) | Int(most))
        if let caFile = request.connection.caFile {
            set.text(CURLOPT_CAINFO, caFile)
            set.pointer(CURLOPT_CAPATH, nil)
        }
        switch request.credentials {
        case .none, .bearer, .header: break
        case .password(let user, let password, let digest):
            set.number(CURLOPT_HTTPAUTH, digest ? OptionSetter.digest : OptionSetter.basic)
            set.text(CURLOPT_USERNAME, user)
            set.text(CURLOPT_PASSWORD, password.text)
        }
    }

    private func setHTTP(_ method: String, _ set: inout OptionSetter) {
        // With HTTP/1.1, each connection sends one file at a time. With HTTP/2, the server's window would
        // limit the bytes per round trip.
        set.number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set.text(CURLOPT_USERAGENT, "FrameFast")
        var headers = request.headers
        if let body = request.body {
            set.number(CURLOPT_UPLOAD, 1)
            set.large(CURLOPT_INFILESIZE_LARGE, Int(clamping: body.count))
            if method != "PUT" { set.text(CURLOPT_CUSTOMREQUEST, method) }
            // libcurl itself adds the header to a large body. If the header were in this list, libcurl would
            // send the header again after status 417.
            if !request.mayAskFirst || !isDigest && body.count < Self.asksFirstFromBytes {
                headers.append(HTTPHeader("Expect", ""))
            } else if isDigest {
                headers.append(HTTPHeader("Expect", "100-continue"))
            }
        } else if method == "HEAD" {
            set.number(CURLOPT_NOBODY, 1)
        } else if method != "GET" {
            set.text(CURLOPT_CUSTOMREQUEST, method)
        }
        // With Digest authentication, the server refuses the first request of each transfer. Some servers
        // (wsgidav) send a body with the refusal of a HEAD. libcurl would parse this body as the next
        // response. The second request therefore uses a new connection.
        if isDigest { set.number(CURLOPT_FORBID_REUSE, 1) }
        if case .bearer(let token) = request.credentials {
            headers.append(HTTPHeader("Authorization", "Bearer " + token.text))
        }
        if case .header(let name, let secret) = request.credentials {
            headers.append(HTTPHeader(name, secret.text))
        }
        set.list(
            CURLOPT_HTTPHEADER, headers.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" },
            self)
    }

    /// Whether the request uses Digest. The server refuses the first request, which must not contain the
    /// body.
    var isDigest: Bool {
        guard case .password(_, _, let digest) = request.credentials else { return false }
        return digest
    }

    private func setFTP(_ set: inout OptionSetter) {
        if request.ftpTLS { set.number(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        let folders = request.makesFolders ? CURLFTP_CREATE_DIR_RETRY : CURLFTP_CREATE_DIR_NONE
        set.number(CURLOPT_FTP_CREATE_MISSING_DIRS, Int(folders.rawValue))
        // Ignores the address in the server's reply to PASV, because the address could point to any host.
        set.number(CURLOPT_FTP_SKIP_PASV_IP, 1)
        set.list(CURLOPT_QUOTE, request.commandsBefore, self)
        set.list(CURLOPT_POSTQUOTE, request.commandsAfter, self)
        switch request.action {
        case .store(let mode):
            set.number(CURLOPT_UPLOAD, 1)
            set.number(CURLOPT_APPEND, mode == .append ? 1 : 0)
            // libcurl itself can resume a file only with APPE. This REST command is sent directly before
            // STOR.
            if case .restart(let offset) = mode { set.list(CURLOPT_PREQUOTE, ["REST \(offset)"], self) }
            set.large(CURLOPT_INFILESIZE_LARGE, Int(clamping: request.body?.count ?? 0))
        case .enter: set.number(CURLOPT_NOBODY, 1)
        // libcurl requests the size first, and uses the size to detect a truncated download.
        case .retrieve: set.number(CURLOPT_IGNORE_CONTENT_LENGTH, request.asksForSize ? 0 : 1)
        case .http: break
        }
    }

    private static func of(_ user: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(user).takeUnretainedValue()
    }
}

/// A setter for the options of one libcurl handle, which records whether libcurl rejected an option.
private struct OptionSetter {
    // CURLAUTH_BASIC and CURLAUTH_DIGEST. Swift does not import these macros, because they contain casts.
    static let basic = 1 << 0
    static let digest = 1 << 1

    let easy: UnsafeMutableRawPointer
    private(set) var failed = false

    init(easy: UnsafeMutableRawPointer) {
        self.easy = easy
    }

    mutating func check(_ code: CURLcode) {
        if code != CURLE_OK { failed = true }
    }

    mutating func number(_ option: CURLoption, _ value: Int) {
        check(framefast_curl_set_number(easy, option, value))
    }

    mutating func large(_ option: CURLoption, _ value: curl_off_t) {
        check(framefast_curl_set_large(easy, option, value))
    }

    mutating func text(_ option: CURLoption, _ value: String) {
        check(framefast_curl_set_text(easy, option, value))
    }

    mutating func pointer(_ option: CURLoption, _ value: UnsafeMutablePointer<CChar>?) {
        check(framefast_curl_set_pointer(easy, option, value))
    }

    /// Sets a list option. The transfer owns the list while libcurl uses it.
    mutating func list(_ option: CURLoption, _ lines: [String], _ owner: CurlTransfer) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // A line break would start an additional header or command.
            guard !line.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }),
                let longer = curl_slist_append(list, line)
            else {
                failed = true
                break
            }
            list = longer
        }
        guard let list else { return }
        owner.lists.append(list)
        check(framefast_curl_set_list(easy, option, list))
    }
}
