import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import CaptureEngine

/// A randomized test with many faults in cards, links, cameras and the service. The test runs in one
/// process, and checks that each photo is saved exactly once.
@Suite(.blocking) struct IntakeModelTests {
    /// An action or a fault.
    enum Step: Sendable, CustomStringConvertible {
        case shoot(ModelCamera, ModelCamera.Announcement, size: Int, secondsLater: Int64)
        case reading(ModelCamera, ModelCamera.ReadFault)
        case listing(ModelCamera, ModelCamera.ListFault)
        case cut(ModelCamera, killsWorker: Bool)
        case restart
        case exchange
        case moveCaptures

        var description: String {
            switch self {
            case .shoot(let camera, let announcement, let size, let later):
                "\(camera.id) shoots \(size) bytes \(later) s later, \(announcement)"
            case .reading(let camera, let fault): "\(camera.id) reads: \(fault)"
            case .listing(let camera, let fault): "\(camera.id) lists: \(fault)"
            case .cut(let camera, let kills): "\(camera.id) is \(kills ? "killed" : "cut off")"
            case .restart: "restart"
            case .exchange: "the cameras swap USB ports"
            case .moveCaptures: "the folder is moved"
            }
        }

        static func random(_ cameras: [ModelCamera], _ sizes: [Int], using random: inout SeededRandom) -> Self
        {
            let camera = cameras[Int.random(in: cameras.indices, using: &random)]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                return .shoot(
                    camera, ModelCamera.Announcement.allCases.randomElement(using: &random) ?? .announced,
                    size: sizes.randomElement(using: &random) ?? 64,
                    secondsLater: Int64.random(in: 0...2, using: &random))
            case 40..<70:
                return .reading(camera, ModelCamera.ReadFault.allCases.randomElement(using: &random) ?? .busy)
            case 70..<82:
                return .listing(camera, ModelCamera.ListFault.allCases.randomElement(using: &random) ?? .cut)
            case 82..<93: return .cut(camera, killsWorker: Bool.random(using: &random))
            case 93..<96: return .restart
            case 96..<98: return .exchange
            default: return .moveCaptures
            }
        }
    }

    /// The number of random sequences.
    static let sequences = 24
    /// The length of a sequence: long enough for coinciding faults, and short enough to analyze a failure.
    static let stepsPerSequence = 100
    static let usualSeed: UInt64 = 1
    /// The number of concurrent sequences. Most of the time, a sequence waits for the disk.
    private static let sequencesAtOnce = 6
    /// The time for which all records must stay unchanged before a waiting photo counts as lost, in seconds
    /// of `LivedTime`.
    private static let stillnessSeconds = 60.0

    @Test func `saves each photo exactly once under random faults`() async throws {
        var random = SeededRandom(otherwise: Self.usualSeed)
        let seeds = (0..<Self.sequences).map { _ in random.next() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, seed) in seeds.enumerated() {
                if number >= Self.sequencesAtOnce { try await group.next() }
                group.addTask { [note = random.note] in
                    try await Self.play(number, SeededRandom(seed: seed), note)
                }
            }
            try await group.waitForAll()
        }
    }

    private static func play(_ number: Int, _ seed: SeededRandom, _ note: String) async throws {
        var random = seed
        // If two bodies share a serial number, only the bytes distinguish their photos with the same name,
        // size and time.
        let serial = ["", "00000000", "12345678", nil].randomElement(using: &random) ?? nil
        let cameras = (1...2).map {
            ModelCamera(id: CameraID(rawValue: "camera-\($0)"), serial: serial ?? "\($0)")
        }
        let station = try ModelStation(
            cameras, verify: Bool.random(using: &random) ? .structure : .reread,
            deletesAfterSave: Bool.random(using: &random), seed: random)
        var history: [Step] = []
        try await station.start()
        for _ in 0..<stepsPerSequence {
            let step = Step.random(cameras, [64, 65, 90], using: &random)
            history.append(step)
            try await perform(step, station)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...10, using: &random)))
        }
        for camera in cameras { camera.recover() }
        await station.stop()
        try await station.start()
        let wrong = try await violations(station, mayConfuse: serial != nil)
        await station.stop()
        #expect(
            wrong == [],
            "sequence \(number), \(note), serial \(serial ?? "unique"):\n\(history.map(\.description).joined(separator: "\n"))"
        )
    }

    /// Waits until no violation remains or the records stop changing. Returns the remaining violations.
    private static func violations(_ station: ModelStation, mayConfuse: Bool) async throws -> [String] {
        var last = try await station.ledger.captures(CaptureQuery(limit: 1_000)).map(\.record)
        var limit = WaitLimit(seconds: stillnessSeconds)
        while true {
            let isLast = limit.isOver
            let wrong = try await station.violations(mayConfuse: mayConfuse)
            if wrong.isEmpty || isLast { return wrong }
            try await Task.sleep(for: .milliseconds(20))
            let now = try await station.ledger.captures(CaptureQuery(limit: 1_000)).map(\.record)
            if now != last { (last, limit) = (now, WaitLimit(seconds: stillnessSeconds)) }
        }
    }

    private static func perform(_ step: Step, _ station: ModelStation) async throws {
        switch step {
        case .shoot(let camera, let announcement, let size, let later):
            camera.shoot(announcement, size: size, secondsLater: later)
        case .reading(let camera, let fault): camera.addFault(fault)
        case .listing(let camera, let fault): camera.addFault(fault)
        case .cut(let camera, let kills): camera.breakConnection(killsWorker: kills)
        case .restart:
            await station.stop()
            try await station.start()
        case .exchange:
            await station.stop()
            let (one, other) = (station.cameras[0].place, station.cameras[1].place)
            (station.cameras[0].place, station.cameras[1].place) = (other, one)
            try await station.start()
        case .moveCaptures: try station.moveCaptures()
        }
    }
}
