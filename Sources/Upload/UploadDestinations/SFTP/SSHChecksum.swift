import ChildProcesses
import UploadEngine

/// A checksum made by a program at the server, through an ssh of its own.
struct SSHChecksum {
    let settings: SFTPSettings
    let program: String

    /// SHA-256 of a remote file of so many bytes, lower-case hex.
    func sum(of path: String, bytes: UInt64) async throws -> String {
        let output = try ChildOutput(bytesMax: 4_096)
        let messages = try ChildOutput(bytesMax: 4_096)
        let ssh = try await ChildProcess.start(
            .init(
                program: settings.program, arguments: SSHArguments.command(program, path: path, settings),
                environment: SSHArguments.environment(settings), output: output.childEnd,
                error: messages.childEnd))
        let limit = ChecksumTime.limit(bytes: bytes)
        let reports = UploadActivity.current.keepReporting(for: limit)
        let end = await withTaskCancellationHandler {
            await ssh.endOrKill(after: limit)
        } onCancel: {
            ssh.signal(9)
        }
        reports.cancel()
        let (text, said) = (output.finish(), messages.finish())
        if Task.isCancelled { throw SFTPError.cancelled }
        if end == .exited(255) { throw SSHTrouble.failure(messages: said) }
        // GNU's programs put a backslash before the sum of a file with an odd name.
        let word = text.drop { $0 == "\\" }.prefix { $0.isHexDigit }.lowercased()
        guard end == .exited(0), word.count == 64 else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "the server's '\(program)' gives no SHA-256 (\(oneLine(said.isEmpty ? text : said)))",
                nextStep: "Name a program of the server that prints SHA-256 sums, or verify by reading back.")
        }
        return word
    }
}
