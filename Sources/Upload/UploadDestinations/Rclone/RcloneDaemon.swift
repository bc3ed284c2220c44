import ChildProcesses
import Foundation
import FrameFastSystem
import UploadEngine

/// A child process `rclone rcd` on a free loopback port. The remote-control password exists only in
/// FrameFast's memory and rclone's environment.
///
/// FrameFast uses a TCP port with every rclone version. Debian's rclone 1.60 has no Unix sockets for remote
/// control, and later versions allow sockets only without a password. The password gives access to all files
/// that this service can read. Each start therefore creates a new password.
final class RcloneDaemon: Sendable {
    private let child: ChildProcess
    private let messages: ChildOutput
    /// The URL of the remote control, for example `http://127.0.0.1:36617`.
    private let address: String
    private let credentials: HTTPCredentials
    let settings: RcloneSettings

    /// The time limit for the start, in seconds.
    private static let startSeconds = 20.0
    /// The user name for the password.
    private static let user = "framefast"
    /// The largest accepted response, in bytes. A response with the facts of one file is about a hundred
    /// times smaller.
    static let responseBytesMax = 4 * 1024 * 1024

    private init(
        child: ChildProcess, messages: ChildOutput, port: UInt16, password: String, settings: RcloneSettings
    ) {
        self.child = child
        self.messages = messages
        address = "http://127.0.0.1:\(port)"
        credentials = .password(user: Self.user, password: Secret(password))
        self.settings = settings
    }

    /// Starts rclone, and waits until it accepts requests.
    static func start(_ settings: RcloneSettings) async throws(UploadFailure) -> RcloneDaemon {
        var random = SystemRandomNumberGenerator()
        let password = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let (lines, sink) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let config = try RcloneConfiguration.writable(settings)
        let child: ChildProcess
        let messages: ChildOutput
        do {
            messages = try ChildOutput(bytesMax: 16 * 1024) { sink.yield($0) }
            child = try await ChildProcess.start(
                .init(
                    program: settings.program,
                    arguments: [
                        "rcd", "--config", config, "--rc-addr", "127.0.0.1:0",
                        "--ask-password=false",
                        "--log-level", "NOTICE", "--retries", "1", "--low-level-retries", "2", "--contimeout",
                        "15s",
                        "--timeout", "\(settings.stallSeconds)s", "--stats", "0",
                    ] + (settings.bytesPerSecond.map { ["--bwlimit", "\(max($0, 1))B"] } ?? []),
                    // The child does not inherit the environment. AWS_CA_BUNDLE would make every S3 call of
                    // rclone 1.60 fail.
                    environment: [
                        "RCLONE_RC_USER": user, "RCLONE_RC_PASS": password, "PATH": "/usr/bin:/bin",
                        "HOME": URL(filePath: config).deletingLastPathComponent().path,
                        "LC_ALL": "C.UTF-8",
                    ], output: nil, error: messages.childEnd))
        } catch {
            throw UploadFailure.shortage(starting: "rclone", error)
                ?? UploadFailure(.permanent(.misconfigured), "\(error)", nextStep: "Install rclone.")
        }
        let timer = Task.detached {
            defer { sink.finish() }
            try await HostClock.system.sleep(startSeconds)
        }
        let watch = Task.detached {
            _ = await child.waitForEnd()
            sink.finish()
        }
        defer {
            timer.cancel()
            watch.cancel()
        }
        for await text in lines {
            guard let port = Self.port(in: text) else { continue }
            return RcloneDaemon(
                child: child, messages: messages, port: port, password: password, settings: settings)
        }
        await child.stop(grace: .seconds(1))
        let message = oneLine(messages.finish())
        if Task.isCancelled { throw UploadFailure.stopped }
        throw UploadFailure(
            .permanent(.misconfigured), "rclone does not start (\(message))",
            nextStep: "Check rclone's configuration file with 'rclone listremotes'.")
    }

