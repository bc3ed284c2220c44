import Foundation
import FrameFastSystem
import Repository
import TestRig
import Testing

/// Tests that run the simulation with fixed seeds. Each seed is a random history of the real intake,
/// publisher, ledger and upload queue under faults.
@Suite(.programs(2)) struct SimulationTests {
    /// The number of fixed seeds of a test run, which uses a debug build. `scripts/simulate` runs more.
    private static let seeds = 100
    private static let seedsAtNight = 1_000
    /// The number of seeds that run twice.
    private static let replays = 20
    /// The time limit of ``seeds``, in seconds.
    private static let secondsMax = 600.0
    /// More fixed seeds. In these seeds a camera sends the same damaged photo twice, and the service sets the
    /// photo aside. About 3 of 1,000 seeds do this.
    private static let seedsWithDamage: [UInt64] = [87_773, 153_991, 187_110]
    /// More fixed seeds, which failed in debug builds. In the first seed, a photo with an implausible date
    /// has the name of a complete shot. In the second seed, a connection ends between the write of a photo
    /// and its report by the worker.
    private static let regressionSeeds: [UInt64] = [957_090_406, 957_090_415]

    /// Runs seeds, and expects that all seeds are green.
    ///
    /// - Returns: The names of the fault points that the service passed.
    private static func run(
        from first: UInt64, count: Int, replays: Int = 0, within seconds: Double = secondsMax
    ) async throws -> Set<String> {
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast-simulate"),
            ["--first", "\(first)", "--seeds", "\(count)", "--replay", "\(replays)", "--points"],
            in: ScratchFolder(), within: seconds)
        #expect(status == 0, "[loss] \(output.suffix(10_000))")
        #expect(output.contains("\(count) seeds from \(first), 0 red"))
        // The nightly run reads these totals (`Tests/Rig/Gate/simulation.py`).
        #expect(output.contains("totals seeds=\(count) first=\(first) red=0 photos="))
        #expect(output.contains(/photos=\d+ kills=\d+ steps=\d+\n/))
        let lines = output.split(separator: "\n").filter {
            $0.hasPrefix("point ") && !$0.contains(": 0 passes")
        }
        return Set(lines.map { String($0.dropFirst("point ".count).prefix { $0 != ":" }) })
    }

    @Test func `saves each photo once with every seed, and passes every fault point`() async throws {
        var random = SeededRandom()
        // A nightly run uses new seeds.
        let first = Tier.isNight ? random.next() % 1_000_000_000 : 1
        let count = Tier.isNight ? Self.seedsAtNight : Self.seeds
        var passed = try await Self.run(
            from: first, count: count, replays: Self.replays,
            within: Self.secondsMax * Double(count / Self.seeds))
        for seed in Self.seedsWithDamage + Self.regressionSeeds {
            passed.formUnion(try await Self.run(from: seed, count: 1))
        }
        let missed = FaultPoint.allCases.map { "\($0)" }.filter { !passed.contains($0) }
        #expect(missed.isEmpty, "no seed passes \(missed): remove the points, or add a seed")
    }

    @Test func `another process repeats the history of a seed`() async throws {
        let folder = try ScratchFolder()
        let program = Programs.path("framefast-simulate")
        let (_, several) = try await RunningProgram.run(program, ["--seeds", "3", "--digests"], in: folder)
        let (_, single) = try await RunningProgram.run(
            program, ["--first", "3", "--seeds", "1", "--digests"], in: folder)
        let line = try #require(several.split(separator: "\n").first { $0.hasPrefix("seed 3: ") })
        #expect(single.split(separator: "\n").contains(line))
    }

    @Test func `simulate returns 2 for wrong arguments`() async throws {
        let folder = try ScratchFolder()
        for arguments in [["--seeds", "many"], ["--seeds", "0"], ["--minutes", "0"], ["--unknown"]] {
            let (status, output) = try await RunningProgram.run(
                Programs.path("framefast-simulate"), arguments, in: folder)
            #expect(status == 2)
            #expect(output.contains("usage: framefast-simulate"))
        }
    }

    /// Without this check, a run without seeds would be green.
    @Test(arguments: ["--seeds", "--minutes"])
    func `the simulate script returns 2 for zero seeds or minutes`(option: String) async throws {
        let (status, output) = try await RunningProgram.run(
            Repository.file("scripts/simulate"), [option, "0"], in: ScratchFolder())
        #expect(status == 2)
        #expect(output == "simulate: \(option) needs a number greater than 0.\n")
    }
}
