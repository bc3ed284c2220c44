import Foundation
import FrameFastSystem
import Glibc
import SystemPackage
import Testing

/// A running `framefast-simcam`.
final class SimulatedCamera {
    let pid: pid_t
    let port: String
    private let scratch: ScratchDirectory
    private let truthPath: String
    private let controlPath: String

    init(
        maker: String = "generic", host: String = "127.0.0.1", _ arguments: [String] = [],
        names: [String] = []
    ) throws {
        scratch = try ScratchDirectory()
        truthPath = scratch.file("truth")
        controlPath = scratch.file("control")
        var all =
            [
                "--listen", "\(host):0", "--maker", maker, "--truth", truthPath, "--control", controlPath,
            ] + arguments
        if !names.isEmpty {
            let path = scratch.file("names")
            try names.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            all += ["--names", path]
        }
        let (output, childEnd) = try PipePair.make()
        defer { try? output.close() }
        pid = try BuiltProgram.start("framefast-simcam", all, descriptors: [nil, childEnd.rawValue, 2])
        try childEnd.close()
        do {
            let words = try Self.firstLine(of: output.rawValue)
            guard words.hasPrefix("listening on "), let number = words.split(separator: ":").last else {
                throw CameraTestError(words: "the simulator printed: \(words)")
            }
            port = "ptpip:\(host):\(number)"
        } catch {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw error
        }
    }

    private static func firstLine(of output: Int32) throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        repeat {
            try waitForInput(on: output, "the simulator's first line")
            guard read(output, &byte, 1) == 1 else { break }
            line.append(byte)
        } while byte != UInt8(ascii: "\n")
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    deinit {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Presses the camera's own shutter button.
    func press() { kill(pid, SIGUSR1) }

    /// Sends a command to the simulator. Returns its response, whose last line starts with `ok` or `error`.
    @discardableResult
    func send(_ command: String) throws -> String {
        let descriptor = try sendWithoutWaiting(command)
        defer { close(descriptor) }
        var reply: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            try waitForInput(on: descriptor, "the simulator's response to \"\(command)\"")
            let count = read(descriptor, &bytes, bytes.count)
            reply += bytes.prefix(max(0, count))
            let text = String(decoding: reply, as: UTF8.self)
            let last = text.split(separator: "\n").last ?? ""
            if count <= 0 || text.hasSuffix("\n") && ["ok", "error"].contains(where: { last.hasPrefix($0) }) {
                return text
            }
        }
    }

    /// An operation that a client requested.
    struct Operation: Decodable {
        /// The time of the response, in nanoseconds of the monotonic clock.
        var ns: Int
        /// The operation code, in four hexadecimal digits.
        var code: String
        var parameters: [UInt32]
        /// The data from the client, in hexadecimal digits.
        var data: String
    }

    /// Returns the operations since the last call, oldest first.
    func operations() throws -> [Operation] {
        try send("log ops").split(separator: "\n").filter { $0.contains("\"code\"") }.map {
            try JSONDecoder().decode(Operation.self, from: Data($0.utf8))
        }
    }

    /// Sends a command without waiting for the response, which may take some time.
    ///
    /// - Returns: The socket on which the response arrives.
    func sendWithoutWaiting(_ command: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: controlPath.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let line = command + "\n"
        guard connected == 0, write(descriptor, line, line.utf8.count) == line.utf8.count else {
            close(descriptor)
            throw CameraTestError(words: "the simulator cannot be reached")
        }
        return descriptor
    }

    /// Properties that are not settings: clocks, counters that change with each shot, and the result of the
    /// last release.
    private static let counts: Set<String> = ["d113", "d17c", "d11b", "d208"]
    /// The property codes of a Nikon's remaining shots on the card and in the buffer.
    private static let (shotsLeft, shotsLeftInBuffer) = ("d1f1", "d103")

    /// Returns the simulator's values of the camera's settings, and whether the camera's buttons are locked.
    func body() throws -> [String: Int] {
        var body = try JSONDecoder().decode(
            [String: Int].self, from: Data(send("controls").dropFirst(3).utf8))
        for count in Self.counts { body[count] = nil }
        // Only a Nikon has `shotsLeft`. An EOS uses the code of `shotsLeftInBuffer` for its ISO speed.
        if body.removeValue(forKey: Self.shotsLeft) != nil { body[Self.shotsLeftInBuffer] = nil }
        body["locked"] = try send("locked").contains("true") ? 1 : 0
        return body
    }

    /// Returns whether live view is on.
    func isLive() throws -> Bool { try send("frames").contains("\"on\":true") }

    /// Verifies that the camera's settings have not changed.
    func expect(_ before: [String: Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let changes = try changes(since: before)
        #expect(changes == [], sourceLocation: sourceLocation)
    }

    /// Returns the camera's changed settings.
    func changes(since before: [String: Int]) throws -> [String] {
        let now = try body()
        return Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted().map { key in
            "\(key): \(before[key].map(String.init) ?? "-") → \(now[key].map(String.init) ?? "-")"
        }
    }

    /// Returns the simulator's counters and state.
    func state() throws -> State {
        try JSONDecoder().decode(State.self, from: Data(send("stats").dropFirst(3).utf8))
    }

    struct State: Decodable {
        var target: String
        var body_locked: Bool
        var lamp: String
        var crashes: Int
        var lost: Int
        var refused: Int
        var shots: Int
        var files: Int
        var deleted: Int
        var session_open: Bool
        var requests: [String: Int]
    }

    /// Suspends the program, like a camera that hangs. `SIGCONT` resumes it.
    func freeze() { kill(pid, SIGSTOP) }

    /// Returns the simulator's record of a photo. Waits until it is written.
    func truth(of name: String) throws -> Photo {
        var found: Photo?
        // The simulator writes the line after it has responded to the PTP client.
        pollUntil {
            let lines = (try? String(contentsOfFile: truthPath, encoding: .utf8)) ?? ""
            found = lines.split(separator: "\n").lazy
                .compactMap { try? JSONDecoder().decode(Photo.self, from: Data($0.utf8)) }
                .first { $0.name == name }
            return found != nil
        }
        guard let found else { throw CameraTestError(words: "the simulator has no record of \(name)") }
        return found
    }

    /// Returns the SHA-256 of every photo that was taken. Waits until all photos are recorded.
    func hashes() throws -> Set<String> {
        // The simulator responds to `stats` only after it has written all records.
        _ = try state()
        let lines = try String(contentsOfFile: truthPath, encoding: .utf8)
        return Set(
            try lines.split(separator: "\n").map {
                try JSONDecoder().decode(Photo.self, from: Data($0.utf8)).sha256
            })
    }

    struct Photo: Decodable {
        var shot: Int
        var handle: UInt32
        var name: String
        var size: UInt64
        var sha256: String
    }
}

/// A failure of the test environment.
struct CameraTestError: Error, CustomStringConvertible {
    var words: String
    var description: String { words }
}
