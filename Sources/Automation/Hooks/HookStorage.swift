/// An event that is kept until its hook was run for it.
public struct KeptHookEvent: Sendable {
    /// Its number, which no other event ever has.
    public var id: Int64
    /// What happened; `nil` when what it happened to is gone.
    public var event: HookEvent?

    /// Creates an event.
    public init(id: Int64, event: HookEvent?) {
        self.id = id
        self.event = event
    }
}

/// Where what durable hooks are to be run for is kept.
public struct HookStorage: Sendable {
    /// Moments that are entered there by themselves.
    public var entered: Set<Hook.Moment>
    /// Enters what happened in another moment.
    public var enter: @Sendable (_ hook: String, HookEvent) async throws -> Void
    /// The oldest events of a hook after a number.
    public var events:
        @Sendable (_ hook: String, _ after: Int64, _ limit: Int) async throws -> [KeptHookEvent]
    /// How many wait for a hook.
    public var count: @Sendable (_ hook: String) async throws -> Int
    /// The hook was run for an event, or is not to be.
    public var forget: @Sendable (Int64) async throws -> Void

    /// Creates a storage.
    public init(
        entered: Set<Hook.Moment>,
        enter: @escaping @Sendable (_ hook: String, HookEvent) async throws -> Void,
        events:
            @escaping @Sendable (_ hook: String, _ after: Int64, _ limit: Int) async throws ->
            [KeptHookEvent],
        count: @escaping @Sendable (_ hook: String) async throws -> Int,
        forget: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.entered = entered
        self.enter = enter
        self.events = events
        self.count = count
        self.forget = forget
    }
}
