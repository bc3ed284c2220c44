import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import WebServer

/// Tests of connections that are closed because the server has too many.
extension WebRuleTests {
    /// A handler that waits for an answer before it closes the connection, like TLS.
    private final class WaitingClose: ChannelOutboundHandler {
        typealias OutboundIn = NIOAny

        /// Whether the device answers.
        var isAnswered = false

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if isAnswered { context.close(mode: mode, promise: promise) }
        }
    }

    private final class Closing: Sendable {
        private let isRecorded = Atomic(false)
        var isClosed: Bool { isRecorded.load(ordering: .relaxed) }
        func record() { isRecorded.store(true, ordering: .relaxed) }
    }

    @Test func `closes a dropped connection without waiting for its device`() throws {
        let (limiter, tls) = (WebConnectionLimiter(), WaitingClose())
        let closing = Closing()
        let first = EmbeddedChannel(handlers: [SlowReaderHandler(), tls])
        first.closeFuture.whenComplete { _ in closing.record() }
        let others = (0..<WebServerLimits.connectionsMax).map { _ in EmbeddedChannel() }
        for (number, channel) in ([first] + others).enumerated() {
            let address = try #require(IPAddress("10.0.\(number / 256).\(number % 256)"))
            #expect(limiter.admit(channel, of: address))
        }
        first.embeddedEventLoop.run()
        #expect(closing.isClosed)
        tls.isAnswered = true
        for channel in [first] + others { _ = try channel.finish(acceptAlreadyClosed: true) }
    }
}
