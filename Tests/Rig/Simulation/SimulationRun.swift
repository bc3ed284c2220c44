import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// One simulation: a random history of the service under faults, then its recovery.
///
/// The safety phase performs the steps of the plan. The liveness phase repairs everything except one part: a
/// camera, a server or a photo. The phase waits until all other photos and uploads are complete. Then, it
/// repairs the part, and waits for the remaining photos and uploads. ``SimulationOracle`` checks the world in
/// both phases.
public final class SimulationRun: Sendable {
    /// The numbers of passes and kills of one fault point.
    public struct PointCount: Hashable, Sendable {
        /// The name of the point.
        public var name: String
        /// The number of passes.
        public var passes: Int
        /// The number of kills at the point.
        public var kills: Int
    }

    /// The result of a run.
    public struct Report: Sendable {
        /// The violations of the rules. Empty if the run succeeded.
        public var violations: [String] = []
        /// The history.
        public var trace: [String] = []
        /// The SHA-256 of the history.
        public var digest = ""
        /// The configuration.
        public var configuration = ""
        /// The number of executed jobs.
        public var jobs = 0
        /// The number of photos that the cameras took.
        public var photos = 0
        /// The number of kills.
        public var kills = 0
        /// The counts of all fault points.
        public var points: [PointCount] = []

        /// Creates an empty report.
        public init() {}
    }

    /// The largest number of jobs of one run. A run usually needs some ten thousand jobs.
    private static let jobsMax = 3_000_000
    /// The pauses between the checks of the liveness phase, in seconds. Their sum is longer than every retry
    /// delay of the service, except the delays after the first retry of a damaged photo.
    private static let pauses: [Double] = [5, 10, 20, 40, 80, 160, 320, 640, 1_280]
    /// The maximum number of consecutive failed starts of the service. A plan has fewer faults.
    private static let startsMax = 60

    private let world: SimulatedWorld
    private let station = Mutex<SimulatedStation?>(nil)

    private init(_ world: SimulatedWorld) { self.world = world }

    /// Makes all tasks of this process run on the executor of the simulation. Call this once, before any task
    /// starts.
    public static func prepare() { SimulationExecutor.install() }

    /// Runs a seed.
    ///
    /// - Parameter folder: An existing folder for the simulated disk.
    public static func run(seed: UInt64, in folder: String) throws -> Report {
        let executor = SimulationExecutor.shared
        let plan = SimulationPlan(seed: seed)
        let trace = SimulationTrace(executor)
        let root = "\(folder)/\(seed)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let world = try SimulatedWorld(plan, root: root, executor: executor, trace: trace)
        let run = SimulationRun(world)
        let host = SimulatedHost(
            clock: executor.clock,
            willPerform: { [disk = world.disk] call, path throws(SystemCallError) in
                try disk.willPerform(call, path)
            },
            didPass: { [disk = world.disk] point in disk.pass(point) },
            runProgram: { [hooks = world.hooks] facts in await hooks.run(facts: facts) })
        var report = Report()
        report.configuration = plan.configuration
        do throws(SimulationExecutor.Failure) {
            report.violations = try executor.run(seed: seed, window: plan.window, stepsMax: jobsMax) {
                await Self.withHost(host) { await run.violations() }
            }
        } catch {
            report.violations = ["the simulation did not end: \(error)"]
        }
        run.station.withLock { $0 = nil }
        if report.violations.isEmpty, world.liveServices > 0 {
            report.violations = ["\(world.liveServices) run(s) of the service did not end"]
        }
        report.trace = trace.lines
        report.digest = trace.digest
        report.jobs = executor.steps
        report.photos = world.cameras.reduce(0) { $0 + $1.taken.count }
        report.kills = world.disk.generation
        report.points = FaultPoint.allCases.map { point in
            let count = world.disk.count(of: point)
            return PointCount(name: "\(point)", passes: count.passes, kills: count.kills)
        }
        return report
    }

