public import FrameFastModel

/// The saved files whose thumbnails are made in the background, when no client waits for a picture. The
/// newest file is the next one.
public struct PreviewBacklog: Sendable {
    /// Returns the photo that represents the shot of a file. Returns `nil` if the preview of the photo is
    /// known, or if the shot has no photo on this computer.
    public typealias Source = @Sendable (CaptureID) async -> PreviewPhoto?

    /// The largest number of waiting files: as many as the largest page of shots contains. The thumbnails of
    /// older files are made when a client requests them.
    static let waitingMax = 2_000

    /// The waiting files, oldest first.
    private(set) var waiting: [CaptureID] = []

    /// The files whose last attempt failed, in the order of their next attempts.
    private(set) var failed: [CaptureID] = []

    /// Whether no file is waiting for its first attempt.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a file. A repeated file becomes the newest file. If the backlog is full, drops the oldest file.
    mutating func add(_ id: CaptureID) {
        failed.removeAll { $0 == id }
        waiting.removeAll { $0 == id }
        waiting.append(id)
        if waiting.count > Self.waitingMax { waiting.removeFirst() }
    }

    /// Adds a file whose attempt failed. Drops the file with the oldest failure if too many files failed.
    mutating func addFailed(_ id: CaptureID) {
        guard !waiting.contains(id) else { return }
        failed.removeAll { $0 == id }
        failed.append(id)
        if failed.count > Self.waitingMax { failed.removeFirst() }
    }

    /// Removes and returns the newest file. Without a waiting file, returns the file with the oldest failure,
    /// or `nil` if no file failed.
    mutating func next() -> CaptureID? {
        if let newest = waiting.popLast() { return newest }
        return failed.isEmpty ? nil : failed.removeFirst()
    }
}
