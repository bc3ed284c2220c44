import ChildProcesses
import UploadEngine

/// A mapping from ssh's messages to upload failures. ssh has only one exit code (255) for failures, so the
/// mapping searches ssh's messages. The rules cover OpenSSH 8 and 9.
enum SSHFailureMapping {
    /// A rule of the mapping.
    struct Row: Sendable {
        /// Texts in lower case. The rule applies if ssh's messages contain one of them.
        var signs: [String]
        var kind: UploadFailure.Kind
        /// The sentence without the destination's name, which the caller adds.
        var sentence: String
        var nextStep: String?
    }

    /// The rules. The first matching rule applies. Rules about trust and keys come before the rule for
    /// "permission denied", because ssh may write both messages.
    static let table: [Row] = [
        Row(
            signs: [
                "remote host identification has changed", "offending key for ip", "host key for",
                "revoked host key",
            ],
            kind: .permanent(.untrusted), sentence: "the server's host key has changed",
            nextStep:
                "Find out whether the server was reinstalled. If it was, replace the server's line in the known hosts file."
        ),
        Row(
            signs: [
                "host key is known for", "host key verification failed", "no matching host key fingerprint",
            ],
            kind: .permanent(.untrusted), sentence: "the server's host key is unknown",
            nextStep: "Compare the server's key fingerprint and add the key to the known hosts file, "
                + "or set host_keys = \"accept-new\"."),
        Row(
            signs: [
                "bad configuration option", "bad owner or permissions on", "terminating, ",
                "unsupported option",
                "missing argument", "bad number", "can't open user config file",
            ],
            kind: .permanent(.misconfigured), sentence: "ssh cannot use its configuration",
            nextStep: "Correct the ssh configuration that the message mentions."),
        Row(
            signs: ["unable to negotiate", "no matching", "protocol major versions differ", "bad key types"],
            kind: .permanent(.misconfigured), sentence: "ssh and the server support no common algorithm",
            nextStep:
                "Update the server's SSH, or allow the algorithm from ssh's message in the ssh configuration."
        ),
        Row(
            signs: ["unprotected private key file", "are too open", "identity file", "load key"],
            kind: .permanent(.unauthorised), sentence: "ssh cannot use the key file",
            nextStep:
                "Check that the key file exists, has mode 0600, belongs to the service's user and has no passphrase."
        ),
        // OpenSSH 8.8 and newer do not use RSA with SHA-1. Servers with OpenSSH before 7.2 use RSA only with
        // SHA-1.
        Row(
            signs: ["no mutual signature"], kind: .permanent(.unauthorised),
            sentence: "ssh and the server support no common signature for the key",
            nextStep: "Set an ed25519 key as key_file instead of an RSA key, "
                + "and add its public key to that user's authorized_keys on the server."),
        Row(
            signs: [
                "permission denied (", "too many authentication failures", "no more authentication methods",
                "authentication failed",
            ],
            kind: .permanent(.unauthorised), sentence: "the server does not accept the key",
            nextStep: "Add the public key to that user's authorized_keys on the server, or set another key."
        ),
        Row(
            signs: [
                "subsystem request failed", "this service allows sftp connections only",
                "this account is currently",
            ],
            kind: .permanent(.forbidden), sentence: "the server does not allow SFTP for this user",
            nextStep: "Enable the sftp subsystem on the server for this user."),
        // The server's shell writes this message, for example the shell of a router with Dropbear.
        Row(
            signs: [
                "sftp-server: not found", "sftp-server: no such file", "sftp-server: command not found",
            ],
            kind: .permanent(.misconfigured), sentence: "the server has no SFTP program",
            nextStep: "Install an SFTP server on it, for example the package openssh-sftp-server."),
        Row(
            signs: [
                "could not resolve hostname", "name or service not known",
                "temporary failure in name resolution",
            ],
            kind: .outage(retryAfterSeconds: nil), sentence: "the server's name cannot be resolved",
            nextStep: "Check the host name and DNS."),
        Row(
            signs: ["connection refused"], kind: .outage(retryAfterSeconds: nil),
            sentence: "the server does not accept SSH connections",
            nextStep: "Check the port, and check that the SSH server is running."),
        Row(
            signs: [
                "connection timed out", "operation timed out", "no route to host", "network is unreachable",
                "not responding",
            ],
            kind: .outage(retryAfterSeconds: nil), sentence: "the server does not respond",
            nextStep: "Check the network connection, and check that the server is on."),
        Row(
            signs: [
                "connection reset", "connection closed", "closed by remote host", "broken pipe",
                "kex_exchange_identification", "received disconnect", "client_loop",
            ],
            kind: .outage(retryAfterSeconds: nil), sentence: "the server closed the connection", nextStep: nil
        ),
    ]

    /// Returns the failure for ssh's exit.
    ///
    /// - Parameter messages: The error output of ssh.
    static func failure(messages: String) -> UploadFailure {
        let text = messages.lowercased()
        let detail = lastLine(messages).map { " (\($0))" } ?? ""
        for row in table where row.signs.contains(where: text.contains) {
            return UploadFailure(row.kind, "\(row.sentence)\(detail)", nextStep: row.nextStep)
        }
        return UploadFailure(.outage(retryAfterSeconds: nil), "the connection was lost\(detail)")
    }

    private static func lastLine(_ messages: String) -> String? {
        messages.split(whereSeparator: \.isNewline).map { oneLine(String($0), max: 160) }.last { !$0.isEmpty }
    }
}
