import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Ends service and worker at each system call that makes a photo durable, and lets each of these calls fail.
///
/// One round: strace attaches to the running program, the camera takes a RAW with its JPEG and a single photo, the
/// call is struck, the service is started again: every photo must be there once, whole, with its record. A usual run
/// strikes some of the calls, chosen by its seed; `scripts/test --all` strikes each.
@Suite(
    .serialized, .programs(4),
    .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
struct SyscallSweepTests {
    /// Whose calls.
    enum Program: String {
        case service, worker
        /// The worker's first thread, which drives the camera and writes the part files.
        case driver
    }

    /// What is done to a call.
    enum Blow: String {
        case kill = "signal=KILL"
        case inputOutputError = "error=EIO"
        case noSpace = "error=ENOSPC"
    }

    /// All calls of a kind, and what is done to them.
    struct Target: CustomTestStringConvertible {
        var program: Program
        var calls: String
        /// Only on the ledger's files.
        var isLedger = false
        var blow: Blow
        /// Rounds for each number: which thread makes a call differs, and with it the place that a number strikes.
        var rounds = 1
        var testDescription: String {
            "\(program.rawValue) \(isLedger ? "ledger " : "")\(calls) \(blow.rawValue)"
        }
    }

    /// Calls of one thread that are struck one by one; beyond, every fourth.
    static let eachMax = 24
    static let stride = 4
    /// Calls of a kind that a usual run strikes.
    static let sampled = 4

    static let syncs = "fsync,fdatasync"
    static let renames = "?rename,?link,renameat,renameat2,linkat"
    static let writes = "write,pwrite64"

    static let targets = [
        Target(program: .service, calls: syncs, blow: .kill, rounds: 5),
        Target(program: .service, calls: renames, blow: .kill, rounds: 5),
        Target(program: .service, calls: writes, isLedger: true, blow: .kill),
        Target(program: .worker, calls: writes, blow: .kill),
        Target(program: .driver, calls: writes, blow: .kill),
        Target(program: .driver, calls: writes, blow: .inputOutputError),
        Target(program: .driver, calls: writes, blow: .noSpace),
        Target(program: .service, calls: syncs, blow: .inputOutputError, rounds: 5),
        Target(program: .service, calls: renames, blow: .inputOutputError, rounds: 3),
        Target(program: .service, calls: renames, blow: .noSpace, rounds: 3),
        Target(program: .service, calls: writes, isLedger: true, blow: .inputOutputError),
        Target(program: .service, calls: writes, isLedger: true, blow: .noSpace),
        Target(program: .worker, calls: writes, blow: .inputOutputError),
        Target(program: .worker, calls: writes, blow: .noSpace),
    ]

    @Test(arguments: Tier.rows(targets, gate: 1))
    func `a photo survives the end or the failure of every call that makes it durable`(target: Target)
        async throws
    {
        var random = SeededRandom()
        print("SyscallSweepTests: \(target.testDescription): \(random.note)")
        do { try await sweep(target, &random) } catch {
            throw Impatience(description: "\(target.testDescription), \(random.note): \(error)")
        }
    }

    private func sweep(_ target: Target, _ random: inout SeededRandom) async throws {
        let bench = try await Bench()
        let most = try await bench.count(target)
        #expect(most > 0, "no such calls: the sweep proves nothing; \(random.note)")
        var strikes: [Bench.Strike] = []
        let numbers = (1...max(most, 1)).filter { $0 <= Self.eachMax || $0 % Self.stride == 0 }
        // Each thread comes as far as the first.
        let chosen =
            numbers.prefix(1) + Sweep.sample(of: Array(numbers.dropFirst()), Self.sampled - 1, using: &random)
        for number in chosen {
            for _ in 0..<(Sweep.isWhole ? target.rounds : 1) {
                if let strike = try await bench.strike(target, number) { strikes.append(strike) }
            }
        }
        #expect(!strikes.isEmpty, "\(random.note)")
        let files = Dictionary(grouping: strikes, by: \.file).mapValues(\.count)
        print(
            "SyscallSweepTests: \(target.testDescription): \(strikes.count) points struck at "
                + "\(Set(strikes.map(\.place)).count) different calls of a round, on \(files), \(bench.photos) photos"
        )
    }

    @Test func `a photo whose fsync failed is fetched again into a new file, by itself`() async throws {
        let bench = try await Bench()
        let before = try bench.objectsRead()
        let strace = try await Strace(
            bench.pid(of: .service), calls: Self.syncs, injection: "error=EIO:when=1", in: bench.folder)
        try bench.camera.command("shoot")
        // The first call of each thread fails, so that several attempts may, and each waits longer than the one before:
        // the ledger's failures end the session, a photo's put it off.
        try await bench.rig.saved(1, within: 120)
        let failed = strace.calls.filter(\.isInjected)
        try await strace.detach()
        #expect(!failed.isEmpty)
        if failed.contains(where: { $0.text.contains(".part") }) {
            #expect(try bench.objectsRead() >= before + 2)
        }
        let wrong = try await bench.rig.untilIntact(bench.camera.truth())
        #expect(wrong == [])
    }
}

/// A camera and a service that are struck again and again.
private final class Bench {
    let folder: ScratchFolder
    let camera: Simulator
    let rig: DaemonRig
    /// A call that was struck: its place in the round over all threads, and the kind of file that it was about.
    struct Strike {
        var place: Int
        var file: String
    }
    /// Photos so far.
    private(set) var photos = 0

    init() async throws {
        folder = try ScratchFolder()
        camera = try await Simulator(folder, ["--size", "60KB-1200KB"])
        rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        // Any call of the service may be the one that fails on purpose, and any error in its log comes of that.
        rig.expectedErrors = ["framefastd:"]
        try await start()
    }

    private func start() async throws {
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    func pid(of program: SyscallSweepTests.Program) throws -> Int32 {
        guard let daemon = rig.program else { throw Impatience(description: "no service is running") }
        guard program != .service else { return daemon.pid }
        guard let worker = daemon.children.first else {
            throw Impatience(description: "no worker is running")
        }
        return worker
    }

    /// Objects that the camera was asked for so far.
    func objectsRead() throws -> Int {
        struct Statistics: Decodable { var requests: [String: Int] }
        let statistics = try JSONDecoder().decode(Statistics.self, from: Data(camera.command("stats").utf8))
        return statistics.requests.filter { $0.key.lowercased() == "getobject" }.values.reduce(0, +)
    }

    private func attach(_ target: SyscallSweepTests.Target, _ injection: String?) async throws -> Strace {
        let ledger = rig.folder.path("state/ledger.sqlite")
        return try await Strace(
            try pid(of: target.program), allThreads: target.program != .driver, calls: target.calls,
            injection: injection,
            paths: target.isLedger ? [ledger, ledger + "-wal"] : [], in: folder)
    }

    private func shoot() throws {
        try camera.command("shoot-pair")
        try camera.command("shoot")
        photos += 3
    }

    /// Calls that the busiest thread makes in a round.
    func count(_ target: SyscallSweepTests.Target) async throws -> Int {
        let strace = try await attach(target, nil)
        try shoot()
        try await rig.saved(photos)
        let most = strace.mostOfOneThread
        try await strace.detach()
        return most
    }

    /// One round.
    ///
    /// - Returns: what was struck; `nil` when no thread came that far.
    func strike(_ target: SyscallSweepTests.Target, _ number: Int) async throws -> Strike? {
        let victim = try pid(of: target.program)
        let strace = try await attach(target, "\(target.blow.rawValue):when=\(number)")
        try shoot()
        try await eventually("the blow, or the end of the round") {
            if target.blow == .kill, kill(victim, 0) != 0 || rig.program?.isRunning != true { return () }
            if strace.calls.contains(where: \.isInjected) { return () }
            return (try? rig.status().captures.total) ?? 0 >= photos ? () : nil
        }
        let calls = strace.calls
        let isDead = kill(victim, 0) != 0
        let index =
            target.blow == .kill ? (isDead ? calls.indices.last : nil) : calls.firstIndex(where: \.isInjected)
        try await strace.detach()
        // What failed without an end is caught in the act, too: the next run has to put it right.
        if rig.program?.isRunning == true { try await rig.kill() }
        try await start()
        try await rig.saved(photos)
        let wrong = try await rig.untilIntact(camera.truth())
        if !wrong.isEmpty {
            throw Impatience(
                description:
                    "[loss] \(target.testDescription) \(number): \(wrong); struck: \(calls.last?.text ?? "nothing"); "
                    + "log: \(rig.log.suffix(3000))")
        }
        return index.map { Strike(place: $0 + 1, file: Self.kind(calls[$0].text)) }
    }

    private static func kind(_ call: String) -> String {
        let kinds = [
            (".part", "part file"), ("ledger", "ledger"), ("socket", "socket"), ("/captures", "folder"),
        ]
        return kinds.first { call.contains($0.0) }?.1 ?? "other"
    }
}
