public import FrameFastModel

/// The functions that read and write the facts of previews in the ledger.
public struct PreviewRecords: Sendable {
    /// Returns the facts of a photo's preview, or `nil` if the photo was not examined.
    var find: @Sendable (_ sha256: String) async throws -> PreviewRecord?
    /// Stores the facts of a photo's preview, and reports a change of `file`, which has the photo's content.
    var save: @Sendable (PreviewRecord, _ file: CaptureID) async throws -> Void

    /// Creates the functions.
    ///
    /// - Parameters:
    ///   - find: Returns the facts of a photo's preview, or `nil` if the photo was not examined.
    ///   - save: Stores the facts of a photo's preview, and reports a change of `file`, which has the photo's
    ///     content.
    public init(
        find: @escaping @Sendable (_ sha256: String) async throws -> PreviewRecord?,
        save: @escaping @Sendable (PreviewRecord, _ file: CaptureID) async throws -> Void
    ) {
        self.find = find
        self.save = save
    }
}
