import Foundation
import Glibc
import SystemIO

/// A client of a program's control socket. A command is one line; the last line of a reply starts with `ok`
/// or `error`.
struct ControlSocketClient {
    /// The name of the program in errors.
    let name: String
    /// The path of the socket.
    let path: String

    /// The maximum time between two parts of a reply, in seconds.
    private static let timeoutSeconds = 60

    /// Sends a command.
    ///
    /// - Returns: The reply without `ok`.
    /// - Throws: An error if the reply is an error.
    func send(_ command: String) throws -> String {
        let descriptor = try IO.makeUnixSocket()
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        do { try IO.connect(descriptor, toUnixSocket: path) } catch {
            throw WaitTimeout(description: "cannot reach \(name)'s control socket")
        }
        do { try IO.writeAll(Array((command + "\n").utf8), to: descriptor) } catch {
            throw WaitTimeout(description: "cannot write to \(name)")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !Self.isComplete(answer) {
            var got = 0
            do throws(SystemCallFailure) { got = try IO.read(from: descriptor, into: &buffer) } catch {
                guard error.number != EAGAIN else {
                    throw WaitTimeout(
                        description:
                            "waited \(Self.timeoutSeconds) s for the reply of \(name) to \"\(command)\"")
                }
            }
            guard got > 0 else { break }
            answer += buffer[..<got]
        }
        let reply = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
        let isGood = reply.hasPrefix("ok") || reply.hasSuffix("\nok")
        guard isGood else { throw WaitTimeout(description: "\(name) replied: \(reply)") }
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
