public import FrameFastModel

/// The persistent storage of the roster.
public struct RosterStorage: Sendable {
    /// Returns all remembered cameras.
    public var load: @Sendable () async throws -> [RosterRecord]
    /// Stores or updates a record.
    public var store: @Sendable (RosterRecord) async throws -> Void
    /// Deletes the record with this id.
    public var delete: @Sendable (CameraID) async throws -> Void

    /// Creates a storage.
    public init(
        load: @escaping @Sendable () async throws -> [RosterRecord],
        store: @escaping @Sendable (RosterRecord) async throws -> Void,
        delete: @escaping @Sendable (CameraID) async throws -> Void
    ) {
        self.load = load
        self.store = store
        self.delete = delete
    }
}
