import Foundation
import FrameFastModel
import FrameFastSystem
import SystemPackage

/// The configuration of one simulation, and its actions and faults, drawn from the seed.
struct SimulationPlan: Sendable {
    /// An action or a fault. Cameras and servers are named by their index.
    enum Step: Sendable {
        case shoot(Int, SimulatedCamera.AnnouncementKind, size: Int, secondsLater: Int64)
        case reading(Int, SimulatedCamera.ReadFault)
        case listing(Int, SimulatedCamera.ListFault)
        case cut(Int, killsWorker: Bool)
        case plug(Int, Bool)
        /// Two cameras swap their USB ports while the service is stopped.
        case exchange
        case restart
        case kill
        /// Kills the service after a number of jobs.
        case killLater(jobs: Int)
        case disk(SimulatedDisk.Fault)
        case upload(Int, SimulatedServer.Fault)
        case away(Int, Bool)
        /// The server starts or stops refusing uploads temporarily. It replies to probes in both cases.
        case overload(Int, Bool)
        /// The camera takes a photo at its next deletion, and gives it the name of the deleted photo.
        case shootAtDeletion(Int)
        case cutPower
        /// Cuts the power after a number of jobs.
        case cutPowerLater(jobs: Int)
        /// A person starts a session with this upload mode, or stops the running session.
        case session(UploadMode?)
        /// Kills the service at the next pass of a fault point.
        case killAt(FaultPoint)
        /// A fault during the next start at which the service repairs an interrupted photo.
        case repairFault(RepairFault)
        case wait(seconds: Double)
    }

    /// A fault during a start at which the service repairs an interrupted photo.
    enum RepairFault: Hashable, Sendable {
        /// The first sync of the repair fails.
        case failedSync
        /// The power fails directly after the repair.
        case powerFailure
    }

    /// The part that stays broken in the first half of the liveness phase.
    enum Broken: Hashable, Sendable {
        case nothing
        case camera(Int)
        case server(Int)
        /// One photo of this camera cannot be read. Each read ends the connection.
        case photo(Int)
    }

    let seed: UInt64
    let cameras: Int
    /// The serial number of all cameras, or `nil` if each camera has its own.
    let sharedSerial: String?
    /// The time of the cameras' clocks at the start, in seconds since 1970.
    let cameraTime: Int64
    /// Whether the cameras give a new photo the lowest file name that is free on the card.
    let reusesNames: Bool
    let verify: RequiredVerification
    let deletesAfterSave: Bool
    let template: String
    let mode: UploadMode
    let keep: RetentionRule
    /// The number of concurrent uploads of each server.
    let servers: [Int]
    let isNewestFirst: Bool
    /// The number of oldest jobs from which the executor chooses.
    let window: Int
    let steps: [Step]
    let broken: Broken
    /// The behavior of the disk in power failures, or `nil` if the power never fails.
    let power: SimulatedDisk.Power?
    /// The number of repetitions of a failed hook.
    let hookRetries: Int
    /// The kills at fault points. They wait from the start of the history until the service passes the point
    /// often enough.
    let pointKills: [SimulatedDisk.PointKill]
    /// The features, drawn from a separate random sequence.
    let features: SimulationFeatures

    /// A camera time before the creation of the ledger. A lost ledger may have contained photos with such a
    /// time, so the service searches the disk for them.
    private static let oldTime: Int64 = 1_700_000_000
    private static let templates = [
        "{camera}-{counter}.{ext}", "{camera}/{counter:05}.{ext}", "{date}/{original}.{ext}", "photo.{ext}",
    ]
    private static let stepsRange = 15...45
    /// The number of kills at fault points. The service does not pass every point in a history.
    private static let pointKillsRange = 2...6
    /// The numbers of passes before a kill. The service passes some points only once in a history.
    private static let passesBefore = [0, 0, 0, 1, 2, 5, 15]
    /// The bits that distinguish the sequence of the kills at fault points from the other sequences.
    private static let pointSequence: UInt64 = 0x5851_F42D_4C95_7F2D

