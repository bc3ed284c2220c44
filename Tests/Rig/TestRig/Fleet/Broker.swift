import Foundation
import Glibc

/// A running mosquitto, on the loopback as a rule.
public final class Broker {
    /// The address at which it listens.
    public let address: String
    /// The port on which it listens.
    public let port: Int
    private let wrapper: [String]
    private let folder: ScratchFolder
    private let configuration: String
    private var program: RunningProgram?

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - lines: More of its configuration.
    ///   - isAnonymous: Whether it lets in who says no name.
    ///   - wrapper: Put before its program, for a network of its own with this address.
    public init(
        _ folder: ScratchFolder, _ lines: [String] = [], isAnonymous: Bool = true,
        address: String = "127.0.0.1", wrapper: [String] = []
    ) async throws {
        self.folder = folder
        (self.address, self.wrapper) = (address, wrapper)
        certificates = nil
        port = try LoopbackPort.free()
        configuration = folder.path("mosquitto.conf")
        let text =
            [
                // Started by root it would become a user who cannot read a test's folder.
                "user root", "listener \(port) \(address)", "allow_anonymous \(isAnonymous)",
                "log_dest stderr",
                "log_type error", "log_type warning", "log_type notice", "log_type information",
                "persistence false",
            ] + lines
        try text.joined(separator: "\n").appending("\n")
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        try await start()
    }

    /// Certificates that its own is proved by; `nil` without TLS.
    public let certificates: String?

    /// Starts a broker with a configuration that people copy, on a port that is free.
    ///
    /// - Parameter certificates: a file with those that its own is proved by.
    public init(_ folder: ScratchFolder, example: String, certificates: String) async throws {
        self.folder = folder
        (address, wrapper) = ("127.0.0.1", [])
        self.certificates = certificates
        port = try LoopbackPort.free()
        configuration = folder.path("mosquitto.conf")
        let text =
            example.replacing("listener 8883", with: "listener \(port) \(address)")
            + "user root\nlog_dest stderr\nlog_type all\n"
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
        try await start()
    }

    /// Starts it again, with nothing of what it knew.
    public func start() async throws {
        let log = folder.url.appending(path: "mosquitto-\(UUID().uuidString.prefix(4)).log")
        let program = try RunningProgram(
            ServerPrograms.mosquitto, ["-c", configuration], log: log, wrapper: wrapper)
        self.program = program
        try await eventually("mosquitto to run: \(program.output)") {
            guard program.isRunning else {
                throw Impatience(description: "mosquitto ended: \(program.output)")
            }
            return program.output.contains(" running") ? () : nil
        }
    }

    /// Sends it a signal: SIGKILL, SIGSTOP, SIGCONT.
    public func signal(_ number: Int32) { program?.signal(number) }

    /// Ends it at once, and waits until it has ended.
    public func kill() async throws {
        program?.signal(SIGKILL)
        _ = try await program?.ended()
    }

    /// What it said.
    public var log: String { program?.output ?? "" }
}
