import APIClient
import FoundationEssentials
import FrameFastAPI

/// A runner of `framefastd --audit`, which compares the ledger with the files on disk. The audit runs in
/// `framefastd`, because the command-line program does not load SQLite.
enum AuditProgram {
    /// Runs the audit and waits until the audit ends.
    ///
    /// - Parameters:
    ///   - config: The configuration file, or `nil` for the default.
    ///   - onProgress: Called for each progress report.
    /// - Returns: The line with the result or an error, or `nil` if the program printed neither. A missing
    ///   program is reported as an error.
    static func run(
        client: FrameFastClient, config: String?, onProgress: (AuditLine.Progress) -> Void
    ) -> AuditLine? {
        guard let path = ShortCommand.find("framefastd") else {
            return AuditLine(
                error: ErrorReply.Detail(
                    code: .internal, message: "cannot find framefastd",
                    nextStep: "Install the package, or add the folder of framefastd to PATH."))
        }
        var isUnreachable = false
        do throws(ClientError) { _ = try client.call(\.service.version) } catch {
            isUnreachable = error.isUnreachable
        }
        let unit = ServiceUnit(socketPath: client.socketPath, isUnreachable: isUnreachable)
        var last: AuditLine?
        _ = ShortCommand.readLines(
            path, ["--audit"] + (config.map { ["--config", $0] } ?? []), environment: unit.environment
        ) { bytes in
            guard let line = try? WireCoder.decode(AuditLine.self, from: Data(bytes)) else { return }
            if let progress = line.progress { onProgress(progress) } else { last = line }
        }
        return last
    }

    /// Returns the explanation of an audit without a result.
    ///
    /// - Parameter error: The error of `framefastd`, or `nil` if it printed nothing.
    static func explanation(_ error: ErrorReply.Detail?) -> Explanation {
        Explanation(
            status: .failed, code: .internal, message: error?.message ?? "framefastd --audit has no result",
            nextStep: error?.nextStep ?? "See why with `framefastd --audit`.")
    }
}
