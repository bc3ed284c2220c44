import Foundation
import Glibc

/// A private message bus (D-Bus) that programs use as the system bus.
public final class MessageBus {
    private let daemon: RunningProgram
    private let folder: ScratchFolder
    /// The environment variables for programs that use this bus.
    public let environment: [String: String]

    /// Returns the reason why a bus cannot run here, or `nil` if it can.
    ///
    /// - Parameter program: The path of a further program that the test needs.
    public static func obstacle(needs program: String) -> String? {
        let programs = ["/usr/bin/dbus-daemon", "/usr/bin/python3", program]
        if let missing = programs.first(where: { access($0, X_OK) != 0 }) { return "there is no \(missing)" }
        return FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
            ? nil : "python3-gi is not installed"
    }

    /// Starts a bus.
    public init(_ folder: ScratchFolder) async throws {
        self.folder = folder
        let socket = folder.path("bus")
        environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)"]
        let daemon = try RunningProgram(
            URL(filePath: "/usr/bin/dbus-daemon"),
            ["--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path=\(socket)"],
            log: folder.url.appending(path: "bus.log"))
        self.daemon = daemon
        try await eventually("a bus: \(daemon.output)") { daemon.output.contains("unix:path") ? () : nil }
    }

    /// Starts a program that serves a name on the bus.
    ///
    /// - Parameters:
    ///   - name: The base name of the program's files.
    ///   - text: The Python program. The program prints `here` as soon as it owns the bus name.
    public func serve(_ name: String, _ text: String, _ arguments: [String]) async throws -> RunningProgram {
        let script = folder.path("\(name).py")
        try Data(text.utf8).write(to: URL(filePath: script))
        let program = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), [script] + arguments,
            log: folder.url.appending(path: "\(name).log"), environment: environment)
        try await eventually("\(name): \(program.output)") { program.output.contains("here") ? () : nil }
        return program
    }
}
