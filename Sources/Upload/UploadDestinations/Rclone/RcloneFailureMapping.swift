import ChildProcesses
import UploadEngine

/// A mapping from rclone's error messages to upload failures. rclone returns status 500 for nearly every
/// error, so the mapping searches the messages of rclone's backends.
enum RcloneFailureMapping {
    /// A rule of the mapping: texts that a message may contain, and the failure for a message with one of
    /// these texts.
    struct Row {
        var signs: [String]
        var kind: UploadFailure.Kind
        var sentence: String
        /// The next step for the user, or `nil` for the default advice of the upload step.
        var nextStep: String?
        /// Whether the failure means that no connection to the remote was possible.
        var isOfConnection = false
    }

    /// The failure kind for a remote that limits the number of requests. Google counts requests per minute.
    /// The delay applies to the whole destination, so a trial does not record a feature as refused.
    private static let limited = UploadFailure.Kind.outage(retryAfterSeconds: 30)

    /// The rules. The first matching rule applies. The texts are in lower case and match complete words.
    static let table: [Row] = [
        Row(
            signs: [
                "didn't find section in config file", "config file not found", "unknown type",
                "failed to decode config",
            ],
            kind: .permanent(.misconfigured), sentence: "rclone's configuration does not contain the remote",
            nextStep: "Run 'rclone config' for the destination's configuration file."
        ),
        Row(
            signs: ["knownhosts:", "host key", "x509:", "certificate"],
            kind: .permanent(.untrusted), sentence: "the server's key or certificate is not trusted",
            nextStep: "Correct the remote's host key or certificate settings."
        ),
        // Precedes the row with "quota", because Google calls this limit a quota. Dropbox ends some error
        // codes with a slash.
        Row(
            signs: [
                "ratelimitexceeded", "userratelimitexceeded", "rate limit exceeded", "rate_limit_exceeded",
                "quota metric", "too many requests", "toomanyrequests", "too_many_requests",
                "too_many_requests/", "too_many_write_operations", "too_many_write_operations/",
                "activitylimitreached", "throttledrequest",
            ],
            kind: limited, sentence: "the remote limits the number of requests",
            nextStep: "FrameFast retries automatically. For Google Drive, create your own client ID."
        ),
        Row(
            signs: [
                "no space left", "remaining disk space", "quota", "quotaexceeded", "quota_exceeded",
                "storagequotaexceeded", "quotalimitreached", "insufficient storage",
                "insufficientstorage", "storage full", "/insufficient_space", "/insufficient_space/",
            ],
            kind: .permanent(.full), sentence: "the remote is full", nextStep: UploadFailure.stepWhenFull
        ),
        Row(
            signs: [
                "unauthorized", "unauthorized_client", "unable to authenticate", "invalid_grant",
                "token expired", "invalidaccesskeyid", "signaturedoesnotmatch", "login incorrect",
            ],
            kind: .permanent(.unauthorised), sentence: noSignIn, nextStep: stepWithoutSignIn
        ),
        // Follows the previous row, because status 401 has the advice of the first row with its kind. Before
        // 1.67, rclone cannot upload to many personal OneDrives (rclone #7405).
        Row(
            signs: ["unauthenticated"],
            kind: .permanent(.unauthorised), sentence: noSignIn,
            nextStep:
                "Run 'rclone config reconnect' for the remote. For OneDrive, also install rclone 1.67 or later."
        ),
        // Google Photos has fixed folders (rclone #3737).
        Row(
            signs: ["can't upload files here"],
            kind: .permanent(.misconfigured), sentence: "the remote does not accept files in this folder",
            nextStep: "For Google Photos, set the remote to its folder 'album', for example photos:album."
        ),
        Row(
            signs: ["permission denied", "accessdenied", "forbidden", "read-only file system", "read only"],
            kind: .permanent(.forbidden), sentence: "the remote denied permission"
        ),
        Row(
            signs: ["nosuchbucket", "bucket not found"],
            kind: .permanent(.notFound), sentence: "the bucket does not exist", nextStep: "Create the bucket."
        ),
        Row(
            signs: [
                "connection refused", "no such host", "i/o timeout", "timed out", "timeout",
                "client.timeout", "requesttimeout", "deadline exceeded",
                "no route to host", "network is unreachable", "connection reset", "broken pipe", "eof",
                "couldn't connect", "dial tcp", "temporary failure", "server misbehaving",
                "service unavailable", "bad gateway",
            ],
            kind: .outage(retryAfterSeconds: nil), sentence: "the remote cannot be reached",
            nextStep: "Check the remote and the network connection.", isOfConnection: true
        ),
        Row(
            signs: ["internalerror", "internalservererror", "internal server error", "status code: 500"],
            kind: .outage(retryAfterSeconds: nil), sentence: "the remote has an internal error",
            nextStep: "Check the remote's log."
        ),
        Row(
            signs: ["entity too large", "file too large"],
            kind: .permanent(.tooLarge), sentence: "the photo is too large for the remote",
            nextStep: "Exclude large files from this destination."
        ),
        // Follows the rows for network errors, because rclone also starts the message of a network error
        // with this text.
        Row(
            signs: ["couldn't fetch token"],
            kind: .permanent(.unauthorised), sentence: noSignIn, nextStep: stepWithoutSignIn
        ),
    ]

    private static let noSignIn = "the remote does not let rclone sign in"
    private static let stepWithoutSignIn =
        "Run 'rclone config reconnect' for the remote, or correct its password."

    /// The HTTP statuses that backends report as a number, for example "HTTP error 403".
    private static let statuses: Set<Int> = [401, 403, 413, 429, 502, 503, 504, 507]
    /// The FTP reply codes that backends report as a number.
    private static let ftpReplies: Set<Int> = [530]

    /// Returns the failure for an error message during a step.
    ///
    /// - Parameters:
    ///   - name: The name in the request to rclone.
    ///   - names: Other names that rclone may include in messages: the remote, its folder, and local files.
    static func failure(
        _ text: String, at step: UploadStep, name: String?, names: [String] = []
    ) -> UploadFailure {
        let read = RcloneText(text, names: names + [name].compactMap(\.self))
        let detail = text.isEmpty ? "" : " (\(oneLine(ServerWords.withoutSecrets(text), max: 160)))"
        let file = name.map { RemoteName.split($0).file }
        let failed = "rclone failed \(step.infinitive(file))"
        let row =
            table.first { $0.signs.contains(where: read.has) }
            ?? kind(ofNumberIn: read).flatMap { kind in table.first { $0.kind == kind } }
        guard let row else { return UploadFailure(.transient, "\(failed)\(detail)", step: step) }
        return UploadFailure(
            row.kind, "\(failed): \(row.sentence)\(detail)", nextStep: row.nextStep ?? step.advice,
            step: row.isOfConnection && step != .rename ? .connect : step)
    }

    /// Returns the kind of failure for a number in a message, by the rules for HTTP and FTP.
    private static func kind(ofNumberIn text: RcloneText) -> UploadFailure.Kind? {
        let numbers = text.numbers
        if let status = numbers.first(where: statuses.contains) {
            if status == 429 { return limited }
            return CurlResponse(status: status).refusal(place: "").kind
        }
        return numbers.first(where: ftpReplies.contains).map {
            TransportFailure.ftp($0, place: "", words: "", denied: false).kind
        }
    }
}
