import Foundation
import Glibc

/// A program that takes commands on a Unix socket, one a line. The last line of each answer begins with `ok` or `error`.
struct ControlLine {
    /// What the program is called when something goes wrong.
    let name: String
    /// Path of its socket.
    let path: String

    /// The longest wait for a part of an answer, in seconds.
    private static let patienceSeconds = 60

    /// Sends a command.
    ///
    /// - Returns: the answer without `ok`.
    /// - Throws: when it answers with an error.
    func send(_ command: String) throws -> String {
        // Kept by a program that another test starts in this moment, the connection would never end.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw Impatience(description: "cannot reach \(name)'s control socket") }
        let line = command + "\n"
        guard write(descriptor, line, line.utf8.count) == line.utf8.count else {
            throw Impatience(description: "cannot write to \(name)")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !Self.isComplete(answer) {
            let got = read(descriptor, &buffer, buffer.count)
            guard got >= 0 || errno != EAGAIN else {
                throw Impatience(
                    description: "waited \(Self.patienceSeconds) s for \(name)'s answer to \"\(command)\"")
            }
            guard got > 0 else { break }
            answer += buffer[..<got]
        }
        let reply = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
        let isGood = reply.hasPrefix("ok") || reply.hasSuffix("\nok")
        guard isGood else { throw Impatience(description: "\(name) says: \(reply)") }
        return reply.hasPrefix("ok")
            ? String(reply.dropFirst(2).drop { $0 == " " }) : String(reply.dropLast(3))
    }

    private static func isComplete(_ answer: [UInt8]) -> Bool {
        guard answer.last == UInt8(ascii: "\n") else { return false }
        let line = answer.dropLast().split(separator: UInt8(ascii: "\n")).last.map {
            String(decoding: $0, as: UTF8.self)
        }
        return line?.hasPrefix("ok") == true || line?.hasPrefix("error") == true
    }
}