    /// Runs work on a simulated computer. A build that cannot run a simulation stops here.
    private static func withHost<Result>(
        _ host: SimulatedHost, isolation: isolated (any Actor)? = #isolation, _ work: () async -> Result
    ) async -> Result {
        #if DEBUG || FRAMEFAST_SIMULATION
            await SimulatedHost.$current.withValue(host, operation: work, isolation: isolation)
        #else
            preconditionFailure("this build cannot run a simulation; scripts/simulate makes one that can")
        #endif
    }

    // MARK: phases

    private func violations() async -> [String] {
        do {
            let found = try await performPhases()
            await stopService()
            guard found.isEmpty else { return found }
            return try await SimulationOracle(world: world).audit()
        } catch {
            await stopService()
            return ["the simulation failed: \(error)"]
        }
    }

    private func performPhases() async throws -> [String] {
        for kill in world.plan.pointKills {
            world.trace.add("fault: \(kill)")
            world.disk.add(kill)
        }
        var found = try await startService()
        for step in world.plan.steps where found.isEmpty {
            world.trace.add("step: \(step)")
            try await perform(step)
            if world.disk.isKilled { found = try await restartService() }
        }
        guard found.isEmpty else { return found }
        world.trace.add("liveness: repaired except \(world.plan.broken)")
        found = try await recover(except: world.plan.broken)
        guard found.isEmpty, world.plan.broken != .nothing else { return found }
        world.trace.add("liveness: repaired")
        return try await recover(except: .nothing)
    }

    /// Repairs the world except one part, and waits until everything else is complete. Restarts the service
    /// once if the only waiting photos are photos that the camera did not report.
    private func recover(except broken: SimulationPlan.Broken) async throws -> [String] {
        world.repair(except: broken)
        if world.disk.isKilled {
            let found = try await restartService()
            guard found.isEmpty else { return found }
        }
        let oracle = SimulationOracle(world: world, broken: broken)
        var waiting: [String] = []
        var isRestarted = false
        for pause in Self.pauses {
            try await world.executor.clock.sleep(pause)
            guard let ledger = station.withLock({ $0?.ledger }) else { return ["the service has stopped"] }
            var findings = try await oracle.check(ledger)
            guard findings.violations.isEmpty else { return findings.violations }
            findings.waiting += missingConditions(broken)
            waiting = findings.waiting + findings.hidden
            if waiting.isEmpty { return [] }
            guard findings.waiting.isEmpty, !isRestarted else { continue }
            for line in waiting { world.trace.add("waits: \(line)") }
            isRestarted = true
            let found = try await restartService()
            guard found.isEmpty else { return found }
        }
        for line in waiting { world.trace.add("waits: \(line)") }
        let conditions = station.withLock { $0?.conditionBoard.current.map(\.code) } ?? []
        world.trace.add("conditions that say why: \(conditions)")
        return waiting.map { "still waits: \($0)" }
    }

    /// Returns a sentence if no condition reports the unreadable photo. `photo-failing` reports that
    /// "some photos cannot be fetched" (`docs/conditions.md`).
    private func missingConditions(_ broken: SimulationPlan.Broken) -> [String] {
        guard case .photo(let index) = broken, world.cameras[index].unreadablePhoto != nil else { return [] }
        let camera = world.cameras[index].id
        let conditions = station.withLock { $0?.conditionBoard.current } ?? []
        let isReported = conditions.contains { $0.kind == .photoFailing && $0.subject == .camera(camera) }
        return isReported ? [] : ["no condition reports the unreadable photo of \(camera)"]
    }

