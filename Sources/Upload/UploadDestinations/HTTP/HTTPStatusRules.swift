import CCurl
import ChildProcesses
import FrameFastModel
import FrameFastSystem
import UploadEngine

extension CurlResponse {
    /// Whether the request succeeded.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the server has an internal problem. Status 501 is excluded, because it means that the server
    /// does not support the request.
    var isServerError: Bool { status >= 500 && status != 501 }

    /// Whether a later request may succeed without a change of the server. The reason is a server error, a
    /// timeout, a lock, a file that the server still processes, or the request rate.
    var isTemporaryRefusal: Bool { isServerError || [408, 423, 425, 429].contains(status) }

    /// Returns whether the hashed body has the photo's bytes.
    func isPhoto(_ item: UploadItem) -> Bool { hashed?.bytes == item.bytes && hashed?.sha256 == item.sha256 }

    /// The `Content-Length` of the response to a HEAD, in bytes, or `nil` if it is missing.
    var contentLength: UInt64? { self["content-length"].flatMap { UInt64($0) } }

    /// The entity tag without quotes and weakness mark, or `nil` if the response has no tag.
    var entityTag: String? {
        self["etag"].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
            .map { $0.filter { $0 != "\"" } }
    }

    /// The entity tag, or `nil` if it does not look like an MD5 (32 hexadecimal digits).
    var md5Tag: String? {
        entityTag.map { $0.lowercased() }.flatMap { $0.utf8.count == 32 && Hex.bytes($0) != nil ? $0 : nil }
    }

    /// The server's clock, in seconds since 1970, or `nil` if the response has no valid date.
    var serverSeconds: Int? {
        self["date"].flatMap { date in
            let seconds = curl_getdate(date, nil)
            return seconds >= 0 ? Int(seconds) : nil
        }
    }

    /// The delay that the server requests before the next attempt, in seconds, or `nil` without a valid
    /// `Retry-After`.
    var retryAfterSeconds: Double? {
        guard let value = self["retry-after"] else { return nil }
        if let seconds = UploadBackoff.boundedRetryAfter(Double(value)) { return seconds }
        let then = curl_getdate(value, nil)
        guard then >= 0 else { return nil }
        let now = serverSeconds ?? HostClock.system.unixSeconds
        return UploadBackoff.boundedRetryAfter(Double(max(then - now, 0)))
    }

    /// Returns the upload failure for a refusal.
    ///
    /// - Parameters:
    ///   - place: The server's URL, for messages.
    ///   - step: The step that was refused.
    ///   - name: The name in the refused request.
    ///   - code: The protocol's error code, if it has more information than the status.
    func refusal(
        place: String, at step: UploadStep = .send, name: String? = nil, code: String? = nil
    ) -> UploadFailure {
        let detail =
            ["status \(status)", code].compactMap(\.self).joined(separator: ", ")
            + (words.map { ": \($0)" } ?? "")
        var failure = Self.rule(
            status, place: place, action: step.infinitive(name), detail: detail,
            retryAfterSeconds: retryAfterSeconds)
        failure.step = step
        if status == 401, requiresDigest { failure.nextStep = Self.digestAdvice }
        if step != .send, failure.hasUnclearReason { failure.nextStep = step.advice }
        return failure
    }

    private static let digestAdvice =
        "Set auth = \"digest\" for the destination, because the server offers no other supported method."

    /// Whether the server offers Digest but no other method that FrameFast supports, and the request did not
    /// use Digest.
    private var requiresDigest: Bool {
        let offers = headers.filter { $0.name == "www-authenticate" }.map { $0.value.lowercased() }
        func isOffered(_ method: String) -> Bool {
            // One header may offer several methods.
            offers.contains { $0.hasPrefix(method) || $0.contains(", \(method) ") }
        }
        return !usedDigest && isOffered("digest") && !isOffered("basic") && !isOffered("bearer")
    }

