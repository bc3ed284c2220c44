import FrameFastSystem
import Glibc
import SystemPackage
import Testing

@Suite struct PipePairTests {
    @Test func `both ends of a new pipe are close-on-exec and blocking`() throws {
        let (reader, writer) = try PipePair.make()
        defer { for end in [reader, writer] { try? end.close() } }
        for end in [reader, writer] {
            #expect(fcntl(end.rawValue, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
            #expect(fcntl(end.rawValue, F_GETFL) & O_NONBLOCK == 0)
        }
        #expect(try writer.writeAll("a".utf8) == 1)
    }
}
