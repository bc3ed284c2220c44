import ChildProcesses
import UploadEngine

/// A checksum that a program on the server computes. A separate ssh process runs the program.
struct SSHChecksum {
    let settings: SFTPSettings
    let program: String

    /// Returns the SHA-256 of a remote file, in lower-case hexadecimal. The size of the file determines the
    /// time limit.
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
        let (text, message) = (output.finish(), messages.finish())
        if Task.isCancelled { throw SFTPError.cancelled }
        if end == .exited(255) { throw SSHFailureMapping.failure(messages: message) }
        // If a file name needs escaping, GNU's programs print a backslash before the checksum.
        let checksum = text.drop { $0 == "\\" }.prefix { $0.isHexDigit }.lowercased()
        guard end == .exited(0), checksum.count == 64 else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "the server's '\(program)' did not print a SHA-256 (\(oneLine(message.isEmpty ? text : message)))",
                nextStep: "Set a program on the server that prints SHA-256 sums, or verify by reading back.")
        }
        return checksum
    }
}
