import CCurl
import ChildProcesses
import UploadEngine

extension TransportFailure {
    /// The largest number of characters of libcurl's or the server's message in a sentence.
    private static let wordsMax = 200

    /// Returns the upload failure for the queue.
    ///
    /// - Parameters:
    ///   - place: The server's URL for messages, for example `https://photos.example.org`.
    ///   - step: The step that failed.
    ///   - name: The name of the file or folder in the request.
    func uploadFailure(place: String, at step: UploadStep = .send, name: String? = nil) -> UploadFailure {
        var failure = failure(place: place, at: step, name: name)
        failure.step = failure.step ?? step
        return failure
    }

    /// Returns the failure for an FTP server that refuses TLS 1.2 while TLS 1.3 is off. Returns `nil` for
    /// other failures. Such a server sends an alert about the protocol version (RFC 8446, 6.2).
    func refusalOfTLS12(place: String) -> UploadFailure? {
        guard case .curl(let code, let words, _, _) = self, CURLcode(code) == CURLE_SSL_CONNECT_ERROR,
            words.lowercased().contains("protocol version")
        else { return nil }
        let detail = oneLine(ServerWords.withoutSecrets(words), max: Self.wordsMax)
        return UploadFailure(
            .permanent(.untrusted),
            "\(place) does not support TLS 1.2, and TLS 1.3 is off for this destination (\(detail)).",
            nextStep:
                "Set tls13 = true. FrameFast detects files that a server truncates with TLS 1.3, and sends them again.",
            step: .connect)
    }

