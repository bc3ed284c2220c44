import Foundation
import Glibc

/// A running `framefast-simcam`.
public final class Simulator {
    /// A line of the simulator's truth: what it really took.
    public struct Shot: Decodable, Hashable {
        /// Number of the press of the shutter; a RAW and its JPEG share it.
        public var shot: Int
        /// PTP object handle.
        public var handle: UInt32
        /// Folder on the card.
        public var folder: String
        /// Name on the card.
        public var name: String
        /// Bytes.
        public var size: UInt64
        /// SHA-256, lower-case hex.
        public var sha256: String
    }

    /// The process.
    public let program: RunningProgram
    /// Where it listens.
    public let port: Int
    private let folder: URL
    private let control: String
    private let truthFile: String

    /// The address as the configuration takes it.
    public var address: String { "ptpip:\(host):\(port)" }
    private let host: String

    /// Starts a simulated camera on a free port, or on `port` for one that comes back.
    ///
    /// - Parameters:
    ///   - host: The address on which it listens.
    ///   - wrapper: Put before the program, for a network of the test's own.
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
                throw Impatience(description: "the simulator ended: \(program.output)")
            }
            return program.output.split(separator: "\n").first { $0.hasPrefix("listening on ") }
                .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        }
    }

    /// What it took so far.
    public func truth() throws -> [Shot] {
        // It writes behind the camera's back, and answers this when all is written. One that has ended has written all.
        _ = try? command("stats")
        guard let text = try? String(contentsOfFile: truthFile, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Shot.self, from: Data($0.utf8))
        }
    }

    /// Sends a command to its control socket.
    ///
    /// - Returns: the answer without `ok`.
    /// - Throws: when it answers with an error.
    @discardableResult
    public func command(_ text: String) throws -> String {
        try ControlLine(name: "the simulator", path: control).send(text)
    }
}
