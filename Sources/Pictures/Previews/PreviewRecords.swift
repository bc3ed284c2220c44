public import FrameFastModel

/// The functions that read and write the facts of previews in the ledger.
public struct PreviewRecords: Sendable {
    /// Returns the facts of a photo's preview, or `nil` if the photo was not examined.
    var find: @Sendable (_ sha256: String) async throws -> PreviewRecord?
    /// Stores the facts of a photo's preview.
    var save: @Sendable (PreviewRecord) async throws -> Void

    /// Creates the functions.
    ///
    /// - Parameters:
    ///   - find: Returns the facts of a photo's preview, or `nil` if the photo was not examined.
    ///   - save: Stores the facts of a photo's preview.
    public init(
        find: @escaping @Sendable (_ sha256: String) async throws -> PreviewRecord?,
        save: @escaping @Sendable (PreviewRecord) async throws -> Void
    ) {
        self.find = find
        self.save = save
    }
}
