import ArgumentParser
import CLinux
import Glibc

/// A proxy that simulates a long network path with unlimited bandwidth. Each byte arrives after a fixed
/// delay.
@main struct DelayLine: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delay-line",
        abstract: "Forwards connections to a port of 127.0.0.1 and delays each byte by half a round trip.")

    @Argument(help: "Port to forward to.") var target: UInt16
    @Option(help: "Round-trip time in milliseconds, for example 0.5.") var roundTrip = 30.0

    func validate() throws {
        guard (0...60_000).contains(roundTrip) else {
            throw ValidationError("--round-trip must be between 0 and 60000.")
        }
    }

    mutating func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // The threads of the connections inherit this value. With the default of 50 µs, each byte could be
        // 50 µs late, which is a large part of a round trip of 0.25 ms.
        _ = framefast_set_timer_slack(1)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Loopback.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw ValidationError("cannot listen: \(String(cString: strerror(errno)))") }
        print("listening on 127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
        fflush(nil)
        while true {
            let near = accept(listener, nil, nil)
            guard near >= 0 else {
                throw ValidationError("cannot accept: \(String(cString: strerror(errno)))")
            }
            Line.open(from: near, to: target, roundTripMs: roundTrip)
        }
    }
}
