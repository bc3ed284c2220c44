import ChildProcesses
import Foundation
import FrameFastSystem
import Glibc
import SystemIO

/// Checks in another process. A call on a dead network mount can hang, so `--check-config` accesses
/// configured folders and files only in such processes.
///
/// Each check has its own thread, so a check that hangs does not delay the other checks. The process prints
/// all results so far after each check. The caller reads these results until the process ends, or until a
/// timeout.
enum CheckProcess {
    /// Runs a program until it ends, or until a timeout.
    ///
    /// - Returns: The output so far, or `nil` if the program printed nothing before the timeout. If the
    ///   program can't be started, the output has no results.
    typealias Run = @Sendable (_ program: String, _ arguments: [String]) async -> String?

    /// The timeout for all checks of a process.
    static let timeout: Duration = .seconds(20)

    /// Runs a program with the usual timeout.
    static let run: Run = { await output(of: $0, $1, timeout: timeout, clock: .system) }

    /// Runs checks at the same time, and prints the results so far at the start and after each check.
    ///
    /// - Parameter print: Prints one line.
    /// - Throws: The error of a thread that can't be started, or of `print`.
    static func runChecks<Value: Encodable & Sendable>(
        _ checks: [@Sendable () -> Value], print: (_ line: String) throws -> Void
    ) async throws {
        let (ends, end) = AsyncStream<(Int, Value)>.makeStream()
        for (index, check) in checks.enumerated() {
            try PlainThread.start("check") { end.yield((index, check())) }
        }
        var results = [Value?](repeating: nil, count: checks.count)
        try print(line(results))
        for await (index, value) in ends.prefix(checks.count) {
            results[index] = value
            try print(line(results))
        }
    }

    /// Encodes results as one line of JSON, in the order of the checks.
    static func line<Value: Encodable>(_ results: [Value?]) throws -> String {
        String(decoding: try JSONEncoder().encode(results), as: UTF8.self)
    }

    /// Returns the newest results in the output of a process.
    ///
    /// - Returns: The results in the order of the checks, with `nil` for a check that has not ended. The
    ///   whole value is `nil` if the output has no results for this number of checks.
    static func results<Value: Decodable>(in output: String, count: Int) -> [Value?]? {
        let newest = output.split(separator: "\n").reversed().lazy
            .compactMap { try? JSONDecoder().decode([Value?].self, from: Data($0.utf8)) }.first
        return newest?.count == count ? newest : nil
    }

    /// Returns a sentence with the next step for files or folders that do not respond. If several paths are
    /// given, one of them does not respond.
    static func noResponse(of paths: [String]) -> String {
        "\(paths.joined(separator: " or ")) does not respond. If it is on a network share, check that the "
            + "share's server can be reached, then mount the share again. Otherwise, check its disk, for "
            + "example with 'sudo dmesg'."
    }

    /// Runs a program and returns its output. A program that hangs in the kernel ignores SIGKILL and is
    /// abandoned.
    ///
    /// - Returns: See ``Run``.
    static func output(
        of program: String, _ arguments: [String], timeout: Duration, clock: HostClock
    ) async -> String? {
        guard let output = try? ChildOutput(bytesMax: 64 * 1_024),
            let child = try? await ChildProcess.start(
                .init(
                    program: program, arguments: arguments, environment: ProcessInfo.processInfo.environment,
                    output: output.childEnd, error: output.childEnd))
        else { return "cannot start \(program)" }
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let waiting = Task.detached {
            _ = await child.waitForEnd()
            end.yield(true)
        }
        let timer = Task.detached {
            try await clock.sleep(for: timeout)
            end.yield(false)
        }
        defer {
            waiting.cancel()
            timer.cancel()
        }
        for await hasEnded in ends {
            if hasEnded { return output.finish() }
            child.signal(SIGKILL)
            break
        }
        let text = output.finish()
        return text.isEmpty ? nil : text
    }
}
