import ChildProcesses
import Foundation
import UploadEngine

/// What rclone's error texts mean. Its status is 500 for nearly everything, so the texts of its backends are read.
enum RcloneTrouble {
    /// What some words mean.
    struct Row {
        var signs: [String]
        var kind: UploadFailure.Kind
        var sentence: String
        /// `nil`: the advice of the step.
        var nextStep: String?
        /// Whether no connection could be made.
        var isOfConnection: Bool

        init(
            _ signs: [String], _ kind: UploadFailure.Kind, _ sentence: String, _ nextStep: String?,
            isOfConnection: Bool = false
        ) {
            self.signs = signs
            self.kind = kind
            self.sentence = sentence
            self.nextStep = nextStep
            self.isOfConnection = isOfConnection
        }
    }

    /// First match wins; signs are in lower case.
    static let table: [Row] = [
        Row(
            [
                "didn't find section in config file", "config file not found", "unknown type",
                "failed to decode config",
            ],
            .permanent(.misconfigured), "rclone's configuration does not know the remote",
            "Run 'rclone config' for the configuration file that the destination names."
        ),
        Row(
            ["knownhosts:", "host key", "x509:", "certificate"], .permanent(.untrusted),
            "the server's key or certificate is not trusted",
            "Correct the remote's host key or certificate settings."
        ),
        Row(
            [
                "no space left", "remaining disk space", "quota", "insufficient storage",
                "insufficientstorage", "storage full",
            ],
            .permanent(.full), "the remote is full", UploadFailure.stepWhenFull
        ),
        Row(
            [
                "unauthorized", "unable to authenticate", "invalid_grant", "couldn't fetch token",
                "token expired",
                "invalidaccesskeyid", "signaturedoesnotmatch", "login incorrect",
            ],
            .permanent(.unauthorised), "the remote does not let rclone sign in",
            "Run 'rclone config reconnect' for the remote, or correct its password."
        ),
        Row(
            ["permission denied", "accessdenied", "forbidden", "read-only file system", "read only"],
            .permanent(.forbidden), "the remote does not allow it", nil
        ),
        Row(
            ["nosuchbucket", "bucket not found"], .permanent(.notFound), "the bucket is not there",
            "Make the bucket."
        ),
        Row(
            [
                "connection refused", "no such host", "i/o timeout", "timed out", "timeout",
                "no route to host",
                "network is unreachable", "connection reset", "broken pipe", "eof", "couldn't connect",
                "dial tcp",
                "temporary failure", "too many requests", "server misbehaving",
            ],
            .outage(retryAfterSeconds: nil), "the remote cannot be reached",
            "Check the remote and the network between.", isOfConnection: true
        ),
        Row(
            ["internalerror", "internalservererror", "internal server error", "status code: 500"],
            .outage(retryAfterSeconds: nil), "the remote has trouble of its own", "Look at the remote's log."
        ),
        Row(
            ["entity too large", "file too large"], .permanent(.tooLarge),
            "the photo is too large for the remote",
            "Exclude large files from this destination."
        ),
    ]

    /// What backends of HTTP say as a bare number, "HTTP error 403".
    private static let statuses: Set<Int> = [401, 403, 413, 429, 502, 503, 504, 507]
    /// The same of FTP.
    private static let ftpReplies: Set<Int> = [530]

    /// The meaning of rclone's words about one step.
    ///
    /// - Parameter name: The name that rclone was asked for.
    static func failure(_ text: String, at step: UploadStep, name: String?) -> UploadFailure {
        let lower = text.lowercased()
        let said = text.isEmpty ? "" : " (\(oneLine(ServerWords.withoutSecrets(text), max: 160)))"
        let file = name.map { RemoteName.split($0).file }
        let failed = "rclone failed \(step.act(file))"
        let row =
            table.first { $0.signs.contains(where: lower.contains) }
            ?? kind(ofNumberIn: lower).flatMap { kind in table.first { $0.kind == kind } }
        guard let row else { return UploadFailure(.transient, "\(failed)\(said)", step: step) }
        return UploadFailure(
            row.kind, "\(failed): \(row.sentence)\(said)", nextStep: row.nextStep ?? step.advice,
            step: row.isOfConnection && step != .rename ? .connect : step)
    }

    /// What a status in a text means, as everywhere. A number has to be a word of its own: ports and names of photos have
    /// digits too.
    private static func kind(ofNumberIn text: String) -> UploadFailure.Kind? {
        let numbers = text.split(separator: " ").compactMap {
            Int($0.trimmingCharacters(in: .punctuationCharacters))
        }
        if let status = numbers.first(where: statuses.contains) {
            return CurlAnswer(status: status).refusal(place: "").kind
        }
        return numbers.first(where: ftpReplies.contains).map {
            TransportFailure.ftp($0, place: "", words: "", denied: false).kind
        }
    }
}
