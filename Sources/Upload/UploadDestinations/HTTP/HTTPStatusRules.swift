import CCurl
import FrameFastModel
import Glibc
import UploadEngine

extension CurlAnswer {
    /// Whether the server did what it was asked.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the server has trouble of its own. 501 says that it does not know what was asked.
    var isServerTrouble: Bool { status >= 500 && status != 501 }

    /// Whether what was read back has the photo's very bytes.
    func isPhoto(_ item: UploadItem) -> Bool { hashed?.bytes == item.bytes && hashed?.sha256 == item.sha256 }

    /// `Content-Length` of a HEAD's answer.
    var contentLength: UInt64? { self["content-length"].flatMap { UInt64($0) } }

    /// The entity tag without quotes and weakness.
    var entityTag: String? {
        self["etag"].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
            .map { $0.filter { $0 != "\"" } }
    }

    /// The tag where it looks like an MD5: 32 hexadecimal digits.
    var md5Tag: String? {
        entityTag.map { $0.lowercased() }.flatMap { $0.utf8.count == 32 && Hex.bytes($0) != nil ? $0 : nil }
    }

    /// The server's clock, in seconds since 1970.
    var serverSeconds: Int? {
        self["date"].flatMap { date in
            let seconds = curl_getdate(date, nil)
            return seconds >= 0 ? Int(seconds) : nil
        }
    }

    /// Seconds until it should be tried again: a number, or the time until a date.
    var retryAfterSeconds: Double? {
        guard let value = self["retry-after"] else { return nil }
        if let seconds = UploadBackoff.asked(Double(value)) { return seconds }
        let then = curl_getdate(value, nil)
        guard then >= 0 else { return nil }
        return UploadBackoff.asked(Double(max(then - (serverSeconds ?? Glibc.time(nil)), 0)))
    }

    /// What a refusal means for the queue.
    ///
    /// - Parameters:
    ///   - place: The server as people know it.
    ///   - detail: What the server said of it, where it is worth repeating.
    func refusal(place: String, detail: String? = nil) -> UploadFailure {
        let said = "status \(status)" + (detail.map { ", \($0)" } ?? "")
        let wait = UploadFailure.Kind.outage(retryAfterSeconds: retryAfterSeconds)
        return switch status {
        case 300..<400:
            UploadFailure(
                .permanent(.misconfigured),
                "\(place) sends us to another address (\(said)), which is not followed.",
                nextStep: "Enter the final address in the destination's settings.")
        case 401:
            UploadFailure(
                .permanent(.unauthorised), "\(place) does not accept these credentials (\(said)).",
                nextStep: "Correct the destination's user, password or key, then retry.")
        case 402, 403:
            UploadFailure(
                .permanent(.forbidden), "\(place) does not allow this (\(said)).",
                nextStep: "Give the user the right to write there, then retry.")
        case 404, 410:
            UploadFailure(
                .permanent(.notFound), "There is no such place at \(place) (\(said)).",
                nextStep: "Correct the destination's address, or make the folder there.")
        case 405, 501:
            UploadFailure(
                .permanent(.misconfigured), "\(place) does not take this upload (\(said)).",
                nextStep: "Check the room that is left there, and the destination's kind and address.")
        case 423:
            UploadFailure(
                .transient, "\(place) still holds on to an earlier transfer of the photo (\(said)).")
        case 407:
            UploadFailure(
                .permanent(.misconfigured), "The proxy for \(place) wants a password (\(said)).",
                nextStep: "Correct the proxy setting.")
        case 408, 425: UploadFailure(.transient, "\(place) gave up waiting for the photo (\(said)).")
        case 409, 412:
            UploadFailure(
                .permanent(.conflict), "Something blocks the name at \(place) (\(said)).",
                nextStep: "Look at what has this name there.")
        case 413:
            UploadFailure(
                .permanent(.tooLarge), "\(place) does not take a file of this size (\(said)).",
                nextStep: "Raise the server's limit, then retry.")
        case 400, 411, 414, 415, 416, 422, 431:
            UploadFailure(
                .permanent(.unprocessable), "\(place) does not take this photo (\(said)).",
                nextStep: "Check the server's log, or the destination's name template.")
        case 429:
            UploadFailure(
                wait, "\(place) asks for fewer requests (\(said)).", nextStep: "Lower its concurrency.")
        case 507:
            .full("\(place) has no room left (\(said)).")
        case 500...:
            UploadFailure(
                wait, "\(place) has trouble of its own (\(said)).",
                nextStep: "Check the server's log; it is retried automatically.")
        default:
            UploadFailure(
                .permanent(.unprocessable), "\(place) refused it (\(said)).",
                nextStep: "Check the server's log.")
        }
    }
}
