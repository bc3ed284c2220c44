public import FoundationEssentials

/// A frame of live view.
public struct LivePicture: Hashable, Sendable {
    /// The content type.
    public static let contentType = "image/jpeg"
    /// The JPEG data.
    public var jpeg: Data

    /// Wraps a JPEG.
    public init(jpeg: Data) { self.jpeg = jpeg }
}

/// A stream of live-view frames.
public struct LivePictures: Sendable {
    /// The boundary between frames.
    public static let boundary = "frame"
    /// The content type that browsers show as an image.
    public static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"

    /// The trailer (RFC 9110, 6.5) with the reason for the end of a stream: an ``ErrorReply``.
    public static let errorField = "framefast-error"

    /// The first frame. If the daemon receives no first frame, the request fails and no stream starts.
    public var first: LivePicture
    /// Waits until a newer frame is available and the frame rate allows another frame. Returns the newer
    /// frame. When live view ends, throws the reason.
    public var next: @Sendable () async throws(ControlError) -> LivePicture

    /// Creates a stream.
    public init(first: LivePicture, next: @escaping @Sendable () async throws(ControlError) -> LivePicture) {
        self.first = first
        self.next = next
    }

    /// Returns the trailers of a stream that ends with an error.
    public static func trailers(_ error: ControlError) -> [String: String] {
        guard let json = try? WireCoder.encode(ErrorReply(error)) else { return [:] }
        return [errorField: String(decoding: json, as: UTF8.self)]
    }

    /// Returns the error in the trailers of a stream.
    public static func error(
        in trailers: [String: String], of camera: CameraReference
    ) -> ErrorReply.Detail {
        let reply = trailers[errorField].flatMap {
            try? WireCoder.decode(ErrorReply.self, from: Data($0.utf8))
        }
        return reply?.error ?? .init(code: .cameraFailed, message: "live view of '\(camera)' has ended")
    }
}
