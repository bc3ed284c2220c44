import Glibc
import TestRig
import Testing

@testable import ChildProcesses

/// Tests of waiting for the end of a child process.
@Suite(.programs(1)) struct ChildWatchTests {
    private func startScript(_ script: String) throws -> pid_t {
        var pid: pid_t = 0
        let command = ["/bin/sh", "-c", script]
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        // Without this mask, the child would inherit the signals that the test process blocks.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        try #require(posix_spawn(&pid, "/bin/sh", nil, &attributes, &arguments, environ) == 0)
        return pid
    }

    @Test(arguments: [
        ("exit 0", ChildProcess.End.exited(0)), ("exit 7", .exited(7)),
        ("kill -KILL $$", .killed(signal: SIGKILL)), ("kill -TERM $$", .killed(signal: SIGTERM)),
    ])
    func `reports the end of a child and does not reap it`(script: String, end: ChildProcess.End) throws {
        let pid = try startScript(script)
        #expect(ChildWatch.waitForEnd(of: pid) == end)
        #expect(waitpid(pid, nil, WNOHANG) == pid, "the child has already been reaped")
    }

    @Test func `returns exit code 127 for a reaped child`() throws {
        let pid = try startScript("exit 0")
        #expect(waitpid(pid, nil, 0) == pid)
        #expect(ChildWatch.waitForEnd(of: pid) == .exited(127))
    }
}
