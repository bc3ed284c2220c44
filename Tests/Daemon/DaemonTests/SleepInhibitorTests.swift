import ChildProcesses
import Foundation
import FrameFastSystem
import Glibc
import Logging
import Synchronization
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of the sleep lock. A program holds the lock, and may end at any time.
@Suite(.programs(1)) struct SleepInhibitorTests {
    /// The scripted results of the function that returns whether the lock is required.
    private final class ScriptedAnswers: Sendable {
        private let rest: Mutex<[Bool?]>
        private let calls = Mutex(0)
        /// The number of calls so far.
        var count: Int { calls.withLock { $0 } }

        /// Creates scripted results.
        ///
        /// - Parameter answers: The results, in order. The last result is repeated.
        init(_ answers: [Bool?]) { rest = Mutex(answers) }

        func next() -> Bool? {
            calls.withLock { $0 += 1 }
            return rest.withLock { answers -> Bool? in
                answers.count > 1 ? answers.removeFirst() : answers[0]
            }
        }
    }

    /// An inhibitor whose program records its starts.
    private struct Fixture: Sendable {
        let inhibitor: SleepInhibitor
        private let script: ScriptedAnswers
        private let scratch: ScratchFolder

        private init(_ answers: [Bool?], steadyTime: Duration) throws {
            let (script, scratch) = (ScriptedAnswers(answers), try ScratchFolder())
            (self.script, self.scratch) = (script, scratch)
            inhibitor = SleepInhibitor(
                command: CommandSettings(
                    program: "/bin/sh",
                    arguments: ["-c", "echo $$ >> '\(scratch.path("starts"))'; exec sleep 600"]),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: .system,
                steadyTime: steadyTime
            ) { script.next() }
        }

        /// Runs an inhibitor during a test.
        ///
        /// - Parameter answers: Whether the lock is required, in order. The last value is repeated.
        static func run(
            _ answers: [Bool?], steadyTime: Duration, _ body: (Fixture) async throws -> Void
        ) async throws {
            let fixture = try Fixture(answers, steadyTime: steadyTime)
            let running = Task { try await fixture.inhibitor.run() }
            do { try await body(fixture) } catch {
                running.cancel()
                _ = await running.result
                throw error
            }
            running.cancel()
            _ = await running.result
        }

        /// The process ids of the program's starts, in order.
        var starts: [pid_t] {
            let text = (try? String(contentsOfFile: scratch.path("starts"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { pid_t($0) }
        }

        func waitForStart(_ count: Int) async throws -> pid_t {
            try await eventually("start \(count) of the program") {
                let starts = self.starts
                return starts.count >= count ? starts.last : nil
            }
        }

        func waitForCall(_ count: Int) async throws {
            try await eventually("question \(count)") { script.count >= count ? () : nil }
        }

        func waitForEnd(of program: pid_t) async throws {
            try await eventually("the end of \(program)") { kill(program, 0) != 0 ? () : nil }
        }
    }

    @Test func `acquires the lock again after its program was killed`() async throws {
        try await Fixture.run([true], steadyTime: .zero) { fixture in
            let first = try await fixture.waitForStart(1)
            kill(first, SIGKILL)
            let second = try await fixture.waitForStart(2)
            #expect(second != first)
        }
    }

    @Test func `acquires the lock again if an update follows the early end of its program`() async throws {
        try await Fixture.run([true], steadyTime: .seconds(3_600)) { fixture in
            let first = try await fixture.waitForStart(1)
            kill(first, SIGKILL)
            try await fixture.waitForEnd(of: first)
            fixture.inhibitor.update()
            let second = try await fixture.waitForStart(2)
            #expect(second != first)
        }
    }

    @Test func `keeps the lock while its necessity is unknown`() async throws {
        try await Fixture.run([true, nil, true, false], steadyTime: .seconds(3_600)) { fixture in
            let program = try await fixture.waitForStart(1)
            for question in 2...4 {
                fixture.inhibitor.update()
                try await fixture.waitForCall(question)
            }
            try await fixture.waitForEnd(of: program)
            #expect(fixture.starts == [program])
        }
    }
}
