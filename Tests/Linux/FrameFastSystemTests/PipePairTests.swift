import FrameFastSystem
import Glibc
import SystemPackage
import Testing

/// What goes to and from programs that are started.
@Suite struct PipePairTests {
    @Test func `no program that is started meanwhile inherits an end of a pipe`() throws {
        let (reader, writer) = try PipePair.make()
        defer { for end in [reader, writer] { try? end.close() } }
        for end in [reader, writer] {
            #expect(fcntl(end.rawValue, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
            #expect(fcntl(end.rawValue, F_GETFL) & O_NONBLOCK == 0)
        }
        #expect(try writer.writeAll("a".utf8) == 1)
    }
}
