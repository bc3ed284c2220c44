/// The facts about the preview of one file, identified by the file's content.
public struct PreviewRecord: Hashable, Sendable {
    /// Whether a file has a preview.
    public enum State: String, Hashable, Sendable {
        /// The file has a preview, and its facts are known.
        case ready
        /// The file has no preview that can be decoded.
        case missing = "none"
    }

    /// The SHA-256 of the file, in lower-case hex.
    public var sha256: String
    /// Whether the file has a preview.
    public var state: State
    /// The width of the upright picture, in pixels, or `nil` if it is not known.
    public var width: Int?
    /// The height of the upright picture, in pixels, or `nil` if it is not known.
    public var height: Int?
    /// The mean color of the picture as `#rrggbb`, or `nil` if it is not known.
    public var meanColor: String?
    /// The number of times that the picture worker ended because of the file, since the last success.
    public var workerFailures: Int

    /// Creates a record.
    public init(
        sha256: String, state: State, width: Int? = nil, height: Int? = nil, meanColor: String? = nil,
        workerFailures: Int = 0
    ) {
        self.sha256 = sha256
        self.state = state
        self.width = width
        self.height = height
        self.meanColor = meanColor
        self.workerFailures = workerFailures
    }
}
