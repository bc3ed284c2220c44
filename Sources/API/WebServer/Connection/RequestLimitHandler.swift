import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// A channel handler that refuses headers that are too large, and ends requests that arrive too slowly.
final class RequestLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The number of requests whose replies are not complete.
    private var openReplies = 0
    private var deadline: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            openReplies += 1
            deadline?.cancel()
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: WebServerLimits.requestTime) {
                channel.close(promise: nil)
            }
        case .body: break
        case .end: cancelDeadline()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { openReplies -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case HTTPParserError.headerOverflow = error else { return context.fireErrorCaught(error) }
        cancelDeadline()
        // A second head would damage a reply that is being sent.
        guard openReplies == 0 else { return context.close(promise: nil) }
        var fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        PageHeaders.add(to: &fields)
        let head = HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelDeadline()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancelDeadline() }

    private func cancelDeadline() {
        deadline?.cancel()
        deadline = nil
    }
}
