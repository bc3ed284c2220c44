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
    public var address: String { "ptpip:127.0.0.1:\(port)" }

    /// Starts a simulated camera on a free port, or on `port` for one that comes back.
    public init(_ folder: ScratchFolder, name: String = "sim", port: Int = 0, _ arguments: [String] = [])
        async throws
    {
        self.folder = folder.url
        control = folder.path("\(name).ctl")
        truthFile = folder.path("\(name).truth")
        let log = folder.url.appending(path: "\(name)-\(UUID().uuidString.prefix(4)).log")
        let program = try RunningProgram(
            Programs.path("framefast-simcam"),
            ["--listen", "127.0.0.1:\(port)", "--control", control, "--truth", truthFile] + arguments,
            log: log)
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
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: control.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            throw Impatience(description: "cannot reach the simulator's control socket")
        }
        let line = text + "\n"
        guard write(descriptor, line, line.utf8.count) == line.utf8.count else {
            throw Impatience(description: "cannot write to the simulator")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !answer.contains(UInt8(ascii: "\n")) {
            let got = read(descriptor, &buffer, buffer.count)
            guard got > 0 else { break }
            answer += buffer[..<got]
        }
        let reply = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard reply.hasPrefix("ok") else { throw Impatience(description: "the simulator says: \(reply)") }
        return String(reply.dropFirst(2).drop { $0 == " " })
    }
}