    /// Whether the server closed or reset the connection without a response, or ended TLS without the alert
    /// close_notify.
    var isEndOfConnection: Bool {
        guard case .curl(let code, _, _, _) = self else { return false }
        return [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(CURLcode(code))
    }

    private func failure(place: String, at step: UploadStep, name: String?) -> UploadFailure {
        switch self {
        case .cancelled: .stopped
        case .localRead:
            UploadFailure(
                .sourceAway, "The photo's file could not be read completely.",
                nextStep: "Check the disk that holds the photos. Uploads then resume automatically.")
        case .responseTooLarge:
            UploadFailure(
                .outage(retryAfterSeconds: nil), "\(place) sent a response that is too large.",
                nextStep: "Check the destination's address.")
        case .noThread(let reason):
            .shortage("A transfer to \(place) cannot be started", reason)
        case .curl(let code, let words, let status, let sent):
            Self.rule(
                CURLcode(code), status: status, sent: sent, place: place,
                words: oneLine(ServerWords.withoutSecrets(words), max: Self.wordsMax), step, name)
        }
    }

    private static func rule(
        _ code: CURLcode, status: Int, sent: UInt64, place: String, words: String, _ step: UploadStep,
        _ name: String?
    ) -> UploadFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            outage(
                "The name of \(place) cannot be resolved", words,
                "Check the network and the destination's address.", .connect)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            outage("The proxy for \(place) cannot be used", words, "Check the proxy setting.", .connect)
        case CURLE_COULDNT_CONNECT:
            outage(
                "\(place) does not accept connections", words,
                "Check that the server is running and the network is up.", .connect)
        case CURLE_OPERATION_TIMEDOUT:
            outage(
                "\(place) did not respond in time", words,
                "Check the network. FrameFast retries automatically.",
                .connect)
        case CURLE_SSL_CONNECT_ERROR:
            outage(
                "Cannot establish an encrypted connection to \(place)", words,
                "Check the port and protocol of the destination.", .connect)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            UploadFailure(
                .permanent(.untrusted), "The certificate of \(place) is not trusted (\(words)).",
                nextStep: "Renew the server's certificate, or set ca_file to the authority that signed it.")
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
            misconfigured("The destination's ca_file cannot be used", words, "Use a readable PEM file.")
        case CURLE_USE_SSL_FAILED:
            UploadFailure(
                .permanent(.untrusted),
                "\(place) does not support encryption, and the destination requires it.",
                nextStep: "Turn on TLS on the server, or set the destination to plain ftp.")
        case CURLE_UNSUPPORTED_PROTOCOL where words.contains("HTTP/0.9"):
            UploadFailure(.transient, "\(place) sent a response that is not HTTP (\(words)).")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT,
            CURLE_UNKNOWN_OPTION,
            CURLE_NOT_BUILT_IN:
            misconfigured(
                "The address for \(place) cannot be used", words, "Correct the destination's address.")
        case CURLE_LOGIN_DENIED where status == 421:
            ftp(status, place: place, words: words, denied: false, step, name)
        case CURLE_LOGIN_DENIED where status == 534 || requiresEncryption(words):
            UploadFailure(
                .permanent(.untrusted), "\(place) requires an encrypted connection (\(words)).",
                nextStep: "Set encryption = \"explicit\" for the destination.", step: .connect)
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR:
            UploadFailure(
                .permanent(.unauthorised), "\(place) does not accept this user and password (\(words)).",
                nextStep: "Correct the destination's user or password, then retry.")
        case CURLE_REMOTE_DISK_FULL:
            full(place, words)
        case CURLE_FILESIZE_EXCEEDED:
            UploadFailure(.permanent(.tooLarge), "\(place) does not accept a file of this size.")
        case CURLE_REMOTE_ACCESS_DENIED, CURLE_UPLOAD_FAILED, CURLE_QUOTE_ERROR, CURLE_REMOTE_FILE_NOT_FOUND,
            CURLE_REMOTE_FILE_EXISTS, CURLE_FTP_COULDNT_RETR_FILE, CURLE_WEIRD_SERVER_REPLY:
            ftp(status, place: place, words: words, denied: code == CURLE_REMOTE_ACCESS_DENIED, step, name)
        case CURLE_PARTIAL_FILE where place.hasPrefix("ftp") && (400..<600).contains(status):
            ftp(status, place: place, words: words, denied: false, step, name)
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
            CURLE_SEND_FAIL_REWIND,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            sent > 0
                ? UploadFailure(
                    .transient, "The connection to \(place) was lost during the transfer (\(words)).")
                : outage(connectionEndedSentence(code, place, step, name), words, nil, .connect)
        case CURLE_ABORTED_BY_CALLBACK: .stopped
        default: outage("The transfer to \(place) failed", words, "Check the destination.")
        }
    }

    /// Returns the sentence for a connection that ended before a response. For FTP, the sentence does not
    /// name the request, because libcurl sends several commands in a row and does not report the last
    /// command.
    private static func connectionEndedSentence(
        _ code: CURLcode, _ place: String, _ step: UploadStep, _ name: String?
    )
        -> String
    {
        let request = place.hasPrefix("ftp") ? "" : " when asked \(step.infinitive(name))"
        return code == CURLE_GOT_NOTHING
            ? "\(place) closed the connection\(request)" : "\(place) broke the connection\(request)"
    }

    /// Returns the failure for an FTP reply code (RFC 959 and 4217).
    static func ftp(
        _ status: Int, place: String, words: String, denied: Bool, _ step: UploadStep = .send,
        _ name: String? = nil
    ) -> UploadFailure {
        var failure = ftpRule(status, place: place, words: words, denied: denied, step, name)
        failure.step = step
        return failure
    }

    private static func ftpRule(
        _ status: Int, place: String, words: String, denied: Bool, _ step: UploadStep, _ name: String?
    ) -> UploadFailure {
        switch status {
        case 421: outage("\(place) closed the connection or has too many connections", words, nil)
        case 426 where reportsFullDisk(words), 451 where reportsFullDisk(words), 452, 552:
            full(place, words)
        case 451:
            outage("\(place) has an internal error", words, "Check the server's disk and log.")
        case 425, 426: UploadFailure(.transient, "\(place) could not finish the transfer (\(words)).")
        case 522:
            misconfigured(
                "\(place) does not accept data connections", words,
                "Check the server's TLS session settings.")
        case 530, 532, 332:
            UploadFailure(
                .permanent(.unauthorised), "\(place) does not accept this user and password (\(words)).",
                nextStep: "Correct the destination's user or password, then retry.")
        case 450 where reportsOpenFile(words), 550 where reportsOpenFile(words):
            UploadFailure(
                .transient,
                "A file at \(place) is still open in an earlier transfer or another program (\(words)).")
        case 550 where denied:
            UploadFailure(
                .permanent(.notFound),
                "The folder at \(place) does not exist and cannot be created (\(words)).",
                nextStep: "Create the folder on the server, or correct the destination's path.")
        // When a server must report or list files (`look`), some servers use 450 for denied permission. In
        // other steps, 450 can mean that a different program is using the file (RFC 959).
        case 450 where step == .look, 550, 553:
            UploadFailure(
                .permanent(.forbidden), "\(place) denied permission \(step.infinitive(name)) (\(words)).",
                nextStep: step.advice)
        case 500...504:
            misconfigured(
                "\(place) does not support the request \(step.infinitive(name))", words,
                "Use another protocol for this server."
            )
        default: outage("\(place) rejected the file temporarily", words, nil)
        }
    }

    /// Returns whether a message reports a full disk. Some servers have no reply code for a full disk.
    private static func reportsFullDisk(_ words: String) -> Bool {
        let text = words.lowercased()
        return ["no space", "quota", "disk full", "storage", "no room"].contains { text.contains($0) }
    }

    /// Returns whether a message reports that the file is open. Servers on Windows refuse a partial file
    /// until they end the broken transfer (IIS: lftp #118).
    private static func reportsOpenFile(_ words: String) -> Bool {
        words.lowercased().contains("used by another process")
    }

    /// Returns whether the reply to a login requires TLS. Only IIS has a separate reply code (534). The texts
    /// are from vsftpd, ProFTPD (git-ftp #661) and FileZilla Server (proftpd #1640).
    private static func requiresEncryption(_ words: String) -> Bool {
        let text = words.lowercased()
        return [
            "must use encryption", "ssl/tls required", "tls required", "ssl is required", "use auth first",
        ]
        .contains { text.contains($0) }
    }

    private static func full(_ place: String, _ words: String) -> UploadFailure {
        .full("\(place) is out of disk space (\(words)).")
    }

    private static func outage(
        _ what: String, _ words: String, _ next: String?, _ step: UploadStep? = nil
    ) -> UploadFailure {
        UploadFailure(.outage(retryAfterSeconds: nil), "\(what) (\(words)).", nextStep: next, step: step)
    }

    private static func misconfigured(_ what: String, _ words: String, _ next: String) -> UploadFailure {
        UploadFailure(.permanent(.misconfigured), "\(what) (\(words)).", nextStep: next)
    }
}
