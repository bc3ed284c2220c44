package import HTTPTypes
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes

/// A channel handler that refuses headers that are too large, and ends requests that arrive too slowly. The
/// time of a reply has no limit.
package final class RequestLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let requestTime: TimeAmount
    private let addHeaders: (inout HTTPFields) -> Void
    /// The number of requests whose replies are not complete.
    private var openReplies = 0
    private var deadline: Scheduled<Void>?

    /// Creates a handler for one connection.
    ///
    /// - Parameters:
    ///   - requestTime: The longest time between the head and the end of a request.
    ///   - addHeaders: Adds headers to the reply to a refused request.
    package init(requestTime: TimeAmount, addHeaders: @escaping (inout HTTPFields) -> Void = { _ in }) {
        self.requestTime = requestTime
        self.addHeaders = addHeaders
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            openReplies += 1
            deadline?.cancel()
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: requestTime) {
                channel.close(promise: nil)
            }
        case .body: break
        case .end: cancelDeadline()
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { openReplies -= 1 }
        context.write(data, promise: promise)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case HTTPParserError.headerOverflow = error else { return context.fireErrorCaught(error) }
        cancelDeadline()
        // A second head would damage a reply that is being sent.
        guard openReplies == 0 else { return context.close(promise: nil) }
        var fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        addHeaders(&fields)
        let head = HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        cancelDeadline()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancelDeadline() }

    private func cancelDeadline() {
        deadline?.cancel()
        deadline = nil
    }
}
