public import FrameFastModel

/// The saved files whose thumbnails are made in the background, when no client waits for a picture. The
/// newest file comes first.
public struct PreviewBacklog: Sendable {
    /// The largest number of waiting files: a page of the index. The thumbnails of older files are made when
    /// a client requests them.
    static let waitingMax = 2_000

    /// The waiting files, oldest first.
    private(set) var waiting: [CaptureID] = []

    /// Whether no file is waiting.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a file. A repeated file becomes the newest file. If the backlog is full, drops the oldest file.
    mutating func add(_ id: CaptureID) {
        waiting.removeAll { $0 == id }
        waiting.append(id)
        if waiting.count > Self.waitingMax { waiting.removeFirst() }
    }

    /// Removes and returns the newest file, or returns `nil` if no file is waiting.
    mutating func next() -> CaptureID? { waiting.popLast() }

    /// Removes all files.
    mutating func removeAll() { waiting = [] }
}

extension PreviewBacklog {
    /// The functions with which the service makes thumbnails in the background.
    public struct Source: Sendable {
        /// Returns the photo that represents the shot of a file, or `nil` if its preview is known, or if the
        /// shot has no photo on this computer.
        var photo: @Sendable (CaptureID) async -> PreviewPhoto?
        /// Called with the file after the facts of the shot's preview have changed.
        var onChange: @Sendable (CaptureID) -> Void

        /// Creates the functions.
        ///
        /// - Parameters:
        ///   - photo: Returns the photo that represents the shot of a file, or `nil` if its preview is known,
        ///   or if the shot has no photo on this computer.
        ///   - onChange: Called with the file after the facts of the shot's preview have changed.
        public init(
            photo: @escaping @Sendable (CaptureID) async -> PreviewPhoto?,
            onChange: @escaping @Sendable (CaptureID) -> Void
        ) {
            self.photo = photo
            self.onChange = onChange
        }

        /// A source that returns no photos.
        public static let empty = Source(photo: { _ in nil }, onChange: { _ in })
    }
}
