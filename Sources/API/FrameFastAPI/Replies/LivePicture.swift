public import FoundationEssentials

/// A frame of live view.
public struct LivePicture: Hashable, Sendable {
    /// Its content type.
    public static let contentType = "image/jpeg"
    /// The JPEG.
    public var jpeg: Data

    /// Wraps a JPEG.
    public init(jpeg: Data) { self.jpeg = jpeg }
}

/// Frames of live view for as long as somebody takes them.
public struct LivePictures: Sendable {
    /// What tells one frame from the next.
    public static let boundary = "frame"
    /// Its content type, as browsers show it in an image.
    public static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"

    /// The trailer (RFC 9110, 6.5) with the reason for the end of a stream: an ``ErrorReply``.
    public static let errorField = "framefast-error"

    /// The first frame: without one there is an error to tell.
    public var first: LivePicture
    /// The next frame, when there is one that is newer than the last and its time has come. It throws the reason for the
    /// end of live view.
    public var next: @Sendable () async throws(ControlError) -> LivePicture

    /// Creates a stream.
    public init(first: LivePicture, next: @escaping @Sendable () async throws(ControlError) -> LivePicture) {
        self.first = first
        self.next = next
    }

    /// The trailers of a stream that ends for a reason.
    public static func trailers(_ error: ControlError) -> [String: String] {
        guard let json = try? WireCoder.encode(ErrorReply(error)) else { return [:] }
        return [errorField: String(decoding: json, as: UTF8.self)]
    }

    /// The reason for the end of a stream.
    public static func error(
        in trailers: [String: String], of camera: CameraReference
    ) -> ErrorReply.Detail {
        let reply = trailers[errorField].flatMap {
            try? WireCoder.decode(ErrorReply.self, from: Data($0.utf8))
        }
        return reply?.error ?? .init(code: .cameraFailed, message: "live view of '\(camera)' has ended")
    }
}
