import ChildProcesses
import FrameFastSystem

/// The power of one USB port, switched by `uhubctl`: it knows which hubs can do that, and leaves the others alone.
struct PortPower: Hashable {
    /// Why the power was not switched.
    struct Failure: Error {
        var text: String
    }

    /// Where Debian has it.
    static let program = "/usr/sbin/uhubctl"
    /// How long the port is without power, in seconds: bodies with a battery of their own notice the data lines at once.
    private static let offSeconds = 2
    /// Longest run: it switches twice and waits in between.
    private static let patience = Duration.seconds(15)
    /// What is kept of its words, in bytes.
    private static let wordsMax = 8_192

    /// The hub, as uhubctl calls it: `1` for a root hub, `1-1.4` for another.
    let hub: String
    /// The port of the hub, 1 and up.
    let port: Int

    /// The port at which a device is plugged in: `1-1.4` is port 4 of hub `1-1`, `1-2` port 2 of root hub `1`.
    init?(portPath: String) {
        guard let end = portPath.lastIndex(where: { $0 == "." || $0 == "-" }),
            let port = Int(portPath[portPath.index(after: end)...]), port > 0
        else { return nil }
        hub = String(portPath[..<end])
        self.port = port
    }

    /// What uhubctl is started with.
    var arguments: [String] {
        ["--location", hub, "--ports", "\(port)", "--action", "cycle", "--delay", "\(Self.offSeconds)"]
    }

    /// Switches it off and on.
    func cycle(program: String = Self.program) async throws(Failure) {
        let words: ChildOutput
        let child: ChildProcess
        do {
            words = try ChildOutput(bytesMax: Self.wordsMax)
            child = try await ChildProcess.start(
                .init(
                    program: program, arguments: arguments, environment: [:], error: words.childEnd))
        } catch { throw Failure(text: "\(error)") }
        let end = await child.endOrKill(after: Self.patience)
        let said = oneLine(words.finish())
        guard end == .exited(0) else {
            throw Failure(text: "uhubctl: \(said.isEmpty ? "\(end)" : said)")
        }
    }
}
