public import FrameFastModel

/// Where the roster is kept.
public struct RosterStorage: Sendable {
    /// Every camera that is remembered.
    public var load: @Sendable () async throws -> [RosterRecord]
    /// Remembers one, or what is new about it.
    public var keep: @Sendable (RosterRecord) async throws -> Void
    /// Forgets one by its id.
    public var forget: @Sendable (CameraID) async throws -> Void

    /// Creates a storage.
    public init(
        load: @escaping @Sendable () async throws -> [RosterRecord],
        keep: @escaping @Sendable (RosterRecord) async throws -> Void,
        forget: @escaping @Sendable (CameraID) async throws -> Void
    ) {
        self.load = load
        self.keep = keep
        self.forget = forget
    }
}