    /// Returns the port that rclone chose, from its message 'Serving remote control on
    /// http://127.0.0.1:36617/'.
    static func port(in text: String) -> UInt16? {
        guard let found = text.firstMatch(of: /Serving remote control on http:\/\/127\.0\.0\.1:([0-9]+)\//)
        else {
            return nil
        }
        return UInt16(found.1)
    }

    /// Whether the process is running.
    var isAlive: Bool { child.isAlive }

    /// Stops the process.
    func stop() async {
        await child.stop(grace: .seconds(2))
        messages.finish()
    }

    /// Calls a remote-control function of rclone.
    ///
    /// If the task is cancelled, the connection closes and rclone stops the work for this call.
    ///
    /// - Parameters:
    ///   - step: The step of an upload that the function performs, for messages.
    ///   - name: The name in the request, or `nil` for the folder.
    ///   - names: Other names in the request. The classification of a failure ignores words in these names.
    func call<Response: Decodable>(
        _ function: String, _ parameters: some Encodable, as: Response.Type, at step: UploadStep = .look,
        name: String? = nil, names: [String] = []
    ) async throws(UploadFailure) -> Response {
        let begun = messages.position
        var request = CurlRequest(action: .http(method: "POST"), url: "\(address)/\(function)")
        request.headers = [HTTPHeader("Content-Type", "application/json")]
        request.sink = .kept(bytesMax: Self.responseBytesMax)
        request.credentials = credentials
        // rclone responds only when its work is complete, and a copy may take hours. rclone has its own time
        // limits for unresponsive servers (`--contimeout`, `--timeout`), and its statistics show the progress
        // of a copy.
        request.mayBeSilent = true
        do {
            request.body = UploadBody([.bytes(Array(try JSONEncoder().encode(parameters)))])
        } catch { throw Self.outage("\(error)") }
        do {
            return try Self.value(
                of: try await CurlTransport.shared.perform(request), at: step, name: name,
                names: names + settings.names)
        } catch {
            switch error {
            case let failure as UploadFailure: throw explained(failure, since: begun)
            case TransportFailure.cancelled: throw .stopped
            case TransportFailure.curl(_, let words, _, _): throw Self.outage(words)
            case TransportFailure.responseTooLarge:
                throw Self.outage("a response of more than \(Self.responseBytesMax) bytes")
            default: throw Self.outage("\(error)")
            }
        }
    }

    /// Adds rclone's last logged error to a failure. The log often contains more information than the
    /// response, for example "Failed to save config: …".
    ///
    /// - Parameter begun: The length of rclone's log at the start of the call. Earlier errors concern other
    ///   photos and are ignored.
    private func explained(_ failure: UploadFailure, since begun: Int) -> UploadFailure {
        guard let message = Self.lastError(in: messages.text(since: begun)),
            !failure.sentence.contains(message)
        else { return failure }
        return UploadFailure(
            failure.kind, "\(failure.sentence.trimmingSuffix(".")); rclone: \(message)",
            nextStep: failure.nextStep,
            step: failure.step)
    }

    /// Returns the message of the last error in a log, or `nil` if the log has no error. Skips lines that
    /// repeat the response to a call.
    static func lastError(in text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).last {
            !$0.contains("ERROR : rc: ") && ($0.contains("ERROR") || $0.contains("Failed to"))
        }
        return line.map { line in
            let words = line.firstRange(of: "ERROR : ").map { line[$0.upperBound...] } ?? line
            return oneLine(ServerWords.withoutSecrets(String(words)), max: 160)
        }
    }

    /// Decodes a response. Throws the failure that the response reports.
    static func value<Response: Decodable>(
        of response: CurlResponse, as: Response.Type = Response.self, at step: UploadStep = .look,
        name: String? = nil, names: [String] = []
    ) throws(UploadFailure) -> Response {
        let body = Data(response.body)
        guard response.status == 200 else {
            let text = (try? JSONDecoder().decode(ErrorResponse.self, from: body))?.error
            throw RcloneFailureMapping.failure(
                text ?? "status \(response.status)", at: step, name: name, names: names)
        }
        do { return try JSONDecoder().decode(Response.self, from: body) } catch {
            throw outage("its response cannot be decoded: \(error)")
        }
    }

    private static func outage(_ reason: String) -> UploadFailure {
        UploadFailure(
            .outage(retryAfterSeconds: nil), "rclone does not respond (\(oneLine(reason, max: 160)))")
    }

    private struct ErrorResponse: Decodable { var error: String }
}

/// An empty JSON object: the parameters of a function without parameters, or an ignored response.
struct RcloneEmpty: Codable {}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
