/// One hook with the events that wait for it, wherever they wait.
protocol HookRunner: AnyObject, Sendable {
    /// The hook.
    var hook: Hook { get }
    /// Takes an event. Never waits, never fails.
    func offer(_ event: HookEvent)
    /// The configuration has no such hook any more.
    func retire()
    /// Returns when it has ended. One task waits.
    func hasEnded() async
    /// Runs the hook until the task is cancelled; runs that are under way are then ended.
    ///
    /// - Parameters:
    ///   - before: One of the same name that has to end first.
    ///   - lookUp: Adds what has to be looked up; `nil` when it turns out that nothing happened.
    func run(
        after before: (any HookRunner)?, _ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?
    ) async
}
