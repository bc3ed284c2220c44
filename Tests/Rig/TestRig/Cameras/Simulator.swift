import Foundation
import Glibc

/// A running `framefast-simcam`.
public final class Simulator {
    /// A line of the simulator's truth file, which lists every file that the camera created.
    public struct Shot: Decodable, Hashable {
        /// The number of the shot. A RAW file and its JPEG have the same number.
        public var shot: Int
        /// The PTP object handle.
        public var handle: UInt32
        /// The folder on the card.
        public var folder: String
        /// The name on the card.
        public var name: String
        /// The size, in bytes.
        public var size: UInt64
        /// The SHA-256 in lower-case hexadecimal.
        public var sha256: String
    }

    /// The simulator process.
    public let program: RunningProgram
    /// The TCP port of the camera.
    public let port: Int
    private let folder: URL
    private let control: String
    private let truthFile: String

    /// The address in the format of the configuration.
    public var address: String { "ptpip:\(host):\(port)" }
    private let host: String

    /// Starts a simulated camera on a free port. Pass `port` to restart a camera at the same address.
    ///
    /// - Parameters:
    ///   - host: The IP address of the camera.
    ///   - wrapper: The command in front of the program, for example to enter a private network.
    public init(
        _ folder: ScratchFolder, name: String = "sim", host: String = "127.0.0.1", port: Int = 0,
        wrapper: [String] = [], _ arguments: [String] = []
    ) async throws {
        self.host = host
        self.folder = folder.url
        control = folder.path("\(name).ctl")
        truthFile = folder.path("\(name).truth")
        let log = folder.url.appending(path: "\(name)-\(UUID().uuidString.prefix(4)).log")
        let program = try RunningProgram(
            Programs.path("framefast-simcam"),
            ["--listen", "\(host):\(port)", "--control", control, "--truth", truthFile] + arguments,
            log: log, wrapper: wrapper)
        self.program = program
        self.port = try await eventually("the simulator to listen: \(program.output)") {
            guard program.isRunning else {
                throw WaitTimeout(description: "the simulator ended: \(program.output)")
            }
            return program.output.split(separator: "\n").first { $0.hasPrefix("listening on ") }
                .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        }
    }

    /// Returns the files of all shots so far.
    public func truth() throws -> [Shot] {
        // The simulator writes the truth file in the background. `stats` returns after the file is complete.
        // A simulator that has ended has completed the file.
        _ = try? command("stats")
        guard let text = try? String(contentsOfFile: truthFile, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Shot.self, from: Data($0.utf8))
        }
    }

    /// Sends a command to the control socket.
    ///
    /// - Returns: The reply without `ok`.
    /// - Throws: An error if the reply is an error.
    @discardableResult
    public func command(_ text: String) throws -> String {
        try ControlSocketClient(name: "the simulator", path: control).send(text)
    }
}
