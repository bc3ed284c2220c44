import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage

/// One HTTP request to a child of ours on loopback: HTTP/1.0, so that the answer ends with the connection. Cancelling
/// closes the connection, which makes rclone stop what it does for it.
final class LoopbackCall: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Longest answer.
    static let answerBytesMax = 4 * 1024 * 1024
    private static let queue = DispatchQueue(label: "framefast.loopback-call", attributes: .concurrent)
    private let socket = Mutex<Int32>(-1)
    private let isCancelled = Mutex(false)

    private init() {}

    /// Posts `body` and gives the status and the body of the answer.
    static func post(
        port: UInt16, path: String, authorization: String, body: Data
    ) async throws -> (status: Int, body: Data) {
        let call = LoopbackCall()
        let head =
            "POST /\(path) HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: \(authorization)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Result { try call.exchange(port, Data(head.utf8) + body) })
                }
            }
        } onCancel: {
            call.isCancelled.withLock { $0 = true }
            call.socket.withLock { if $0 >= 0 { _ = shutdown($0, Int32(SHUT_RDWR)) } }
        }
    }

    private func exchange(_ port: UInt16, _ request: Data) throws -> (status: Int, body: Data) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "cannot make a socket") }
        socket.withLock { $0 = descriptor }
        defer {
            socket.withLock { $0 = -1 }
            close(descriptor)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure(description: "cannot reach rclone") }
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        var rest = request[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else {
                throw Failure(description: "rclone takes no request: \(Errno(rawValue: errno))")
            }
            rest = rest.dropFirst(sent)
        }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            answer.append(contentsOf: buffer[..<count])
            guard answer.count <= Self.answerBytesMax else {
                throw Failure(description: "rclone says too much")
            }
        }
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return try Self.parse(answer)
    }

    /// Reads an answer: its status line, and everything after the empty line.
    static func parse(_ answer: Data) throws -> (status: Int, body: Data) {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)),
            let line = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                .first,
            line.hasPrefix("HTTP/1."), let status = Int(line.split(separator: " ").dropFirst().first ?? "")
        else { throw Failure(description: "rclone's answer is cut") }
        return (status, answer[end.upperBound...])
    }
}
