import Glibc
import SystemIO
import Testing

@testable import APIClient

@Suite struct UnixSocketTests {
    @Test(.timeLimit(.minutes(1))) func `times out if the listener accepts no connection`() throws {
        let path = "/tmp/ff-backlog-\(getpid())"
        let listener = try IO.makeUnixSocket()
        defer {
            close(listener)
            unlink(path)
        }
        try #require(UnixAddress.withAddress(path) { bind(listener, $0, $1) } == 0)
        // A backlog of 0 holds one connection.
        try #require(listen(listener, 0) == 0)
        _ = try UnixSocket.connect(to: path, timeoutSeconds: 1)
        #expect(throws: ClientError.timedOut) {
            _ = try UnixSocket.connect(to: path, timeoutSeconds: 1)
        }
    }
}
