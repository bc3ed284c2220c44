import Foundation
import Glibc
import TestRig
import Testing

@testable import ChildProcesses

@Suite(.serialized, .programs(1), .timeLimit(.minutes(30))) struct CommandRunTests {
    @Test func `ends all processes of a script at its time limit`() async throws {
        _ = try await runHangingScript()
    }

    @Test(.nightly("measures how soon a script ends at its time limit"))
    func `ends a hanging script soon after its time limit`() async throws {
        // Without the limit, the script would run for 1,000 s.
        #expect(try await runHangingScript() < .seconds(100))
    }

    /// Runs a script that hangs, and expects that all processes of the script end.
    private func runHangingScript() async throws -> Duration {
        let script = try Script(#"sleep 1000 & echo $! > "$OUT/child"; trap '' TERM; wait; sleep 1000"#)
        defer { script.remove() }
        // On a busy computer, a short limit may end the script before the start of its child.
        for seconds in [3.0, 30, 300] {
            let run = CommandRun(settings: script.settings(timeoutSeconds: seconds), facts: [:])
            let clock = ContinuousClock()
            var end: CommandRun.End?
            let took = await clock.measure { end = await run.run().end }
            #expect(end == .timedOut)
            guard let child = Self.writtenChild(of: script) else { continue }
            try await Self.waitForEnd(of: child)
            return took
        }
        throw WaitTimeout(description: "the script did not start its child before its time limit")
    }

    /// A script that ends on SIGTERM, and whose child ignores SIGTERM. Bash blocks SIGTERM while it starts
    /// the child, and creates the file `leader` afterwards.
    private static let scriptWithChildIgnoringSIGTERM = #"""
        bash -c 'trap "" TERM; echo $$ > "$OUT/new"; mv "$OUT/new" "$OUT/child"; exec sleep 1000' &
        : > "$OUT/leader"
        wait
        """#

    @Test func `a cancelled run kills a surviving child that ignores SIGTERM`() async throws {
        let script = try Script(Self.scriptWithChildIgnoringSIGTERM)
        defer { script.remove() }
        let settings = script.settings(timeoutSeconds: 1_000)
        let task = Task { await CommandRun(settings: settings, facts: [:]).run().end }
        let child = try await Self.child(of: script)
        task.cancel()
        #expect(await task.value == .cancelled)
        try await Self.waitForEnd(of: child)
    }

    @Test func `stop kills a surviving grandchild that ignores SIGTERM`() async throws {
        let script = try Script(Self.scriptWithChildIgnoringSIGTERM)
        defer { script.remove() }
        let leader = try await Self.start(script)
        let child = try await Self.child(of: script)
        try await eventually("the script to accept SIGTERM") { try? script.text("leader") }
        #expect(await leader.stop(grace: .milliseconds(100)) == .killed(signal: SIGTERM))
        try await Self.waitForEnd(of: child)
        try await Self.waitUntilReaped(leader)
    }

    @Test func `reaps a stopped child only after the last signal to its group`() async throws {
        let script = try Script(Self.scriptWithChildIgnoringSIGTERM)
        defer { script.remove() }
        let leader = try await Self.start(script)
        let child = try await Self.child(of: script)
        // The last signal follows after the end of this test.
        #expect(await leader.stop(grace: .seconds(3_600)) == .killed(signal: SIGTERM))
        #expect(!leader.isAlive)
        #expect(kill(leader.pid, 0) == 0, "the kernel may reuse the group's id before the last signal")
        #expect(!Self.isZombie(child) && kill(child, SIGKILL) == 0)
    }

    @Test func `sends no signal to the group of a reaped child`() async throws {
        // The background process represents a foreign process that has received the group's id.
        let script = try Script(#"sleep 1000 & echo $! > "$OUT/child""#)
        defer { script.remove() }
        let leader = try await Self.start(script)
        #expect(await leader.waitForEnd() == .exited(0))
        try await Self.waitUntilReaped(leader)
        leader.signal(SIGKILL)
        #expect(await leader.stop(grace: .zero) == .exited(0))
        #expect(await leader.endOrKill(after: .zero) == .exited(0))
        let child = try await Self.child(of: script)
        #expect(!Self.isZombie(child) && kill(child, SIGKILL) == 0)
    }

    private static func start(_ script: Script) async throws -> ChildProcess {
        try await ChildProcess.start(
            .init(
                program: script.file.path, arguments: [],
                environment: ["OUT": script.folder.path, "PATH": "/usr/bin:/bin"]))
    }

    private static func waitUntilReaped(_ process: ChildProcess) async throws {
        try await eventually("the child to be reaped") { kill(process.pid, 0) == 0 ? nil : () }
    }

    /// Waits for the process id of a script's child in the file `child`, and returns this id.
    private static func child(of script: Script) async throws -> pid_t {
        try await eventually("the process id of the child") { writtenChild(of: script) }
    }

    /// Returns the process id in the file `child` of a script, or `nil` if the file has no id yet.
    private static func writtenChild(of script: Script) -> pid_t? {
        (try? script.text("child")).flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
    }

    private static func waitForEnd(of process: pid_t) async throws {
        _ = try await eventually("the process to end") {
            kill(process, 0) != 0 || isZombie(process) ? true : nil
        }
    }

    private static func isZombie(_ pid: pid_t) -> Bool {
        ((try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z").contains(") Z")
    }

    @Test func `cancellation ends a script immediately`() async throws {
        let script = try Script("sleep 1000")
        defer { script.remove() }
        let task = Task {
            await CommandRun(settings: script.settings(timeoutSeconds: 100), facts: [:]).run().end
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `keeps the end of very long output`() async throws {
        let script = try Script("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end; echo why >&2")
        defer { script.remove() }
        let outcome = await CommandRun(settings: script.settings(), facts: [:]).run()
        #expect(outcome.end == .exited(0))
        #expect(outcome.output.utf8.count <= CommandRun.outputBytesMax + 8)
        #expect(outcome.output.hasSuffix("the end\n"))
        #expect(outcome.lastLine == "why")
    }

    @Test func `does not wait for a grandchild that keeps the output open`() async throws {
        _ = try await runWithGrandchild()
    }

    @Test(.nightly("measures how soon a run ends"))
    func `a run ends when its script exits`() async throws {
        #expect(try await runWithGrandchild() < .seconds(10))
    }

    /// Runs a script that starts a background process and exits. Expects that the background process still
    /// runs afterwards.
    private func runWithGrandchild() async throws -> Duration {
        let script = try Script(#"sleep 1000 & echo $! > "$OUT/child"; echo done"#)
        defer { script.remove() }
        let took = await ContinuousClock().measure {
            let outcome = await CommandRun(settings: script.settings(), facts: [:]).run()
            #expect(outcome == .init(end: .exited(0), output: "done\n"))
        }
        let child = try #require(pid_t(try script.text("child").trimmingCharacters(in: .newlines)))
        #expect(!Self.isZombie(child) && kill(child, SIGKILL) == 0)
        return took
    }

    @Test func `refuses a program that is missing or that others can change`() throws {
        let script = try Script("exit 0", mode: 0o777)
        defer { script.remove() }
        #expect(script.settings().faults.count == 1)
        #expect(!CommandSettings(program: "relative").faults.isEmpty)
        #expect(!CommandSettings(program: "/no/such").faults.isEmpty)
    }

    @Test func `only facts with upper-case names reach the environment`() {
        let run = CommandRun(
            settings: CommandSettings(program: "/bin/true"),
            facts: ["CAMERA": "a", "lower": "no", "A B": "no"])
        #expect(run.environment.keys.filter { $0.hasPrefix("FRAMEFAST_") } == ["FRAMEFAST_CAMERA"])
    }

    @Test(
        arguments: [
            ("{file}", "/p/a.jpg"), ("{File}-{camera}", "/p/a.jpg-{b}"),
            // JSON for `curl`, for example a webhook.
            (#"{"path": "{file}", "on": {"n": 1}}"#, #"{"path": "/p/a.jpg", "on": {"n": 1}}"#),
            ("{{file}}", "{/p/a.jpg}"), ("{ {file}", "{ /p/a.jpg"),
            // A variable of a shell, for `sh -c`.
            ("file=x; echo ${file} {file}", "file=x; echo ${file} /p/a.jpg"),
            // A fact without a value, and a word that is not a fact.
            ("in {session}.", "in ."), ("{sesion}", "{sesion}"), ("{}", "{}"), ("{", "{"),
        ] as [(String, String)])
    func `replaces placeholders in arguments, also inside of other braces`(template: String, argument: String)
    {
        let run = CommandRun(
            settings: CommandSettings(program: "/bin/true", arguments: [template]),
            facts: ["FILE": "/p/a.jpg", "CAMERA": "{b}"], factNames: ["FILE", "CAMERA", "SESSION"])
        #expect(run.arguments == [argument])
    }
}
