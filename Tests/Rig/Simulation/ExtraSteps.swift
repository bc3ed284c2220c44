import FrameFastSystem
import SystemPackage

/// The steps of a plan that are drawn from a second random sequence of the seed. A change of these draws does
/// not change the other steps of the seed.
struct ExtraSteps {
    /// The bits that distinguish the second sequence.
    private static let sequence: UInt64 = 0x2545_F491_4F6C_DD1D
    private static let powerFailuresRange = 2...5
    private static let shotsAtDeletionRange = 1...3
    /// The number of pauses during an overload. After some pauses, the delays of retries and probes have
    /// almost reached their maximum.
    private static let overloadPausesRange = 4...8
    private static let overloadPause = 30.0
    private static let pauseMsMax = 3_000

    private var random: SimulationRandom
    /// The groups of steps. No other step separates the steps of a group.
    private var groups: [[SimulationPlan.Step]] = []

    init(seed: UInt64) { random = SimulationRandom(seed: seed ^ Self.sequence) }

    // MARK: draws

    /// Draws power failures.
    ///
    /// - Returns: The behavior of the disk, or `nil` if the power never fails.
    mutating func drawPowerFailures() -> SimulatedDisk.Power? {
        guard random.chance(50) else { return nil }
        let power = SimulatedDisk.Power(isJournaled: random.chance(40), seed: random.next())
        for _ in 0..<random.number(Self.powerFailuresRange) { groups.append([powerFailure()]) }
        return power
    }

    private mutating func powerFailure() -> SimulationPlan.Step {
        switch random.number(0...9) {
        case 0: .cutPower
        case 1: .cutPowerLater(jobs: random.number(1...400))
        case 2..<6:
            .disk(
                SimulatedDisk.Fault(
                    call: random.pick([.publish, .publish, .sync, .sync, .commit, .createFolder]),
                    after: random.number(0...8), effect: .cutPower))
        default:
            // The sync of a folder fails, and the power fails a few calls later. The name of a photo may then
            // be lost, and the service must not treat the photo as saved.
            .disk(
                SimulatedDisk.Fault(
                    call: .sync, after: random.number(0...3), effect: .fail(.ioError), isOnlyForFolders: true,
                    callsToPowerFailure: random.number(1...5)))
        }
    }

    /// Draws the number of repetitions of a failed hook.
    mutating func drawHookRetries() -> Int { random.number(0...2) }

    /// Draws photos that get the names of deleted photos.
    mutating func drawShotsAtDeletion(cameras: Int) {
        for camera in 0..<cameras {
            for _ in 0..<random.number(Self.shotsAtDeletionRange) {
                groups.append([.shootAtDeletion(camera)])
            }
        }
    }

    /// Draws a period in which a server is overloaded and the upload of a new photo waits. With a single
    /// upload, the delay until its retry becomes longer than the time between two probes of the server.
    mutating func drawOverload(servers: Int, cameras: Int) {
        guard servers > 0, random.chance(60) else { return }
        let server = random.number(0...(servers - 1))
        let camera = random.number(0...(cameras - 1))
        let pauses = Array(
            repeating: SimulationPlan.Step.wait(seconds: Self.overloadPause),
            count: random.number(Self.overloadPausesRange))
        var group = [SimulationPlan.Step.overload(server, true)]
        group.append(.shoot(camera, .announced, size: 64, secondsLater: 1))
        group += pauses
        group.append(.overload(server, false))
        groups.append(group)
    }

    // MARK: order

    /// Returns the steps with all drawn groups at random positions.
    mutating func inserted(into steps: [SimulationPlan.Step]) -> [SimulationPlan.Step] {
        Self.inserted(groups, into: steps, &random)
    }

    /// Returns the steps with groups at random positions. A random pause follows each group.
    static func inserted(
        _ groups: [[SimulationPlan.Step]], into steps: [SimulationPlan.Step],
        _ random: inout SimulationRandom
    ) -> [SimulationPlan.Step] {
        var order = steps.map { [$0] }
        for group in groups {
            let pause = SimulationPlan.Step.wait(seconds: Double(random.number(0...pauseMsMax)) / 1_000)
            order.insert(group + [pause], at: random.number(0...order.count))
        }
        return order.flatMap { $0 }
    }
}
