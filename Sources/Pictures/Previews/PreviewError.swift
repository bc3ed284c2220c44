/// The reason why a picture is not available.
public enum PreviewError: Error, Hashable, Sendable {
    /// The photo has no picture that can be decoded, or the worker has ended too often while it made one.
    case noPreview
    /// The photo's file is not on this computer.
    case photoMissing
    /// The photo's file has a different size than the saved photo.
    case photoChanged
    /// Newer requests have replaced this request in the full queue.
    case busy
    /// The service is stopping.
    case stopping
    /// The caller's task was cancelled.
    case cancelled
    /// The picture cannot be made now. The text has the reason, without a period.
    case unavailable(String)
}