    init(seed: UInt64) {
        // The executor uses the same seed, so the plan draws from another sequence.
        var random = SimulationRandom(seed: ~seed)
        self.seed = seed
        cameras = random.number(1...3)
        sharedSerial = random.chance(30) ? random.pick(["", "00000000", "12345678"]) : nil
        cameraTime = random.chance(30) ? Self.oldTime : Int64(SimulationExecutor.startDate)
        reusesNames = random.chance(30)
        verify = random.chance(40) ? .reread : .structure
        deletesAfterSave = random.chance(50)
        var features = SimulationFeatures(
            seed: seed, hasOwnSerials: sharedSerial == nil, isReadOnce: verify == .structure)
        // Each session counts from 1. If the name lacked the session, equal names would get suffixes.
        template = (features.hasSessions ? "{session}/" : "") + random.pick(Self.templates)
        mode = random.pick([.realtime, .realtime, .jpegFirst, .scheduled, .rated, .offline])
        keep = random.chance(20) ? .untilDelivered : .forever
        servers = (0..<random.number(0...2)).map { _ in random.number(1...3) }
        isNewestFirst = random.chance(30)
        window = random.pick([1, 2, 4, 1_000])
        let faults = Faults(
            findsWrongBytes: verify == .reread && sharedSerial == nil && random.chance(50))
        var steps: [Step] = []
        for _ in 0..<random.number(Self.stepsRange) {
            steps.append(Self.step(&random, cameras: cameras, servers: servers.count, faults))
            steps.append(.wait(seconds: Double(random.number(0...3_000)) / 1_000))
        }
        switch random.number(0...2) {
        case 1: broken = .camera(random.number(0...(cameras - 1)))
        case 2 where !servers.isEmpty: broken = .server(random.number(0...(servers.count - 1)))
        default: broken = features.drawUnreadablePhoto(cameras: cameras)
        }
        var extra = ExtraSteps(seed: seed)
        power = extra.drawPowerFailures()
        hookRetries = extra.drawHookRetries()
        // A photo that is taken at a deletion has the time of an earlier photo, and maybe of another session.
        if deletesAfterSave, verify == .structure, sharedSerial == nil, !features.hasSessions {
            extra.drawShotsAtDeletion(cameras: cameras)
        }
        if [.realtime, .jpegFirst].contains(mode) {
            extra.drawOverload(servers: servers.count, cameras: cameras)
        }
        self.steps = features.inserted(
            into: extra.inserted(into: steps), cameras: cameras, losesPower: power != nil)
        self.features = features
        // A separate sequence: a new fault point does not change the other draws.
        var points = SimulationRandom(seed: seed ^ Self.pointSequence)
        pointKills = (0..<points.number(Self.pointKillsRange)).map { _ in
            SimulatedDisk.PointKill(
                point: points.pick(FaultPoint.allCases), after: points.pick(Self.passesBefore))
        }
    }

    /// The faults of the cameras.
    private struct Faults {
        var reads = SimulatedCamera.ReadFault.allCases.filter { $0 != .wrong }
        var lists = SimulatedCamera.ListFault.allCases
        var announcements = SimulatedCamera.AnnouncementKind.allCases

        /// - Parameter findsWrongBytes: Whether second readings find wrong bytes. The service finds them only
        ///   if the photo is not gone and its facts are correct.
        init(findsWrongBytes: Bool) {
            guard findsWrongBytes else { return }
            reads = SimulatedCamera.ReadFault.allCases.filter { $0 != .gone }
            lists = [.cut, .doubled]
            announcements = [.announced, .announcedTwice, .lost]
        }
    }

    private static func step(
        _ random: inout SimulationRandom, cameras: Int, servers: Int, _ faults: Faults
    ) -> Step {
        let camera = random.number(0...(cameras - 1))
        switch random.number(0...99) {
        case 0..<40:
            return .shoot(
                camera, random.pick(faults.announcements), size: random.pick([64, 65, 90]),
                secondsLater: Int64(random.number(0...2)))
        case 40..<52: return .reading(camera, random.pick(faults.reads))
        case 52..<58: return .listing(camera, random.pick(faults.lists))
        case 58..<63: return .cut(camera, killsWorker: random.chance(50))
        case 63..<67: return .plug(camera, random.chance(50))
        case 67..<69: return .exchange
        case 69..<72: return .restart
        case 72..<74: return .kill
        case 74..<80: return .killLater(jobs: random.number(1...400))
        case 80..<88: return .disk(diskFault(&random))
        case 88..<94 where servers > 0:
            return .upload(random.number(0...(servers - 1)), random.pick(SimulatedServer.Fault.allCases))
        case 94..<98 where servers > 0: return .away(random.number(0...(servers - 1)), random.chance(60))
        default: return .wait(seconds: Double(random.number(1...60)))
        }
    }

    private static func diskFault(_ random: inout SimulationRandom) -> SimulatedDisk.Fault {
        let call = random.pick(SimulatedHost.DiskCall.allCases)
        let effect: SimulatedDisk.Effect =
            random.chance(50) ? .kill : .fail(random.pick([.ioError, .noSpace]))
        return SimulatedDisk.Fault(call: call, after: random.number(0...12), effect: effect)
    }

    /// The configuration as one line.
    var configuration: String {
        "\(cameras) camera(s), serial \(sharedSerial.map { "'\($0)'" } ?? "own"), "
            + "reuses names \(reusesNames), \(verify), "
            + "delete \(deletesAfterSave), \(template), \(mode), keep \(keep.text), servers \(servers), "
            + "window \(window), \(steps.count) steps, broken \(broken), hook retries \(hookRetries), "
            + "\(features.text), "
            + "power \(power.map { $0.isJournaled ? "fails, journaled disk" : "fails" } ?? "never fails")"
    }
}
