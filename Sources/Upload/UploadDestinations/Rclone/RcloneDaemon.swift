import ChildProcesses
import Foundation
import UploadEngine

/// A running `rclone rcd` of our own, on a free port of loopback, with a password that only its environment holds.
///
/// Debian's 1.60 has no Unix sockets for its remote control, and later ones take them only without a password; so the
/// port is used with all versions. Who holds the password can read what this service can: it is made anew each time.
final class RcloneDaemon: Sendable {
    private let child: ChildProcess
    private let messages: ChildOutput
    /// Where it listens, for example `http://127.0.0.1:36617`.
    private let address: String
    private let credentials: HTTPCredentials
    let settings: RcloneSettings

    /// Longest time until it has started.
    private static let startSeconds = 20.0
    /// The name that goes with the password.
    private static let user = "framefast"
    /// Longest answer: facts of one file have a hundredth of it.
    static let answerBytesMax = 4 * 1024 * 1024

    private init(
        child: ChildProcess, messages: ChildOutput, port: UInt16, password: String, settings: RcloneSettings
    ) {
        self.child = child
        self.messages = messages
        address = "http://127.0.0.1:\(port)"
        credentials = .password(user: Self.user, password: Secret(password))
        self.settings = settings
    }

    /// Starts it and waits until it takes requests.
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
                    // AWS_CA_BUNDLE makes 1.60 fail every S3 call: nothing is inherited.
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
            try await Task.sleep(for: .seconds(startSeconds))
        }
        let watch = Task.detached {
            _ = await child.end()
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
        let said = oneLine(messages.finish())
        if Task.isCancelled { throw UploadFailure.stopped }
        throw UploadFailure(
            .permanent(.misconfigured), "rclone does not start (\(said))",
            nextStep: "Check its configuration file with 'rclone listremotes'.")
    }

    /// The port that rclone has chosen, from its message 'Serving remote control on http://127.0.0.1:36617/'.
    static func port(in text: String) -> UInt16? {
        guard let found = text.firstMatch(of: /Serving remote control on http:\/\/127\.0\.0\.1:([0-9]+)\//)
        else {
            return nil
        }
        return UInt16(found.1)
    }

    /// Whether it runs.
    var isAlive: Bool { child.isAlive }

    /// Ends it.
    func stop() async {
        await child.stop(grace: .seconds(2))
        messages.finish()
    }

    /// Calls one of its functions.
    ///
    /// When the task is cancelled the connection is closed, which makes rclone stop what it does for it.
    ///
    /// - Parameters:
    ///   - step: The step of an upload that the function is, for sentences.
    ///   - name: The name that the function asks for, or `nil` for the folder.
    ///   - names: Other names that the function gets: no cause of a failure is read in them.
    func call<Answer: Decodable>(
        _ function: String, _ parameters: some Encodable, as: Answer.Type, at step: UploadStep = .look,
        name: String? = nil, names: [String] = []
    ) async throws(UploadFailure) -> Answer {
        let begun = messages.position
        var request = CurlRequest(action: .http(method: "POST"), url: "\(address)/\(function)")
        request.headers = [HTTPHeader("Content-Type", "application/json")]
        request.sink = .kept(mostBytes: Self.answerBytesMax)
        request.credentials = credentials
        // It answers when it has done what it was asked, a copy after hours, and has limits of its own for servers that
        // say nothing (`--contimeout`, `--timeout`); a copy is watched by its statistics.
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
            case TransportFailure.answerTooLarge:
                throw Self.outage("more than \(Self.answerBytesMax) bytes in one answer")
            default: throw Self.outage("\(error)")
            }
        }
    }

    /// A failure with rclone's own last error, which often says more than the answer: "Failed to save config: …".
    ///
    /// - Parameter begun: Where rclone's messages ended when the call began. Errors before are of other photos.
    private func explained(_ failure: UploadFailure, since begun: Int) -> UploadFailure {
        guard let said = Self.lastError(in: messages.text(since: begun)), !failure.sentence.contains(said)
        else { return failure }
        return UploadFailure(
            failure.kind, "\(failure.sentence.trimmingSuffix(".")); rclone: \(said)",
            nextStep: failure.nextStep,
            step: failure.step)
    }

    /// The words of the last line of a log that is an error. Lines that repeat the answer to a call are left out.
    static func lastError(in text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).last {
            !$0.contains("ERROR : rc: ") && ($0.contains("ERROR") || $0.contains("Failed to"))
        }
        return line.map { line in
            let words = line.firstRange(of: "ERROR : ").map { line[$0.upperBound...] } ?? line
            return oneLine(ServerWords.withoutSecrets(String(words)), max: 160)
        }
    }

    /// What an answer says.
    static func value<Answer: Decodable>(
        of answer: CurlAnswer, as: Answer.Type = Answer.self, at step: UploadStep = .look,
        name: String? = nil, names: [String] = []
    ) throws(UploadFailure) -> Answer {
        let body = Data(answer.body)
        guard answer.status == 200 else {
            let text = (try? JSONDecoder().decode(ErrorAnswer.self, from: body))?.error
            throw RcloneTrouble.failure(text ?? "status \(answer.status)", at: step, name: name, names: names)
        }
        do { return try JSONDecoder().decode(Answer.self, from: body) } catch {
            throw outage("its answer cannot be read: \(error)")
        }
    }

    private static func outage(_ reason: String) -> UploadFailure {
        UploadFailure(
            .outage(retryAfterSeconds: nil), "rclone does not answer (\(oneLine(reason, max: 160)))")
    }

    private struct ErrorAnswer: Decodable { var error: String }
}

/// The answer of a function that has nothing to say.
struct RcloneNothing: Codable {}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
