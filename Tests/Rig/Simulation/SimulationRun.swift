import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// One simulation: a random history of the service under faults, then its recovery.
///
/// The safety phase performs the steps of the plan. The liveness phase repairs everything except one part: a
/// camera, a server or a photo. The phase waits until all other photos and uploads are complete. Then, it
/// repairs the part, and waits for the remaining photos and uploads. ``SimulationOracle`` checks the
/// environment in both phases.
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

    private let environment: SimulatedEnvironment
    private let service = Mutex<SimulatedServiceRun?>(nil)

    private init(_ environment: SimulatedEnvironment) { self.environment = environment }

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
        let environment = try SimulatedEnvironment(plan, root: root, executor: executor, trace: trace)
        let run = SimulationRun(environment)
        let host = SimulatedHost(
            clock: executor.clock,
            willPerform: { [disk = environment.disk] call, path throws(SystemCallError) in
                try disk.willPerform(call, path)
            },
            didPass: { [disk = environment.disk] point in disk.pass(point) },
            runProgram: { [hooks = environment.hooks] facts in await hooks.run(facts: facts) })
        var report = Report()
        report.configuration = plan.configuration
        do throws(SimulationExecutor.Failure) {
            report.violations = try executor.run(seed: seed, window: plan.window, stepsMax: jobsMax) {
                await Self.withHost(host) { await run.violations() }
            }
        } catch {
            report.violations = ["the simulation did not end: \(error)"]
        }
        run.service.withLock { $0 = nil }
        if report.violations.isEmpty, environment.liveServices > 0 {
            report.violations = ["\(environment.liveServices) run(s) of the service did not end"]
        }
        report.trace = trace.lines
        report.digest = trace.digest
        report.jobs = executor.steps
        report.photos = environment.cameras.reduce(0) { $0 + $1.taken.count }
        report.kills = environment.disk.generation
        report.points = FaultPoint.allCases.map { point in
            let count = environment.disk.count(of: point)
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
            return try await SimulationOracle(environment: environment).audit()
        } catch {
            await stopService()
            return ["the simulation failed: \(error)"]
        }
    }

    private func performPhases() async throws -> [String] {
        for kill in environment.plan.pointKills {
            environment.trace.add("fault: \(kill)")
            environment.disk.add(kill)
        }
        var found = try await startService()
        for step in environment.plan.steps where found.isEmpty {
            environment.trace.add("step: \(step)")
            try await perform(step)
            if environment.disk.isKilled { found = try await restartService() }
        }
        guard found.isEmpty else { return found }
        environment.trace.add("liveness: repaired except \(environment.plan.broken)")
        found = try await recover(except: environment.plan.broken)
        guard found.isEmpty, environment.plan.broken != .nothing else { return found }
        environment.trace.add("liveness: repaired")
        return try await recover(except: .nothing)
    }

    /// Repairs the environment except one part, and waits until everything else is complete. Restarts the
    /// service once if the only waiting photos are photos that the camera did not report.
    private func recover(except broken: SimulationPlan.Broken) async throws -> [String] {
        environment.repair(except: broken)
        if environment.disk.isKilled {
            let found = try await restartService()
            guard found.isEmpty else { return found }
        }
        let oracle = SimulationOracle(environment: environment, broken: broken)
        var waiting: [String] = []
        var isRestarted = false
        for pause in Self.pauses {
            try await environment.executor.clock.sleep(pause)
            guard let ledger = service.withLock({ $0?.ledger }) else { return ["the service has stopped"] }
            var findings = try await oracle.check(ledger)
            guard findings.violations.isEmpty else { return findings.violations }
            findings.waiting += missingConditions(broken)
            waiting = findings.waiting + findings.hidden
            if waiting.isEmpty { return [] }
            guard findings.waiting.isEmpty, !isRestarted else { continue }
            for line in waiting { environment.trace.add("waits: \(line)") }
            isRestarted = true
            let found = try await restartService()
            guard found.isEmpty else { return found }
        }
        for line in waiting { environment.trace.add("waits: \(line)") }
        let conditions = service.withLock { $0?.conditionBoard.current.map(\.code) } ?? []
        environment.trace.add("conditions that say why: \(conditions)")
        return waiting.map { "still waits: \($0)" }
    }

    /// Returns a sentence if no condition reports the unreadable photo. `photo-failing` reports that
    /// "some photos cannot be fetched" (`docs/conditions.md`).
    private func missingConditions(_ broken: SimulationPlan.Broken) -> [String] {
        guard case .photo(let index) = broken, environment.cameras[index].unreadablePhoto != nil else {
            return []
        }
        let camera = environment.cameras[index].id
        let conditions = service.withLock { $0?.conditionBoard.current } ?? []
        let isReported = conditions.contains { $0.kind == .photoFailing && $0.subject == .camera(camera) }
        return isReported ? [] : ["no condition reports the unreadable photo of \(camera)"]
    }

    private func perform(_ step: SimulationPlan.Step) async throws {
        let (cameras, servers) = (environment.cameras, environment.servers)
        switch step {
        case .shoot(let index, let kind, let size, let later):
            cameras[index].shoot(kind, size: size, secondsLater: later, at: environment.photoTime)
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
        case .kill: environment.disk.kill()
        case .killLater(let jobs):
            environment.executor.setAlarm(after: jobs) { [environment] in
                environment.trace.add("killed between two jobs")
                environment.disk.kill()
            }
        case .disk(let fault): environment.disk.add(fault)
        case .upload(let index, let fault): servers[index].add(fault)
        case .away(let index, let isAway): servers[index].setAway(isAway, at: environment.executor.uptime)
        case .overload(let index, let isOverloaded): servers[index].isOverloaded = isOverloaded
        case .shootAtDeletion(let index): cameras[index].shootAtNextDeletion()
        case .cutPower:
            environment.trace.add("the power fails")
            environment.disk.cutPower()
        case .cutPowerLater(let jobs):
            environment.executor.setAlarm(after: jobs) { [environment] in
                environment.trace.add("the power fails between two jobs")
                environment.disk.cutPower()
            }
        case .session(let mode):
            do { try await service.withLock(\.self)?.setSession(mode) } catch {
                environment.trace.add("session: cannot change")
            }
        case .killAt(let point): environment.disk.add(SimulatedDisk.PointKill(point: point, after: 0))
        case .repairFault(let fault): environment.add(fault)
        case .wait(let seconds): try await environment.executor.clock.sleep(seconds)
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
            try environment.disk.restart()
            // A failed start may have reported repaired photos.
            environment.hooks.recordEnd()
            let oracle = SimulationOracle(environment: environment, isAtStart: true)
            let repairable = oracle.repairablePhotos()
            let repairFault = repairable.isEmpty ? nil : environment.removeRepairFault()
            if repairFault == .failedSync { environment.disk.failNextSync() }
            do {
                let service = try await SimulatedServiceRun(environment)
                // The service may have been killed during its start.
                guard !environment.disk.isKilled else { continue }
                let findings = try await oracle.check(service.ledger)
                let violations = try await oracle.checkStart(service.ledger, repairable: repairable)
                if repairFault == .powerFailure, findings.violations.isEmpty, violations.isEmpty {
                    environment.trace.add("the power fails directly after the repair")
                    environment.disk.cutPower()
                    continue
                }
                environment.trace.add("service: started, attempt \(attempt)")
                service.start()
                self.service.withLock { $0 = service }
                return findings.violations + violations
            } catch {
                environment.trace.add("service: cannot start")
                failure = "\(error)"
                try await environment.executor.clock.sleep(1)
            }
        }
        return ["the service does not start: \(failure)"]
    }

    private func stopService() async {
        let service = self.service.withLock { service in
            defer { service = nil }
            return service
        }
        await service?.stop()
        environment.hooks.recordEnd()
        environment.trace.add("service: stopped")
    }
}
