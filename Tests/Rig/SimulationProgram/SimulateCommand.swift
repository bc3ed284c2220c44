import Foundation
import Glibc
import Simulation

/// The command line of the simulation.
///
/// The exit status is 0 if every seed is green, 1 if a seed is red or does not repeat, and 2 for wrong
/// arguments.
struct SimulateCommand {
    private static let usage = """
        usage: framefast-simulate [--seed N] [--first N] [--seeds N] [--minutes M] [--replay N] [--trace]
                                  [--digests] [--points] [--commit TEXT]
          --seed N      run this seed twice, and compare the two histories
          --first N     the first seed (1)
          --seeds N     the number of seeds (100)
          --minutes M   run seeds for this time instead of a number of seeds
          --replay N    run the first N seeds twice, and compare the two histories
          --trace       print the history of each red seed, or of the seed of --seed
          --digests     print the SHA-256 of the history of each seed
          --points      print how often the service passed each fault point, and how often it was killed there
          --commit TEXT print TEXT as the commit in the report of each red seed
        """

    /// The number of lines at the end of a history that the program prints without `--trace`.
    private static let lastLines = 40

    /// The command that repeats a seed. A seed has different histories in debug and release builds.
    #if DEBUG
        private static let command = "scripts/simulate --debug"
    #else
        private static let command = "scripts/simulate"
    #endif

    private var first: UInt64 = 1
    private var count: UInt64 = 100
    private var minutes: Double?
    private var replays: UInt64 = 0
    private var isSingle = false
    private var printsTrace = false
    private var printsDigests = false
    private var printsPoints = false
    private var commit = "unknown"
    private var error: String?

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        func number<Number: LosslessStringConvertible>(_ option: String) -> Number? {
            guard let number = rest.popFirst().flatMap(Number.init) else {
                error = "\(option) needs a number"
                return nil
            }
            return number
        }
        // Without this check, a run without seeds would be green.
        func positive<Number: LosslessStringConvertible & Numeric & Comparable>(_ option: String) -> Number? {
            guard let value: Number = number(option) else { return nil }
            guard value > 0 else {
                error = "\(option) needs a number greater than 0"
                return nil
            }
            return value
        }
        while error == nil, let option = rest.popFirst() {
            switch option {
            case "--seed":
                first = number(option) ?? first
                (count, replays, isSingle) = (1, 1, true)
            case "--first": first = number(option) ?? first
            case "--seeds": count = positive(option) ?? count
            case "--minutes": minutes = positive(option)
            case "--replay": replays = number(option) ?? replays
            case "--trace": printsTrace = true
            case "--digests": printsDigests = true
            case "--points": printsPoints = true
            case "--commit": commit = rest.popFirst() ?? commit
            default: error = "unknown option \(option)"
            }
        }
    }

    /// Runs the seeds.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        if let error {
            Self.printError("\(error)\n\(Self.usage)")
            return 2
        }
        let folder: URL
        do { folder = try Self.enterScratchFolder() } catch {
            Self.printError("cannot create a folder: \(error)")
            return 1
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        SimulationRun.prepare()
        let start = ContinuousClock.now
        var (seeds, red, photos, kills, jobs) = (0, 0, 0, 0, 0)
        var points: [String: (passes: Int, kills: Int)] = [:]
        var seed = first
        while minutes.map({ ContinuousClock.now - start < .seconds($0 * 60) }) ?? (seed - first < count) {
            let report = run(seed, isReplayed: seed - first < replays)
            seeds += 1
            if !report.violations.isEmpty { red += 1 }
            photos += report.photos
            kills += report.kills
            jobs += report.jobs
            for point in report.points {
                points[point.name, default: (0, 0)].passes += point.passes
                points[point.name, default: (0, 0)].kills += point.kills
            }
            // If the program is killed later, its output contains the finished seeds.
            fflush(nil)
            seed += 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "\(seeds) seeds from \(first), \(red) red, \(photos) photos, \(kills) kills, \(jobs) jobs, "
                + String(format: "%.1f s", seconds))
        // The nightly run reads this line. A step is a job, as in the line of a red seed.
        print("totals seeds=\(seeds) first=\(first) red=\(red) photos=\(photos) kills=\(kills) steps=\(jobs)")
        if printsPoints {
            for (name, count) in points.sorted(by: { $0.key < $1.key }) {
                print("point \(name): \(count.passes) passes, \(count.kills) kills")
            }
        }
        return red == 0 ? 0 : 1
    }

    private func run(_ seed: UInt64, isReplayed: Bool) -> SimulationRun.Report {
        var report = Self.report(seed)
        if isReplayed {
            let second = Self.report(seed)
            if second.digest != report.digest {
                let index = zip(report.trace, second.trace).enumerated().first { $1.0 != $1.1 }?.offset
                let line = index ?? min(report.trace.count, second.trace.count)
                report.violations.append(
                    "the seed does not repeat, line \(line + 1): "
                        + "'\(Self.line(line, of: report))' and '\(Self.line(line, of: second))'")
            }
        }
        let isRed = !report.violations.isEmpty
        if isRed {
            print(
                "SIMULATION seed=\(seed) commit=\(commit) step=\(report.jobs) : "
                    + "\(Self.command) --seed \(seed) replays it")
            for violation in report.violations { print("  [loss] \(violation)") }
        }
        if isRed || isSingle {
            print("  \(report.configuration)")
            let lines = printsTrace ? report.trace[...] : report.trace.suffix(Self.lastLines)
            for line in lines { print("  \(line)") }
            print("  trace \(report.digest), \(report.trace.count) lines")
        }
        if printsDigests { print("seed \(seed): \(report.digest)") }
        return report
    }

    private static func printError(_ text: String) {
        FileHandle.standardError.write(Data("framefast-simulate: \(text)\n".utf8))
    }

    private static func line(_ index: Int, of report: SimulationRun.Report) -> String {
        report.trace.indices.contains(index) ? report.trace[index] : "the end"
    }

    private static func report(_ seed: UInt64) -> SimulationRun.Report {
        do { return try SimulationRun.run(seed: seed, in: root) } catch {
            var report = SimulationRun.Report()
            report.violations = ["the simulation cannot start: \(error)"]
            return report
        }
    }

    /// The path of the scratch folder. The path must be the same in each process. Otherwise, sets of paths
    /// would have another order, and a seed might not repeat.
    private static let root = "/proc/self/cwd"

    /// Creates a folder in memory, or in the temporary folder, and makes this folder the current directory.
    private static func enterScratchFolder() throws -> URL {
        let memory = "/dev/shm"
        let parent =
            access(memory, W_OK) == 0 ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        let folder = parent.appending(path: "framefast-simulate-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard FileManager.default.changeCurrentDirectoryPath(folder.path) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return folder
    }
}
