import CCurl
import Crypto
import FrameFastModel
import Glibc
import Synchronization
import UploadEngine

/// One transfer with its libcurl handle. Made and used on the transport's thread; only ``finish(_:)`` and ``isOver``
/// may be used from elsewhere.
final class CurlTransfer: @unchecked Sendable {
    // Reason: everything but `completion`, which has a lock, belongs to the transport's thread (CurlLoop).
    static let mostHeaderBytes = 1 << 16

    let id: UInt64
    let request: CurlRequest
    /// The reports of the upload that the transfer is part of.
    private let activity: UploadActivity
    private let completion: Mutex<CheckedContinuation<Result<CurlAnswer, TransportFailure>, Never>?>

    var easy: UnsafeMutableRawPointer?
    var lists: [UnsafeMutablePointer<curl_slist>] = []
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private var answer = CurlAnswer()
    private var position: UInt64 = 0
    private var headerBytes = 0
    private var reported: UInt64 = 0
    private var hash = SHA256()
    private var hashedBytes: UInt64 = 0
    private var ownFailure: TransportFailure?
    /// When it may send more; `nil` while it may.
    private(set) var resumesAt: ContinuousClock.Instant?

    init(
        id: UInt64, request: CurlRequest, activity: UploadActivity,
        completion: CheckedContinuation<Result<CurlAnswer, TransportFailure>, Never>
    ) {
        self.id = id
        self.request = request
        self.activity = activity
        self.completion = Mutex(completion)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        words.deallocate()
    }

    /// Answers the waiting task, once; from any thread.
    func finish(_ result: Result<CurlAnswer, TransportFailure>) {
        let waiting = completion.withLock { $0.take() }
        waiting?.resume(returning: result)
    }

    /// Whether nobody waits for it any more.
    var isOver: Bool { completion.withLock { $0 == nil } }

    /// Frees libcurl's part; on the transport's thread.
    func free() {
        if let easy { curl_easy_cleanup(easy) }
        easy = nil
        for list in lists { curl_slist_free_all(list) }
        lists = []
    }

    // MARK: What libcurl calls

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let resumesAt, resumesAt > .now { return Int(CURL_READFUNC_PAUSE) }
        resumesAt = nil
        guard let body = request.body, let got = body.read(at: position, into: buffer) else {
            ownFailure = .localRead
            return Int(CURL_READFUNC_ABORT)
        }
        position += UInt64(got)
        if got > 0, !request.isHTTP, let wait = request.budget?.pace?.take(got), wait > .zero {
            resumesAt = .now + wait
        }
        return got
    }

    /// Goes on with a transfer whose turn to send has come; on the transport's thread.
    func resume(at now: ContinuousClock.Instant) {
        guard let resumesAt, resumesAt <= now, let easy else { return }
        self.resumesAt = nil
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    func seek(to offset: Int64, origin: Int32) -> Int32 {
        guard origin == SEEK_SET, offset >= 0 else { return CURL_SEEKFUNC_FAIL }
        if position > 0 { answer.wasSentAgain = true }
        position = UInt64(offset)
        return CURL_SEEKFUNC_OK
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        activity.report()
        switch request.sink {
        case .hashed:
            hash.update(bufferPointer: bytes)
            hashedBytes += UInt64(bytes.count)
        case .kept(let most):
            guard answer.body.count + bytes.count <= most else {
                ownFailure = .answerTooLarge
                return false
            }
            answer.body.append(contentsOf: bytes)
        }
        return true
    }

    func header(_ bytes: UnsafeRawBufferPointer) -> Bool {
        activity.report()
        headerBytes += bytes.count
        guard headerBytes <= Self.mostHeaderBytes else {
            ownFailure = .answerTooLarge
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self).trimmingNewline
        guard case .http = request.action else {
            // The lines of one FTP reply have `211-` before them, the last one `211 `.
            if line.utf8.count >= 3, line.prefix(3).allSatisfy(\.isNumber), line.dropFirst(3).first != "-" {
                answer.replies.append(line)
            } else {
                answer.headers.append(HTTPHeader("line", line))
            }
            return true
        }
        answer.takeField(line)
        return true
    }

    /// Reports what was sent, however little it is: many uploads may share a slow line.
    ///
    /// - Returns: Whether to go on.
    func progress(sent: UInt64) -> Bool {
        guard !isOver else { return false }
        // It waits for its share of the line.
        if resumesAt != nil { activity.report() }
        if sent != reported {
            reported = sent
            request.progress?(sent)
        }
        return true
    }

    /// What came of it, by libcurl's number.
    func result(_ code: CURLcode) -> Result<CurlAnswer, TransportFailure> {
        var status = 0
        var sent: curl_off_t = 0
        if let easy {
            framefast_curl_get_number(easy, CURLINFO_RESPONSE_CODE, &status)
            framefast_curl_get_large(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
        }
        guard code == CURLE_OK else {
            if let ownFailure { return .failure(ownFailure) }
            let own = String(cString: words)
            var said = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
            // The server's own words say more than that it said no; what it agreed to is not what failed.
            if let reply = answer.replies.last, reply.hasPrefix("4") || reply.hasPrefix("5") {
                said += ": \(reply)"
            }
            return .failure(
                .curl(code: code.rawValue, words: said, status: status, sent: UInt64(max(sent, 0))))
        }
        answer.status = status
        if case .hashed = request.sink { answer.hashed = (hashedBytes, Hex.text(hash.finalize())) }
        return .success(answer)
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        var text = self[...]
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
