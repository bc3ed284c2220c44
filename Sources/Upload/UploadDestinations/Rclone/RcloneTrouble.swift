import ChildProcesses
import Foundation
import UploadEngine

/// What rclone's error texts mean. Its status is 500 for nearly everything, so the texts of its backends are read.
enum RcloneTrouble {
    /// First match wins; signs are in lower case. Those that are numbers stand for themselves only: ports and names of
    /// photos have digits too.
    static let table: [(signs: [String], kind: UploadFailure.Kind, sentence: String, nextStep: String?)] = [
        (
            [
                "didn't find section in config file", "config file not found", "unknown type",
                "failed to decode config",
            ],
            .permanent(.misconfigured), "rclone's configuration does not know the remote",
            "Run 'rclone config' for the configuration file that the destination names."
        ),
        (
            ["knownhosts:", "host key", "x509:", "certificate"], .permanent(.untrusted),
            "the server's key or certificate is not trusted",
            "Correct the remote's host key or certificate settings."
        ),
        (
            [
                "no space left", "remaining disk space", "quota", "insufficient storage",
                "insufficientstorage", "storage full",
                "507",
            ],
            .permanent(.full), "the remote is full", "Free some space there: it is retried automatically."
        ),
        (
            [
                "unauthorized", "401", "unable to authenticate", "invalid_grant", "couldn't fetch token",
                "token expired",
                "invalidaccesskeyid", "signaturedoesnotmatch", "login incorrect", "530",
            ],
            .permanent(.unauthorised), "the remote does not let rclone sign in",
            "Run 'rclone config reconnect' for the remote, or correct its password."
        ),
        (
            ["permission denied", "accessdenied", "forbidden", "403", "read-only file system", "read only"],
            .permanent(.forbidden), "the remote does not let us write there",
            "Give the account the right to write, or choose another folder."
        ),
        (
            ["nosuchbucket", "bucket not found"], .permanent(.notFound), "the bucket is not there",
            "Make the bucket."
        ),
        (
            [
                "connection refused", "no such host", "i/o timeout", "timed out", "timeout",
                "no route to host",
                "network is unreachable", "connection reset", "broken pipe", "eof", "couldn't connect",
                "dial tcp",
                "temporary failure", "too many requests", "429", "502", "503", "504", "server misbehaving",
            ],
            .outage(retryAfterSeconds: nil), "the remote cannot be reached",
            "Check the remote and the network between."
        ),
        (
            ["internalerror", "internalservererror", "internal server error", "status code: 500"],
            .outage(retryAfterSeconds: nil), "the remote has trouble of its own", "Look at the remote's log."
        ),
        (
            ["entity too large", "413", "file too large"], .permanent(.tooLarge),
            "the photo is too large for the remote",
            "Exclude large files from this destination."
        ),
    ]

    static func failure(_ text: String) -> UploadFailure {
        let lower = text.lowercased()
        let said = text.isEmpty ? "" : " (\(oneLine(text, max: 160)))"
        let words = Set(
            lower.split(separator: " ").map { $0.trimmingCharacters(in: .punctuationCharacters) })
        func isSaid(_ sign: String) -> Bool {
            sign.allSatisfy(\.isNumber) ? words.contains(sign) : lower.contains(sign)
        }
        for row in table where row.signs.contains(where: isSaid) {
            return UploadFailure(row.kind, "\(row.sentence)\(said)", nextStep: row.nextStep)
        }
        return UploadFailure(.transient, "rclone failed\(said)")
    }
}
