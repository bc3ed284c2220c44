import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A connection of a test to the page's server.
final class PageConnection: Sendable {
    let channel: any Channel
    private let chunks: AsyncStream<String>

    /// Connects. If `isEncrypted` is `true`, uses TLS but does not check the certificate.
    ///
    /// - Parameter address: The address of the device: 127.0.0.1, or another address of this computer.
    init(port: Int, isEncrypted: Bool = true, from address: String = "127.0.0.1") async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        chunks = stream
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.certificateVerification = .none
        let context = isEncrypted ? try NIOSSLContext(configuration: settings) : nil
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                    }
                    try pipeline.addHandler(ChunkReader(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Sends text.
    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Pauses or resumes reading.
    func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
        if isReading { channel.read() }
    }

    /// Reads until the text is complete or the server closes the connection, and returns the text.
    func read(until isComplete: (String) -> Bool = { _ in false }) async -> String {
        var text = ""
        for await chunk in chunks {
            text += chunk
            if isComplete(text) { return text }
        }
        return text
    }

    /// Returns whether all words arrive before the server closes the connection. Drops all but the last 100
    /// characters of the text before each chunk.
    func contains(_ words: [String]) async -> Bool {
        var (missing, text) = (words, "")
        for await chunk in chunks {
            text = text.suffix(100) + chunk
            missing.removeAll { text.contains($0) }
            if missing.isEmpty { return true }
        }
        return false
    }

    /// Sends a request and returns the reply. The request must tell the server to close the connection.
    static func exchange(port: Int, _ request: String, isEncrypted: Bool = true) async throws -> PageReply {
        let connection = try await PageConnection(port: port, isEncrypted: isEncrypted)
        try await connection.send(request)
        let reply = PageReply(await connection.read())
        try? await connection.channel.close().get()
        return reply
    }

    /// A handler that yields the text that arrives.
    private final class ChunkReader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<String>.Continuation

        init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            continuation.yield(String(decoding: buffer.readableBytesView, as: UTF8.self))
        }

        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            continuation.finish()
            context.close(promise: nil)
        }
    }
}

/// A reply of the page's server.
struct PageReply: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The status, or 0 if the server closed the connection without a reply.
    var status: Int { text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9).prefix(3)) ?? 0 : 0 }

    /// Returns the value of a header, or `nil` if it is missing.
    func header(_ name: String) -> String? {
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        let line = head.components(separatedBy: "\r\n").first {
            $0.lowercased().hasPrefix(name.lowercased() + ": ")
        }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }
}
