/// The computer of a simulation: its clock, its disk with faults, the fault points of the service, and its
/// programs.
///
/// A simulation runs all tasks on one thread, in an order that a seed chooses. Inside a simulation, blocking
/// calls therefore run in the calling task, between two suspension points. The service itself never sets
/// ``current``.
///
/// Only debug builds and the optimized build of `scripts/simulate` can run a simulation. In other builds,
/// ``current`` is the constant `nil`: no disk operation gets a fault, and fault points do nothing.
public struct SimulatedHost: Sendable {
    /// A disk operation that fails if the simulation injects a fault.
    public enum DiskCall: Hashable, Sendable, CaseIterable {
        /// Syncs a file or folder.
        case sync
        /// Moves a file to a free name.
        case publish
        /// Moves a file over another file.
        case replace
        /// Creates a small file.
        case write
        /// Creates a folder.
        case createFolder
        /// Commits a transaction of the ledger.
        case commit
    }

    #if DEBUG || FRAMEFAST_SIMULATION
        /// The computer of the simulation that the current task belongs to, or `nil` outside a simulation.
        @TaskLocal public static var current: SimulatedHost?
    #else
        /// Always `nil`, because this build cannot run a simulation.
        @inlinable public static var current: SimulatedHost? { nil }
    #endif

    /// The clock of the simulation.
    public var clock: HostClock
    /// Called before each disk operation. If the closure throws an error, the operation fails with this
    /// error.
    public var willPerform: @Sendable (_ call: DiskCall, _ path: String) throws(SystemCallError) -> Void
    /// Called at each pass of a fault point. The closure may kill the service.
    public var didPass: @Sendable (_ point: FaultPoint) -> Void
    /// Runs in place of a configured program, and returns the exit code. The closure must return early if its
    /// task is cancelled.
    public var runProgram: @Sendable (_ facts: [String: String]) async -> Int32

    /// Creates a computer.
    public init(
        clock: HostClock,
        willPerform: @escaping @Sendable (_ call: DiskCall, _ path: String) throws(SystemCallError) -> Void,
        didPass: @escaping @Sendable (_ point: FaultPoint) -> Void,
        runProgram: @escaping @Sendable (_ facts: [String: String]) async -> Int32
    ) {
        self.clock = clock
        self.willPerform = willPerform
        self.didPass = didPass
        self.runProgram = runProgram
    }

    /// Throws the injected fault of a disk operation, if any. Does nothing outside a simulation.
    @inlinable
    public static func willPerform(_ call: DiskCall, _ path: String) throws(SystemCallError) {
        guard let host = current else { return }
        try host.willPerform(call, path)
    }

    /// Reports that the service passes a fault point. A simulation may kill the service there: the current
    /// task continues, but its changes have no effect. Does nothing outside a simulation.
    @inlinable
    public static func pass(_ point: FaultPoint) { current?.didPass(point) }

    /// Lets other tasks of the simulation run.
    ///
    /// Use this function instead of `Task.yield()`, which enqueues the task on Swift's own threads, and not
    /// on the executor of the simulation.
    public static func yield() async { await Task {}.value }
}

extension HostClock {
    /// The clock of the simulation that the current task belongs to, or ``system`` outside a simulation.
    ///
    /// Use this clock for a limit that counts real time even in tests with an injected clock.
    public static var real: HostClock { SimulatedHost.current?.clock ?? .system }
}
