import ChildProcesses
import FrameFastSystem
import Glibc
import SystemPackage
import UploadEngine

/// A connection to an SFTP server, which consists of an ssh child process and an SFTP session.
final class SFTPConnection: Sendable {
    let session: SFTPSession
    /// Whether the server supports fsync.
    let canSync: Bool
    /// Whether the server reports its free disk space.
    let reportsFreeSpace: Bool
    /// The largest number of bytes in one read or write.
    let pieceBytes: Int

    private let settings: SFTPSettings
    private let ssh: ChildProcess
    private let messages: ChildOutput

    /// The largest number of bytes that every server accepts (draft-ietf-secsh-filexfer-02, section 3).
    private static let pieceBytesSafe = 32 * 1024
    /// The largest number of bytes in one read or write of FrameFast. The packet, which also contains other
    /// fields, then has at most 256 KiB.
    private static let pieceBytesMax = 255 * 1024

    private init(
        settings: SFTPSettings, ssh: ChildProcess, messages: ChildOutput, session: SFTPSession,
        extensions: [String: String], limits: SFTPLimits?
    ) {
        self.settings = settings
        self.ssh = ssh
        self.messages = messages
        self.session = session
        canSync = extensions[SFTPExtension.sync] != nil
        reportsFreeSpace = extensions[SFTPExtension.fileSystem] != nil
        let limit = limits.map { min($0.writeBytes, $0.readBytes) } ?? 0
        pieceBytes =
            limit == 0 ? Self.pieceBytesSafe : Int(clamping: limit).clamped(1_024, Self.pieceBytesMax)
    }

    /// Starts ssh and the SFTP session.
    static func open(_ settings: SFTPSettings) async throws(UploadFailure) -> SFTPConnection {
        // Checks the key before ssh starts. If ssh cannot read a key, ssh continues without the key, and
        // reports only that the server refused the login.
        if let file = settings.identityFile, access(file, R_OK) != 0 {
            throw UploadFailure(
                .permanent(.unauthorised),
                "ssh cannot use the key file \(oneLine(file)): \(Errno(rawValue: errno))",
                nextStep: "Check that the key file exists and belongs to the service's user.")
        }
        if let file = settings.identityFile, let fault = SSHKeyFault.all(ofFile: file).first {
            throw UploadFailure(
                .permanent(.unauthorised), fault.sentence(file), nextStep: fault.nextStep(file))
        }
        let ssh: ChildProcess
        let messages: ChildOutput
        let ours: FileDescriptor
        do {
            let ends = try SocketPair.make()
            ours = ends.ours
            messages = try ChildOutput(bytesMax: 16 * 1024)
            var start = ChildProcess.Start(
                program: settings.program, arguments: SSHArguments.subsystem(settings),
                environment: SSHArguments.environment(settings), input: try ends.theirs.duplicate(),
                output: ends.theirs, error: messages.childEnd)
            start.yields = true
            ssh = try await ChildProcess.start(start)
        } catch {
            throw UploadFailure.shortage(starting: "ssh", error)
                ?? UploadFailure(
                    .permanent(.misconfigured), "\(error)", nextStep: "Install openssh-client.")
        }
        let session = SFTPSession(
            socket: ours,
            stallSeconds: SFTPSession.stallSeconds(
                settings.stallSeconds, connectSeconds: settings.connectTimeoutSeconds))
        do {
            let extensions = try await session.greet()
            let limits = extensions[SFTPExtension.limits] == nil ? nil : try await session.limits()
            return SFTPConnection(
                settings: settings, ssh: ssh, messages: messages, session: session, extensions: extensions,
                limits: limits)
        } catch {
            session.terminate(.lost)
            throw await explain(error, settings: settings, ssh: ssh, messages: messages)
        }
    }

    /// Ends the SFTP session and stops ssh.
    func close() async {
        session.terminate(.lost)
        await ssh.stop(grace: .seconds(1))
        messages.finish()
    }

    /// Returns the free space of the server's file system, or `nil` if the server does not report it.
    func fileSystem(of path: String) async -> SFTPFileSystem? {
        guard reportsFreeSpace,
            case .extended(let payload)? = try? await session.send(.fileSystem(path: path)).reply()
        else { return nil }
        return try? SFTPFileSystem(payload)
    }

    /// Ends the SFTP session, and returns the upload failure that describes why the connection ended.
    func explain(_ error: any Error) async -> UploadFailure {
        session.terminate(.lost)
        return await Self.explain(
            session.endReason ?? error, settings: settings, ssh: ssh, messages: messages)
    }

    private static func explain(
        _ error: any Error, settings: SFTPSettings, ssh: ChildProcess, messages: ChildOutput
    ) async -> UploadFailure {
        // ssh writes the reason before it exits. Closing the socket makes ssh exit.
        await ssh.endOrKill(after: .milliseconds(500))
        let text = messages.finish()
        switch error as? SFTPError {
        case .cancelled: return .stopped
        case .stalled(let seconds):
            return UploadFailure(
                .outage(retryAfterSeconds: nil), "the server did not respond for \(seconds) s",
                nextStep: "Check the server and the network connection.")
        case .noThread(let reason):
            return UploadFailure(
                .outage(retryAfterSeconds: nil),
                "this computer lacks resources for a connection (\(reason))",
                nextStep: "No action is needed: FrameFast retries automatically.")
        case .invalidData(let fault):
            return UploadFailure(
                .outage(retryAfterSeconds: nil),
                "the server's response is not SFTP (\(fault))",
                nextStep: "Make sure that the account's login scripts print nothing.")
        default: return SSHFailureMapping.failure(messages: text)
        }
    }
}

extension Int {
    fileprivate func clamped(_ low: Int, _ high: Int) -> Int { Swift.min(Swift.max(self, low), high) }
}
