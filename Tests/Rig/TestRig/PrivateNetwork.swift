import Foundation
import Repository

/// A private network for a test. The network connects only two namespaces: one for the service and one for
/// cameras.
public final class PrivateNetwork {
    private let host: RunningProgram
    private let studio: RunningProgram
    private let folder: ScratchFolder
    private var announcer: RunningProgram?

    /// The command prefix that runs a program on the service's side of the network.
    public var hostWrapper: [String] { Self.enter(host) }
    /// The command prefix that runs a program on the cameras' side of the network.
    public var studioWrapper: [String] { Self.enter(studio) }

    /// Whether the system permits a test to create networks.
    public static let isPossible: Bool = {
        let check = Process()
        check.executableURL = URL(filePath: "/usr/bin/unshare")
        check.arguments = ["-n", "/bin/sh", "-c", "command -v python3 nsenter && ip link add t0 type veth"]
        check.standardOutput = FileHandle.nullDevice
        check.standardError = FileHandle.nullDevice
        guard (try? check.run()) != nil else { return false }
        check.waitUntilExit()
        return check.terminationStatus == 0
    }()

    /// Creates the network.
    ///
    /// - Parameters:
    ///   - folder: The folder for the output of the network's programs.
    ///   - own: The service's address with its prefix length, for example `10.77.0.1/24`.
    ///   - cameras: The addresses of the cameras in the same network.
    public init(_ folder: ScratchFolder, host own: String, cameras: [String]) async throws {
        self.folder = folder
        let length = own.split(separator: "/").last.map(String.init) ?? "24"
        func side(_ name: String, _ script: String) async throws -> RunningProgram {
            let program = try RunningProgram(
                URL(filePath: "/usr/bin/unshare"),
                ["-n", "/bin/sh", "-ec", script + "; echo ready; exec sleep infinity"],
                log: folder.url.appending(path: "\(name).net"))
            try await eventually("the network of \(name): \(program.output)") {
                guard program.isRunning else { throw WaitTimeout(description: program.output) }
                return program.output.contains("ready") ? () : nil
            }
            return program
        }
        studio = try await side("studio", "ip link set lo up")
        // With a `retrans_time_ms` of 100, the kernel tries an unused address three times, for 0.1 s each.
        host = try await side(
            "host",
            """
            ip link set lo up; ip link add eth0 type veth peer name eth0 netns \(studio.pid)
            ip addr add \(own) dev eth0; \(Self.bringUp)
            echo 100 > /proc/sys/net/ipv4/neigh/eth0/retrans_time_ms
            """)
        let addresses = cameras.map { "ip addr add \($0)/\(length) dev eth0" }.joined(separator: "; ")
        try await run("setup", "\(addresses); \(Self.bringUp)", studioWrapper)
        try await run("host-addresses", Self.waitForLinkAddress, hostWrapper)
        try await run("studio-addresses", Self.waitForLinkAddress, studioWrapper)
    }

    /// Turns the interface on. With `accept_dad` 0, the kernel skips the check whether another computer has
    /// the link-local IPv6 address. This check would take two seconds.
    private static let bringUp = """
        [ ! -e /proc/sys/net/ipv6 ] || echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad; ip link set eth0 up
        """
    /// Waits until the link-local IPv6 address can be used. Chromium ends a page load with
    /// `ERR_NETWORK_CHANGED` if the addresses change during it.
    private static let waitForLinkAddress = """
        [ -e /proc/sys/net/ipv6 ] || exit 0
        until ip -6 addr show dev eth0 | grep -q inet6; do sleep 0.05; done
        while ip -6 addr show dev eth0 | grep -q tentative; do sleep 0.05; done
        """

    private func run(_ name: String, _ script: String, _ wrapper: [String]) async throws {
        let program = try RunningProgram(
            URL(filePath: "/bin/sh"), ["-ec", script], log: folder.url.appending(path: "\(name).net"),
            wrapper: wrapper)
        guard try await program.waitUntilExit() == 0 else { throw WaitTimeout(description: program.output) }
    }

    /// Makes cameras announce themselves. `announce.py` describes the roles.
    public func announce(on interface: String, _ roles: [String]) async throws {
        let program = try RunningProgram(
            URL(filePath: "/usr/bin/python3"),
            [Repository.file("Tests/Rig/Network/announce.py").path, interface] + roles,
            log: folder.url.appending(path: "announce.log"), wrapper: studioWrapper)
        try await eventually("the announcer: \(program.output)") {
            guard program.isRunning else { throw WaitTimeout(description: program.output) }
            return program.output.contains("announcing") ? () : nil
        }
        announcer = program
    }

    private static func enter(_ program: RunningProgram) -> [String] {
        ["/usr/bin/nsenter", "-t", "\(program.pid)", "-n", "--"]
    }
}
