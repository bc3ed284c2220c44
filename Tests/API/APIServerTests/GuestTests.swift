import APIClient
import Foundation
import FrameFastAPI
import FrameFastSystem
import Glibc
import SurfaceTestSupport
import Testing

@testable import APIServer

/// Tests of request authorities and of the connection limits of read-only users.
@Suite struct GuestTests {
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:9481", "127.9.8.7:1", "localhost", "LOCALHOST:9481", "[::1]", "[::1]:9481",
        "[0:0:0:0:0:0:0:1]:65535",
    ])
    func `accepts loopback addresses and localhost as authority`(authority: String) {
        #expect(LocalAuthority.isLoopback(authority))
    }

    @Test(arguments: [
        "127.evil.example", "127.evil.example:9481", "127.0.0.1.evil.example", "127.0.0.1.evil.example:9481",
        "localhost.evil.example", "evil.example", "127.1", "127", "0127.0.0.1", "128.0.0.1", "0.0.0.0", "",
        "[::1].evil.example", "[::1]evil.example:80", "[::1", "[::2]:80", "[::]", "[]", "::1", "::1:9481",
        "[::ffff:127.0.0.1]", "127.0.0.1:", "127.0.0.1:evil", "127.0.0.1:80:80", "127.0.0.1:65536",
        "user@127.0.0.1", "127.0.0.1@evil.example", " 127.0.0.1", "127.0.0.1 ", "localhost:9481.evil.example",
        "127.0.0.1:+80",
    ])
    func `rejects every authority that is not loopback`(authority: String) {
        #expect(!LocalAuthority.isLoopback(authority))
    }

    @Test func `limits connections of one user and reuses released connections`() {
        let limiter = ReadOnlyConnectionLimiter(namespace: .whole)
        for _ in 0..<ReadOnlyConnectionLimiter.perUserMax { #expect(limiter.reserve(for: 1_000)) }
        #expect(!limiter.reserve(for: 1_000))
        #expect(limiter.reserve(for: 1_001))
        limiter.release(for: 1_000)
        #expect(limiter.reserve(for: 1_000) && !limiter.reserve(for: 1_000))
    }

    @Test func `reserves connections for users with control`() {
        let limiter = ReadOnlyConnectionLimiter(namespace: .whole)
        let entered = (1_000..<2_000).count { user in
            (0..<ReadOnlyConnectionLimiter.perUserMax).allSatisfy { _ in limiter.reserve(for: user) }
        }
        #expect(entered == ReadOnlyConnectionLimiter.totalMax / ReadOnlyConnectionLimiter.perUserMax)
        #expect(
            ReadOnlyConnectionLimiter.totalMax < EventHub.readersMax
                && ReadOnlyConnectionLimiter.totalMax < APIServerLimits.connectionsMax)
    }

    @Test func `limits unmapped users inside a namespace only in total`() {
        let limiter = ReadOnlyConnectionLimiter(
            namespace: UserNamespace(uidMap: "0 0 1\n900 900 1\n", gidMap: ""))
        for _ in 0..<ReadOnlyConnectionLimiter.totalMax {
            #expect(limiter.reserve(for: UserNamespace.overflowID))
        }
        #expect(!limiter.reserve(for: UserNamespace.overflowID))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run code as another user"))
    func `a read-only user with 200 connections does not block other users`() async throws {
        let policy = AccessPolicy(ownUser: 0, controlGroup: nil, isStatusPublic: true)
        try await RunningServer.run(policy: policy) { server in
            // After the last request, the script prints the numbers of answered, refused and open
            // connections. It keeps the connections open until its input ends.
            let script = """
                import socket, sys
                def ask():
                    end = socket.socket(socket.AF_UNIX)
                    end.connect(sys.argv[1])
                    try:
                        end.sendall(b'GET /v1/version HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n')
                        return end, end.recv(12)
                    except ConnectionError:
                        return end, b''
                held = [ask() for number in range(200)]
                answers = [answer for end, answer in held]
                def is_open(end):
                    end.setblocking(False)
                    try:
                        while end.recv(4096): pass
                        return False
                    except BlockingIOError:
                        return True
                    except ConnectionError:
                        return False
                still = [end for end, answer in held if answer and is_open(end)]
                counts = [answers.count(b'HTTP/1.1 200'), answers.count(b''), len(still)]
                # Python buffers the output of a pipe until it is flushed.
                print(' '.join(map(str, counts)), flush=True)
                sys.stdin.read()
                """
            // Runs on a blocking thread, because Foundation reports a program's exit on the thread that
            // started it.
            let said = try await blocking {
                let guest = Process()
                guest.executableURL = URL(filePath: "/usr/bin/setpriv")
                guest.arguments = [
                    "--reuid=12345", "--regid=12345", "--clear-groups", "/usr/bin/python3", "-c", script,
                    server.socketPath,
                ]
                let (input, output) = (Pipe(), Pipe())
                (guest.standardInput, guest.standardOutput) = (input, output)
                try guest.run()
                let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                _ = try FrameFastClient(socketPath: server.socketPath).call(\.service.version)
                try input.fileHandleForWriting.close()
                guest.waitUntilExit()
                return said
            }
            let counts = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(counts.count == 3, "\(said)")
            let (answered, refused, open) = (counts[0], counts[1], counts[2])
            #expect(answered + refused == 200, "\(said)")
            // On a slow computer the server closes some idle connections before the last request. For each
            // closed connection, the server can accept another connection.
            #expect(
                open <= ReadOnlyConnectionLimiter.perUserMax
                    && answered >= ReadOnlyConnectionLimiter.perUserMax, "\(said)")
            #expect(refused > 100, "\(said)")
        }
    }
}