    private static func rule(
        _ status: Int, place: String, action: String, detail: String, retryAfterSeconds: Double?
    ) -> UploadFailure {
        let wait = UploadFailure.Kind.outage(retryAfterSeconds: retryAfterSeconds)
        return switch status {
        case 300..<400:
            UploadFailure(
                .permanent(.misconfigured),
                "\(place) redirects to another address (\(detail)), and FrameFast does not follow redirects.",
                nextStep: "Enter the final address in the destination's settings.")
        case 401:
            UploadFailure(
                .permanent(.unauthorised), "\(place) does not accept these credentials (\(detail)).",
                nextStep: "Correct the destination's user, password or key, then retry.")
        case 402, 403:
            UploadFailure(
                .permanent(.forbidden), "\(place) denied permission \(action) (\(detail)).",
                nextStep: UploadStep.send.advice)
        case 404, 410:
            UploadFailure(
                .permanent(.notFound),
                "\(place) refuses \(action), because the location does not exist (\(detail)).",
                nextStep: "Correct the destination's address, or create the folder on the server.")
        case 405, 501:
            UploadFailure(
                .permanent(.misconfigured), "\(place) does not support the request \(action) (\(detail)).",
                nextStep: "Check the destination's kind and address.")
        case 423:
            UploadFailure(
                .transient,
                "A file at \(place) is still locked by an earlier transfer of the photo (\(detail)).")
        case 407:
            UploadFailure(
                .permanent(.misconfigured), "The proxy for \(place) requires a password (\(detail)).",
                nextStep: "Correct the proxy setting.")
        case 408:
            UploadFailure(.transient, "\(place) timed out while waiting for the photo (\(detail)).")
        case 425:
            UploadFailure(.transient, "\(place) is still processing the photo (\(detail)).")
        case 409, 412:
            UploadFailure(
                .permanent(.conflict),
                "\(place) refuses \(action), because another file or folder blocks the name (\(detail)).",
                nextStep: "Check which file or folder has this name on the server.")
        case 413:
            UploadFailure(
                .permanent(.tooLarge), "\(place) does not accept a file of this size (\(detail)).",
                nextStep: "Raise the server's limit, then retry.")
        case 429:
            UploadFailure(
                wait, "\(place) limits the request rate (\(detail)).",
                nextStep: "Lower the destination's concurrency.")
        case 507:
            .full("\(place) is out of disk space (\(detail)).")
        case 500...:
            UploadFailure(
                wait, "\(place) has an internal error when asked \(action) (\(detail)).",
                nextStep: "Check the server's log. FrameFast retries automatically.")
        default:
            UploadFailure(
                .permanent(.unprocessable), "\(place) refuses \(action) (\(detail)).",
                nextStep: "Check the server's log, and its rules for file names and types.")
        }
    }
}

extension UploadFailure {
    /// Whether the failure has an unclear reason. If `true`, the advice depends on the refused step.
    fileprivate var hasUnclearReason: Bool {
        switch kind {
        case .permanent(let reason): reason.isUnclear
        default: false
        }
    }
}

extension CurlResponse {
    /// The largest number of characters of a server's message in a sentence.
    private static let wordsMax = 120

    /// The server's message about a refusal, from XML, JSON or short plain text, or `nil` if the response has
    /// no usable message.
    var words: String? {
        guard status >= 400, !body.isEmpty else { return nil }
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        let message = Self.message(in: text)
        // HTML contains no short message.
        guard let message = message ?? (text.contains("<") ? nil : text) else { return nil }
        let line = oneLine(ServerWords.withoutSecrets(message), max: Self.wordsMax)
        return line.isEmpty ? nil : line
    }

    private static func message(in text: String) -> String? {
        let found =
            text.firstMatch(of: /<(?:[A-Za-z0-9]+:)?[Mm]essage>([^<]+)</)?.1
            ?? text.firstMatch(of: /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.1
        return found.map(String.init)
    }
}

/// Functions for messages of servers and programs that FrameFast shows to people.
enum ServerWords {
    /// Removes possible secrets from a message: values of tokens, signatures and passwords, and long runs of
    /// letters and digits.
    static func withoutSecrets(_ text: String) -> String {
        text.replacing(/(?i)\b(bearer|basic)\s+[^\s"'&,;<>]+/) { "\($0.1) …" }
            .replacing(
                /(?i)(authorization|token|secret|password|passwd|api[-_]?key|signature|credential)(["']?\s*[=:]\s*["']?)[^\s"'&,;<>]+/
            ) { "\($0.1)\($0.2)…" }
            .replacing(/[A-Za-z0-9+\/_=-]{40,}/) { _ in "…" }
    }
}
