import FoundationEssentials
public import FrameFastAPI

/// Calls that choose between endpoints, follow a stream or fetch a frame of live view.
extension FrameFastClient {
    /// Releases the shutter of one camera, or of every ready camera if `camera` is `nil`.
    public func trigger(camera: CameraReference? = nil) throws(ClientError) -> Response<TriggerReply> {
        if let camera { try call(\.cameras.trigger, camera) } else { try call(\.cameras.triggerAll) }
    }

    /// Pauses or resumes one destination.
    public func pauseDestination(
        _ name: DestinationName, _ isPaused: Bool
    ) throws(ClientError) -> Response<DestinationReply> {
        try call(isPaused ? \.destinations.pause : \.destinations.resume, name)
    }

    /// Pauses or resumes every destination.
    public func pauseUploads(_ isPaused: Bool) throws(ClientError) -> Response<DestinationsReply> {
        try call(isPaused ? \.uploads.pause : \.uploads.resume)
    }

    /// Follows the event stream and blocks until `handle` returns false or the daemon ends the stream.
    ///
    /// - Parameter handle: Called with each event, unchanged. The event's data is one ``EventReply`` in JSON.
    public func events(_ handle: (ServerSentEvent) throws(ClientError) -> Bool) throws(ClientError) {
        var parser = ServerSentEventParser()
        var status = 0
        var errorBody = Data()
        try exchange(
            EncodedRequest(\.service.events, NoPath(), NoInput()), timeoutSeconds: Self.streamTimeoutSeconds
        ) { part throws(ClientError) in
            switch part {
            case .head(let head): status = head.status
            case .body(let bytes) where status != 200: errorBody.append(contentsOf: bytes)
            case .body(let bytes):
                let events: [ServerSentEvent]
                do { events = try parser.feed(bytes) } catch {
                    throw .invalidResponse("an event line that is too long")
                }
                for event in events where try !handle(event) { return false }
            case .end:
                try Self.check(status: status, body: errorBody)
                return false
            }
            return true
        }
    }

    /// Fetches one live-view frame as a JPEG.
    public func picture(
        of camera: CameraReference, _ request: LiveViewRequest
    ) throws(ClientError) -> LivePicture {
        LivePicture(jpeg: try fetch(EncodedRequest(\.cameras.livePicture, camera, request)))
    }

    /// Streams a camera's live view and blocks until `handle` returns false.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with the reason, if the daemon ends live view before `handle`
    ///   returns false.
    public func pictures(
        of camera: CameraReference, _ request: LiveViewRequest,
        _ handle: ([UInt8]) throws(ClientError) -> Bool
    ) throws(ClientError) {
        var parser = PictureStreamParser()
        var status = 0
        var errorBody = Data()
        try exchange(EncodedRequest(\.cameras.livePictures, camera, request)) { part throws(ClientError) in
            switch part {
            case .head(let head): status = head.status
            case .body(let bytes) where status != 200: errorBody.append(contentsOf: bytes)
            case .body(let bytes):
                let pictures: [[UInt8]]
                do { pictures = try parser.feed(bytes) } catch {
                    throw .invalidResponse("a frame without a length")
                }
                for picture in pictures where try !handle(picture) { return false }
            case .end(let trailers):
                try Self.check(status: status, body: errorBody)
                throw .refused(LivePictures.error(in: trailers, of: camera))
            }
            return true
        }
    }
}
