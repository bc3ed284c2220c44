import CCurl
import Crypto
import FrameFastModel
import FrameFastSystem
import Glibc
import UploadEngine

/// One transfer with its libcurl handle. Only the transport's thread may use a transfer, except for
/// ``finish(_:)``, ``waitForResult()`` and ``isOver``.
final class CurlTransfer: @unchecked Sendable {
    // Safe because only the transport's thread (CurlLoop) uses the properties. The exception is
    // `completion`, which is thread-safe.
    static let headerBytesMax = 1 << 16

    let id: UInt64
    let request: CurlRequest
    /// The activity reporter of the transfer's upload.
    private let activity: UploadActivity
    private let completion = AsyncResult<Result<CurlResponse, TransportFailure>>()

    var easy: UnsafeMutableRawPointer?
    var lists: [UnsafeMutablePointer<curl_slist>] = []
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private var response = CurlResponse()
    private var position: UInt64 = 0
    private var headerBytes = 0
    private var reported: UInt64 = 0
    private var hash = SHA256()
    private var hashedBytes: UInt64 = 0
    private var ownFailure: TransportFailure?
    private let clock = HostClock.system
    /// The uptime at which the transfer may send again, in seconds, or `nil` if the transfer is not paused.
    private(set) var resumesAt: Double?
    /// The longest stall before the transfer fails, in seconds.
    private(set) var stallSeconds: Int

    init(id: UInt64, request: CurlRequest, activity: UploadActivity) {
        self.id = id
        self.request = request
        self.activity = activity
        stallSeconds = request.connection.stallSeconds
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        words.deallocate()
    }

    /// Resumes the waiting task with a result. Later calls have no effect. Any thread may call this.
    func finish(_ result: Result<CurlResponse, TransportFailure>) {
        completion.set(result)
    }

    /// Waits for the result, even if the task is cancelled.
    func waitForResult() async -> Result<CurlResponse, TransportFailure> { await completion.wait() }

    /// Whether the transfer has received its result.
    var isOver: Bool { completion.value != nil }

    /// Frees the libcurl handle and lists. Call it on the transport's thread.
    func free() {
        if let easy { curl_easy_cleanup(easy) }
        easy = nil
        for list in lists { curl_slist_free_all(list) }
        lists = []
    }

    // MARK: Callbacks of libcurl

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let resumesAt, resumesAt > clock.uptime() { return Int(CURL_READFUNC_PAUSE) }
        resumesAt = nil
        guard let body = request.body, let got = body.read(at: position, into: buffer) else {
            ownFailure = .localRead
            return Int(CURL_READFUNC_ABORT)
        }
        position += UInt64(got)
        if position == body.count {
            setStallLimit(request.connection.responseSeconds(afterBytes: body.count))
        }
        if got > 0, !request.isHTTP, let wait = request.budget?.pace?.reserve(got), wait > .zero {
            resumesAt = clock.uptime() + wait / .seconds(1)
        }
        return got
    }

    /// Resumes a paused transfer if its pause is over. Call it on the transport's thread.
    ///
    /// - Parameter now: The uptime, in seconds.
    func resume(at now: Double) {
        guard let resumesAt, resumesAt <= now, let easy else { return }
        self.resumesAt = nil
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    func seek(to offset: Int64, origin: Int32) -> Int32 {
        guard origin == SEEK_SET, offset >= 0 else { return CURL_SEEKFUNC_FAIL }
        if position > 0 { response.wasSentAgain = true }
        position = UInt64(offset)
        setStallLimit(request.connection.stallSeconds)
        return CURL_SEEKFUNC_OK
    }

    /// Changes the stall limit of a running HTTP transfer.
    private func setStallLimit(_ seconds: Int) {
        guard request.isHTTP, !request.mayBeSilent, seconds != stallSeconds else { return }
        stallSeconds = seconds
        if let easy { framefast_curl_set_number(easy, CURLOPT_LOW_SPEED_TIME, seconds) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        activity.report()
        switch request.sink {
        case .hashed:
            hash.update(bufferPointer: bytes)
            hashedBytes += UInt64(bytes.count)
        case .kept(let most):
            guard response.body.count + bytes.count <= most else {
                ownFailure = .responseTooLarge
                return false
            }
            response.body.append(contentsOf: bytes)
        }
        return true
    }

    func header(_ bytes: UnsafeRawBufferPointer) -> Bool {
        activity.report()
        headerBytes += bytes.count
        guard headerBytes <= Self.headerBytesMax else {
            ownFailure = .responseTooLarge
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self).trimmingNewline
        guard case .http = request.action else {
            // The first line of a longer FTP reply starts with, for example, `211-`. The last line of a reply
            // starts with `211 `.
            if line.utf8.count >= 3, line.prefix(3).allSatisfy(\.isNumber), line.dropFirst(3).first != "-" {
                response.replies.append(line)
            } else {
                response.headers.append(HTTPHeader("line", line))
            }
            return true
        }
        response.addHeaderLine(line)
        return true
    }

    /// Reports the number of sent bytes. Even one byte counts as progress, because many uploads may share a
    /// slow connection.
    ///
    /// - Returns: Whether to continue the transfer.
    func progress(sent: UInt64) -> Bool {
        guard !isOver else { return false }
        // The transfer is paused because of the bandwidth limit.
        if resumesAt != nil { activity.report() }
        if sent != reported {
            reported = sent
            request.progress?(sent)
        }
        return true
    }

    /// Returns the transfer's result for a result code of libcurl.
    func result(_ code: CURLcode) -> Result<CurlResponse, TransportFailure> {
        var status = 0
        var sent: curl_off_t = 0
        if let easy {
            framefast_curl_get_number(easy, CURLINFO_RESPONSE_CODE, &status)
            framefast_curl_get_large(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
        }
        guard code == CURLE_OK else {
            if let ownFailure { return .failure(ownFailure) }
            let own = String(cString: words)
            var message = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
            // The server's refusal has more information than libcurl's message. A positive reply is not the
            // cause of the failure.
            if let reply = response.replies.last, reply.hasPrefix("4") || reply.hasPrefix("5") {
                message += ": \(reply)"
            }
            return .failure(
                .curl(code: code.rawValue, words: message, status: status, sent: UInt64(max(sent, 0))))
        }
        response.status = status
        response.usedDigest = isDigest
        if case .hashed = request.sink { response.hashed = (hashedBytes, Hex.text(hash.finalize())) }
        return .success(response)
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        var text = self[...]
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