    private func perform(_ step: SimulationPlan.Step) async throws {
        let (cameras, servers) = (world.cameras, world.servers)
        switch step {
        case .shoot(let index, let kind, let size, let later):
            cameras[index].shoot(kind, size: size, secondsLater: later, at: world.photoTime)
        case .reading(let index, let fault): cameras[index].add(fault)
        case .listing(let index, let fault): cameras[index].add(fault)
        case .cut(let index, let killsWorker): cameras[index].cut(killsWorker: killsWorker)
        case .plug(let index, let isPlugged): cameras[index].setPlugged(isPlugged)
        case .exchange:
            await stopService()
            if let first = cameras.first, let last = cameras.last {
                (first.place, last.place) = (last.place, first.place)
            }
            try await startOrThrow()
        case .restart:
            await stopService()
            try await startOrThrow()
        case .kill: world.disk.kill()
        case .killLater(let jobs):
            world.executor.setAlarm(after: jobs) { [world] in
                world.trace.add("killed between two jobs")
                world.disk.kill()
            }
        case .disk(let fault): world.disk.add(fault)
        case .upload(let index, let fault): servers[index].add(fault)
        case .away(let index, let isAway): servers[index].setAway(isAway, at: world.executor.uptime)
        case .overload(let index, let isOverloaded): servers[index].isOverloaded = isOverloaded
        case .shootAtDeletion(let index): cameras[index].shootAtNextDeletion()
        case .cutPower:
            world.trace.add("the power fails")
            world.disk.cutPower()
        case .cutPowerLater(let jobs):
            world.executor.setAlarm(after: jobs) { [world] in
                world.trace.add("the power fails between two jobs")
                world.disk.cutPower()
            }
        case .session(let mode):
            do { try await station.withLock(\.self)?.setSession(mode) } catch {
                world.trace.add("session: cannot change")
            }
        case .killAt(let point): world.disk.add(SimulatedDisk.PointKill(point: point, after: 0))
        case .repairFault(let fault): world.add(fault)
        case .wait(let seconds): try await world.executor.clock.sleep(seconds)
        }
    }

    // MARK: the service

    /// Stops the service, or ends the tasks of a killed service, and starts the service again.
    ///
    /// - Returns: The violations at the start.
    private func restartService() async throws -> [String] {
        await stopService()
        return try await startService()
    }

    private func startOrThrow() async throws {
        let found = try await startService()
        guard found.isEmpty else { throw Violations(found: found) }
    }

    /// Violations that end the simulation.
    private struct Violations: Error, CustomStringConvertible {
        var found: [String]
        var description: String { found.joined(separator: "; ") }
    }

    /// Starts the service. Repeats a failed start, like systemd.
    ///
    /// - Returns: The violations at the start.
    private func startService() async throws -> [String] {
        var failure = ""
        for attempt in 1...Self.startsMax {
            try world.disk.restart()
            // A failed start may have reported repaired photos.
            world.hooks.recordEnd()
            let oracle = SimulationOracle(world: world, isAtStart: true)
            let repairable = oracle.repairablePhotos()
            let repairFault = repairable.isEmpty ? nil : world.removeRepairFault()
            if repairFault == .failedSync { world.disk.failNextSync() }
            do {
                let station = try await SimulatedStation(world)
                // The service may have been killed during its start.
                guard !world.disk.isKilled else { continue }
                let findings = try await oracle.check(station.ledger)
                let violations = try await oracle.checkStart(station.ledger, repairable: repairable)
                if repairFault == .powerFailure, findings.violations.isEmpty, violations.isEmpty {
                    world.trace.add("the power fails directly after the repair")
                    world.disk.cutPower()
                    continue
                }
                world.trace.add("service: started, attempt \(attempt)")
                station.start()
                self.station.withLock { $0 = station }
                return findings.violations + violations
            } catch {
                world.trace.add("service: cannot start")
                failure = "\(error)"
                try await world.executor.clock.sleep(1)
            }
        }
        return ["the service does not start: \(failure)"]
    }

    private func stopService() async {
        let station = self.station.withLock { station in
            defer { station = nil }
            return station
        }
        await station?.stop()
        world.hooks.recordEnd()
        world.trace.add("service: stopped")
    }
}
