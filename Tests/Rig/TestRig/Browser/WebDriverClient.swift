import Foundation
import Glibc
import SystemIO

/// An error of a command of the WebDriver protocol.
public struct WebDriverError: Error, CustomStringConvertible {
    /// The error code of the protocol, for example `javascript error`.
    public var code: String
    /// The message of the driver.
    public var message: String

    /// The code and the first line of the message.
    public var description: String {
        "\(code): \(message.split(separator: "\n").first.map(String.init) ?? "")"
    }
}

/// A client of the W3C WebDriver protocol. Each command is one HTTP request with JSON, on its own connection.
struct WebDriverClient {
    /// The TCP port of the driver on 127.0.0.1.
    let port: Int

    /// The maximum time between two parts of a reply, in seconds. The limits of the driver are shorter, so
    /// the driver's error with a reason arrives first.
    private static let timeoutSeconds = 300

    private struct Reply<Value: Decodable>: Decodable {
        var value: Value
    }

    private struct Failure: Decodable {
        var error: String
        var message: String
    }

    /// Sends a command and returns its value.
    ///
    /// - Parameter body: The parameters of the command, or `nil` for a command without parameters. The values
    ///   are texts, numbers, Booleans, lists and dictionaries.
    /// - Throws: ``WebDriverError`` if the driver refuses the command.
    func send<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, as type: Value.Type
    ) throws -> Value {
        try JSONDecoder().decode(Reply<Value>.self, from: reply(to: method, path, body)).value
    }

    /// Sends a command and ignores its value.
    func perform(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws {
        _ = try reply(to: method, path, body)
    }

    /// Sends a command and returns the body of the reply.
    private func reply(to method: String, _ path: String, _ body: [String: Any]?) throws -> Data {
        var text = Data()
        if let body { text = try JSONSerialization.data(withJSONObject: body) }
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(text.count)\r
            \r

            """
        let (status, reply) = try exchange(Array(head.utf8) + text)
        guard status == 200 else {
            let failure = try? JSONDecoder().decode(Reply<Failure>.self, from: reply).value
            throw WebDriverError(
                code: failure?.error ?? "status \(status)",
                message: failure?.message ?? String(decoding: reply.prefix(500), as: UTF8.self))
        }
        return reply
    }

    /// Sends a request, and returns the status and the body of the reply.
    private func exchange(_ request: [UInt8]) throws -> (status: Int, body: Data) {
        let descriptor = try connect()
        defer { close(descriptor) }
        do { try IO.sendAll(request, to: descriptor) } catch {
            throw WaitTimeout(description: "cannot write to the browser's driver: \(error)")
        }
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let reply = Self.complete(bytes) { return reply }
            var count = 0
            do throws(SystemCallFailure) { count = try IO.read(from: descriptor, into: &buffer) } catch {
                throw WaitTimeout(description: "cannot read from the browser's driver: \(error)")
            }
            guard count > 0 else { throw WaitTimeout(description: "the browser's driver ended a reply") }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    private func connect() throws -> Int32 {
        let descriptor = try IO.retrying {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw WaitTimeout(description: "cannot reach the browser's driver on port \(port)")
        }
        return descriptor
    }

    /// Returns the status and the body of a reply, or `nil` if bytes are missing.
    static func complete(_ bytes: Data) -> (status: Int, body: Data)? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let length = lines.dropFirst().first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
        let body = bytes[end.upperBound...]
        guard let status, let length, body.count >= length else { return nil }
        return (status, Data(body.prefix(length)))
    }
}
