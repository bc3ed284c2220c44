public import FrameFastModel
public import Logging
public import ServiceLifecycle

/// Runs hooks: each in the order of its events, away from everything that takes or moves photos. At most once: what
/// waits when the service ends is not run later; a `command` destination is for what must not be missed.
public final class HookService: Service {
    /// Most events that wait for one hook.
    public static let eventsMax = 500

    private let lanes: [HookLane]
    private let moments: Set<Hook.Moment>
    private let logger: Logger
    private let lookUp: @Sendable (HookEvent) async -> HookEvent?

    /// - Parameters:
    ///   - lookUp: Adds to an event what has to be looked up, when it is its turn; `nil` when the hook is not to be run.
    ///   - onOverflow: Told the condition when events of a hook have to be skipped, and `nil` when all is well again.
    public init(
        hooks: [Hook], logger: Logger, eventsMax: Int = HookService.eventsMax,
        lookUp: @escaping @Sendable (HookEvent) async -> HookEvent? = { $0 },
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void = { _, _ in }
    ) {
        self.logger = logger
        self.lookUp = lookUp
        moments = hooks.reduce(into: []) { $0.formUnion($1.on) }
        lanes = hooks.map { HookLane(hook: $0, eventsMax: eventsMax, logger: logger, onOverflow: onOverflow) }
    }

    /// Whether any hook is run in this moment: otherwise nobody needs to gather its facts.
    public func hears(_ moment: Hook.Moment) -> Bool { moments.contains(moment) }

    /// Takes an event. Never waits, never fails.
    public func offer(_ event: HookEvent) { for lane in lanes { lane.offer(event) } }

    /// Runs hooks until the service is shut down; runs that are under way are then ended.
    public func run() async throws {
        for lane in lanes {
            for fault in lane.hook.command.faults {
                logger.error(
                    "a hook cannot work", metadata: ["hook": "\(lane.hook.name)", "fault": "\(fault)"])
            }
        }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for lane in self.lanes { group.addTask { await lane.run(self.lookUp) } }
            }
        }
    }
}
