import Foundation
import UploadEngine

/// A running `rclone rcd` of our own, on a free port of loopback, with a password that only its environment holds.
///
/// Debian's 1.60 has no Unix sockets for its remote control, and later ones take them only without a password; so the
/// port is used with all versions. Who holds the password can read what this service can: it is made anew each time.
final class RcloneDaemon: Sendable {
    private let child: ChildProcess
    private let messages: ChildOutput
    private let port: UInt16
    private let authorization: String
    let settings: RcloneSettings

    /// Longest time until it has started.
    private static let startSeconds = 20.0

    private init(
        child: ChildProcess, messages: ChildOutput, port: UInt16, authorization: String,
        settings: RcloneSettings
    ) {
        self.child = child
        self.messages = messages
        self.port = port
        self.authorization = authorization
        self.settings = settings
    }

    /// Starts it and waits until it takes requests.
    static func start(_ settings: RcloneSettings) async throws(UploadFailure) -> RcloneDaemon {
        var random = SystemRandomNumberGenerator()
        let password = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let (lines, sink) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let child: ChildProcess
        let messages: ChildOutput
        do {
            messages = try ChildOutput(bytesMax: 16 * 1024) { sink.yield($0) }
            child = try await ChildProcess.start(
                .init(
                    program: settings.program,
                    arguments: [
                        "rcd", "--config", settings.configFile, "--rc-addr", "127.0.0.1:0",
                        "--ask-password=false",
                        "--log-level", "NOTICE", "--retries", "1", "--low-level-retries", "2", "--contimeout",
                        "15s",
                        "--timeout", "\(settings.stallSeconds)s", "--stats", "0",
                    ] + (settings.bytesPerSecond.map { ["--bwlimit", "\(max($0, 1))B"] } ?? []),
                    // AWS_CA_BUNDLE makes 1.60 fail every S3 call: nothing is inherited.
                    environment: [
                        "RCLONE_RC_USER": "framefast", "RCLONE_RC_PASS": password, "PATH": "/usr/bin:/bin",
                        "HOME": URL(filePath: settings.configFile).deletingLastPathComponent().path,
                        "LC_ALL": "C.UTF-8",
                    ], output: nil, error: messages.childEnd))
        } catch {
            throw UploadFailure(
                .permanent(.misconfigured), "\(error)", nextStep: "Install rclone.")
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
            let login = Data("framefast:\(password)".utf8).base64EncodedString()
            return RcloneDaemon(
                child: child, messages: messages, port: port, authorization: "Basic \(login)",
                settings: settings)
        }
        await child.stop(grace: .seconds(1))
        let said = oneLine(messages.finish())
        if Task.isCancelled { throw UploadFailure.stopped }
        throw UploadFailure(
            .permanent(.misconfigured), "rclone does not start (\(said))",
            nextStep: "Check its configuration file with 'rclone listremotes'.")
    }

    /// The port that rclone has chosen, from its message “Serving remote control on http://127.0.0.1:36617/”.
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
    func call<Answer: Decodable>(
        _ function: String, _ parameters: some Encodable, as: Answer.Type
    ) async throws(UploadFailure) -> Answer {
        do {
            let (status, body) = try await LoopbackCall.post(
                port: port, path: function, authorization: authorization,
                body: JSONEncoder().encode(parameters))
            guard status == 200 else {
                let text = (try? JSONDecoder().decode(ErrorAnswer.self, from: body))?.error
                throw RcloneTrouble.failure(text ?? "status \(status)")
            }
            return try JSONDecoder().decode(Answer.self, from: body)
        } catch let failure as UploadFailure {
            throw failure
        } catch {
            if error is CancellationError || Task.isCancelled {
                throw UploadFailure.stopped
            }
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "rclone does not answer (\(error))")
        }
    }

    private struct ErrorAnswer: Decodable { var error: String }
}

/// The answer of a function that has nothing to say.
struct RcloneNothing: Codable {}
