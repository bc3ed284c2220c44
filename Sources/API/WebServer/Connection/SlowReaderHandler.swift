import NIOCore

/// A channel handler that closes a connection if its device stops reading.
///
/// Without this handler, devices that request pictures and don't read them would hold all connections.
final class SlowReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private var progress = WriteProgress()
    private var check: RepeatedTask?

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            stop()
        } else if check == nil {
            start(context)
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func start(_ context: ChannelHandlerContext) {
        let channel = context.channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        // The first check only records the number of buffered bytes.
        check = context.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero, delay: WebServerLimits.progressInterval
        ) { _ in
            let buffered = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
            if bound.value.progress.isStalled(buffered: buffered ?? 0) { channel.close(promise: nil) }
        }
    }

    private func stop() {
        check?.cancel()
        check = nil
        progress.reset()
    }
}
