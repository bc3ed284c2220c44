import ChildProcesses
import UploadEngine

/// An S3 response with a small XML body. The type searches the text for single elements instead of parsing
/// the XML.
struct S3Response {
    let http: CurlResponse

    /// Returns the text of the first element with a name.
    func element(_ name: String) -> String? { Self.element(name, in: http.text) }

    /// Returns the text of the first element with a name in `text`.
    static func element(_ name: String, in text: String) -> String? {
        elements(name, in: text).first.map(unescaped)
    }

    /// Returns the raw contents of all elements with a name, in document order.
    static func elements(_ name: String, in text: String) -> [String] {
        text.components(between: "<\(name)>", and: "</\(name)>")
    }

    /// Whether the request failed. CompleteMultipartUpload can report a failure with status 200.
    var isRefused: Bool { !http.isSuccess || (http.status == 200 && http.text.contains("<Error>")) }

    /// S3's error code, or `nil` if the response has none.
    var code: String? { element("Code") }

    private static func unescaped(_ text: String) -> String {
        text.replacing(/&#(x?)([0-9A-Fa-f]{1,6});/) { match in
            let scalar = UInt32(match.2, radix: match.1.isEmpty ? 10 : 16).flatMap(Unicode.Scalar.init)
            return scalar.map { String(Character($0)) } ?? String(match.0)
        }
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
    }

    /// Returns the upload failure for a refusal. The S3 error code has priority over the status.
    ///
    /// - Parameters:
    ///   - place: The server's URL, for messages.
    ///   - step: The step that was refused.
    ///   - name: The name in the refused request, or `nil` for the bucket.
    func refusal(
        place: String, bucket: String, at step: UploadStep, name: String?
    ) -> UploadFailure {
        let detail = "\(code ?? "status \(http.status)")" + (words.map { ": \($0)" } ?? "")
        var failure =
            rule(
                place: place, bucket: bucket, action: step.infinitive(name),
                permission: Self.permission(step, name),
                detail: detail)
            ?? http.refusal(place: place, at: step, name: name, code: code)
        failure.step = step
        return failure
    }

    /// The server's error message, or `nil` if the response has no message. Even a response with status 200
    /// may contain a message.
    private var words: String? {
        http.words ?? element("Message").map { oneLine(ServerWords.withoutSecrets($0), max: 120) }
    }

    /// Whether the server's message reports that the account or bucket has reached a limit. Backblaze B2 and
    /// Garage use the code `AccessDenied` for such a refusal.
    private var reportsLimit: Bool {
        guard let text = words?.lowercased() else { return false }
        return ["cap exceeded", "quota is reached"].contains { text.contains($0) }
    }

    /// Returns the permission that an access key needs for a step.
    private static func permission(_ step: UploadStep, _ name: String?) -> String {
        switch step {
        case .connect, .listFeatures: "s3:ListBucket on the bucket"
        case .look where name == nil: "s3:ListBucket on the bucket"
        case .look, .readTime, .checksum, .readBack: "s3:GetObject on the bucket's objects"
        case .remove: "s3:DeleteObject on the bucket's objects"
        case .makeFolder, .send, .resume, .complete, .sync, .setTime, .rename:
            "s3:PutObject on the bucket's objects"
        }
    }

    /// - Returns: The failure for the S3 error code, or `nil` if the status decides.
    private func rule(
        place: String, bucket: String, action: String, permission: String, detail: String
    ) -> UploadFailure? {
        let wait = UploadFailure.Kind.outage(retryAfterSeconds: http.retryAfterSeconds)
        switch code {
        case "AccessDenied" where reportsLimit:
            return UploadFailure(
                .permanent(.full),
                "\(place) refuses \(action): the account or bucket has reached a limit (\(detail)).",
                nextStep: "Raise the limit at the service. FrameFast retries automatically.")
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "InvalidSecurity",
            "NotSignedUp", "AuthFailure":
            return UploadFailure(
                .permanent(.unauthorised),
                "\(place) does not accept the access key or its secret (\(detail)).",
                nextStep: "Correct the destination's access key and secret, then retry.")
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            return UploadFailure(
                .permanent(.forbidden),
                "\(place) does not allow this key \(action) in the bucket \(bucket) (\(detail)).",
                nextStep: "Grant the key the permission \(permission), then retry.")
        case "NoSuchBucket":
            return UploadFailure(
                .permanent(.notFound), "\(place) has no bucket \(bucket) and refuses \(action) (\(detail)).",
                nextStep: "Create the bucket, or correct the destination's bucket setting.")
        case "EntityTooLarge":
            return UploadFailure(
                .permanent(.tooLarge), "\(place) refuses \(action): the file is too large (\(detail)).")
        case "KeyTooLongError", "InvalidURI":
            return UploadFailure(
                .permanent(.unprocessable),
                "\(place) does not accept this name and refuses \(action) (\(detail)).",
                nextStep: "Shorten the destination's name template.")
        // The codes of Alibaba Cloud, Tencent Cloud, Huawei Cloud and Volcano Engine.
        case "SecondLevelDomainForbidden", "PathStyleDomainForbidden", "VirtualHostDomainRequired",
            "InvalidPathAccess":
            return UploadFailure(
                .permanent(.misconfigured),
                "\(place) requires the bucket in the host name and refuses \(action) (\(detail)).",
                nextStep: "Set address_style = \"host\" for the destination.")
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException",
            "InvalidRegionName":
            let region = element("Region").map { " The bucket is in \($0)." } ?? ""
            return UploadFailure(
                .permanent(.misconfigured), "\(place) does not host this bucket (\(detail)).\(region)",
                nextStep: "Correct the destination's region and endpoint.")
        case "RequestTimeTooSkewed":
            return UploadFailure(
                .permanent(.misconfigured),
                "The clock of this computer differs too much from the clock of \(place) (\(detail)).",
                nextStep: "Set the clock, for example with: timedatectl set-ntp true")
        case "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "IncompleteBody",
            "InvalidDigest", "RequestTimeout":
            return UploadFailure(
                .transient,
                "\(place) refuses \(action): the photo arrived corrupted or truncated (\(detail)).")
        case "OperationAborted", "ConditionalRequestConflict":
            return UploadFailure(
                .transient, "\(place) refuses \(action): another client is writing the same name (\(detail))."
            )
        case "SlowDown", "InternalError", "ServiceUnavailable", "TooManyRequests",
            "XMinioServerNotInitialized":
            return UploadFailure(
                wait, "\(place) is overloaded or has an internal error when asked \(action) (\(detail)).")
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded":
            return .full("\(place) is out of disk space and refuses \(action) (\(detail)).")
        default:
            guard http.status != 200 else {
                return UploadFailure(wait, "\(place) failed \(action) (\(detail)).")
            }
            return nil
        }
    }
}

extension String {
    /// Returns each text between `opening` and the next `closing`.
    fileprivate func components(between opening: String, and closing: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let start = rest.firstRange(of: opening) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: closing) else { break }
            found.append(String(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }
}
