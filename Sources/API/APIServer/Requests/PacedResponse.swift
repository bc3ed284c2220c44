import FrameFastAPI
import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore

extension ResponseWriter {
    /// Writes a response, and waits until the event loop has processed all its writes.
    ///
    /// A write from another thread only adds a task to the event loop. The writer waits only after the event
    /// loop has found that the channel's buffer is full. If the event loop got no processor time, a producer
    /// could therefore add any number of bytes (netty #1697).
    ///
    /// If the body fails after the head was sent, the connection closes, and the client does not receive the
    /// reason. The log then contains the reason.
    package consuming func write(
        _ response: Response, to request: Request, on channel: any Channel, logger: Logger
    ) async throws {
        let loop = channel.eventLoop
        let waitForWrites: @Sendable () async throws -> Void = { try await loop.submit {}.get() }
        do {
            try await write(response: response.head, body: response.body.paced(by: waitForWrites))
        } catch let error as ControlError {
            logger.warning(
                "a reply ended early", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            throw error
        }
        try await waitForWrites()
    }
}

extension ResponseBody {
    /// The size of the largest body that is written without waiting between its parts, in bytes. Most replies
    /// are smaller.
    private static let unpacedBytesMax = 256 * 1_024

    /// Returns a body that is produced only as fast as the client reads. Returns a small body unchanged.
    ///
    /// - Parameter waitForWrites: Waits until the event loop has processed all earlier writes.
    func paced(by waitForWrites: @escaping @Sendable () async throws -> Void) -> ResponseBody {
        if let contentLength, contentLength <= Self.unpacedBytesMax { return self }
        return ResponseBody(contentLength: contentLength) { writer in
            try await self.write(PacedBodyWriter(writer: writer, waitForWrites: waitForWrites))
        }
    }
}

/// A writer whose ``write(_:)`` returns after the channel's buffer has space again.
private struct PacedBodyWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let waitForWrites: @Sendable () async throws -> Void

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await writer.write(buffer)
        try await waitForWrites()
        // An empty part sends nothing, and waits while the channel's buffer is full.
        try await writer.write(ByteBuffer())
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}
