import Glibc
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of starting the program that decodes pictures.
@Suite(.programs(1)) struct PictureProgramTests {
    @Test func `a failed start reaps no other child process`() throws {
        var child = pid_t()
        var arguments = [strdup("/bin/true"), nil]
        defer { free(arguments[0]) }
        try #require(posix_spawn(&child, "/bin/true", nil, nil, &arguments, environ) == 0)
        // Waits for the end of the child without reaping it.
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0)
        #expect(PictureProgram(path: "/nonexistent/program") == nil)
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child && status == 0)
    }
}
