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

    /// The first frame: without one there is an error to tell.
    public var first: LivePicture
    /// The next frame, when there is one that is newer than the last and its time has come; `nil` at the end.
    public var next: @Sendable () async -> LivePicture?

    /// Creates a stream.
    public init(first: LivePicture, next: @escaping @Sendable () async -> LivePicture?) {
        self.first = first
        self.next = next
    }
}
