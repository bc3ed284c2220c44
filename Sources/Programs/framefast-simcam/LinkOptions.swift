import ArgumentParser
import CameraSimulator

/// The options for the network address and for faults.
struct LinkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "IPv4 address and port. Port 0 uses a free port, and prints its number.",
            valueName: "address:port"))
    var listen = "127.0.0.1:15740"

    @Option(help: ArgumentHelp("Maximum speed of the connection, for example 3MB.", valueName: "bytes/s"))
    var rate: ByteCount?

    @Option(help: ArgumentHelp("Maximum photo bytes in one PTP/IP data packet.", valueName: "size"))
    var packetSize = ByteCount(bytes: 1 << 20)

    @Option(
        help: ArgumentHelp(
            "A fault to simulate. Can be repeated.", discussion: Self.faultHelp,
            valueName: "spec"))
    var fault: [String] = []

    private static let faultHelp =
        """
        NAME[:ARG][*TIMES|*always][@shot N | @op N | @op 0xCODE]. The fault occurs at photo N, at the Nth request, or at \
        the next request with that operation code. Default: at the first opportunity. Names:

        """ + Fault.spellings.map { "\($0.name): \($0.meaning)" }.joined(separator: "\n")

    func apply(to options: inout SimulatorOptions) throws {
        let parts = listen.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw ValidationError("cannot listen on '\(listen)': use ADDRESS:PORT")
        }
        options.server.address = String(parts[0])
        options.server.port = port
        options.server.bytesPerSecond = rate.map { max(1, $0.bytes) }
        options.server.packetBytes = max(1, packetSize.bytes)
        do { options.faults = try fault.map { try Fault(spelling: $0) } } catch let error as SimulatorError {
            throw ValidationError("\(error)")
        }
    }
}
