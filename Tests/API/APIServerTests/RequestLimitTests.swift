import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import APIServer

/// Tests of the limits of connections to the socket and to the metrics port, with simulated time.
@Suite struct RequestLimitTests {
    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "f", path: "/v1/sessions"))

    private static func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: APIServerLimits.connection.additionalChannelHandlers())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/f.sock")).wait()
        try channel.writeInbound(head)
        return channel
    }

    @Test func `closes a connection whose body arrives byte by byte for too long`() throws {
        let channel = try Self.connection()
        for second in 1...30 {
            #expect(channel.isActive, "closed after \(second - 1) s")
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `closes a connection that sends the rest of a refused body`() throws {
        let channel = try Self.connection()
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .contentTooLarge)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
        channel.embeddedEventLoop.advanceTime(by: APIServerLimits.requestTime)
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `keeps a connection open while a long reply is sent`() throws {
        let channel = try Self.connection()
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        _ = try channel.finish()
    }
}
