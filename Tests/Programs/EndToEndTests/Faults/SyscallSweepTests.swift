import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of kills and errors at each system call that makes a photo durable, in the service and in the
/// worker.
///
/// In one round, strace attaches to the running program, and the camera takes a RAW with its JPEG and a
/// single photo. strace injects a fault into one call, and the test starts the service again. Every photo
/// must be saved once, intact, with its record. A usual run has a round for some of the calls, chosen by its
/// seed. `scripts/test --all` has a round for each call that ``eachMax`` and ``stride`` select.
@Suite(
    .serialized, .programs(4),
    .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
struct SyscallSweepTests {
    /// The process or thread into whose calls strace injects a fault.
    enum Program: String {
        case service, worker
        /// The worker's main thread, which drives the camera and writes the part files.
        case driver
    }

    /// The fault that strace injects into a call.
    enum Fault: String {
        case kill = "signal=KILL"
        case inputOutputError = "error=EIO"
        case noSpace = "error=ENOSPC"
    }

    /// A kind of system call, and the fault to inject into these calls.
    struct Target: CustomTestStringConvertible {
        var program: Program
        var calls: String
        /// Whether the faults apply only to calls on the ledger's files.
        var isLedger = false
        var fault: Fault
        /// The number of rounds for each call number. Threads run in a different order in each round, so the
        /// same number may be a different call.
        var rounds = 1
        var testDescription: String {
            "\(program.rawValue) \(isLedger ? "ledger " : "")\(calls) \(fault.rawValue)"
        }
    }

    /// The calls of a thread that can get a round: the first ``eachMax`` calls, and every ``stride``th later
    /// call.
    static let eachMax = 24
    static let stride = 4
    /// The number of calls of a kind that have a round in a usual run.
    static let sampled = 4

    static let syncs = "fsync,fdatasync"
    static let renames = "?rename,?link,renameat,renameat2,linkat"
    static let writes = "write,pwrite64"

    static let targets = [
        Target(program: .service, calls: syncs, fault: .kill, rounds: 5),
        Target(program: .service, calls: renames, fault: .kill, rounds: 5),
        Target(program: .service, calls: writes, isLedger: true, fault: .kill),
        Target(program: .worker, calls: writes, fault: .kill),
        Target(program: .driver, calls: writes, fault: .kill),
        Target(program: .driver, calls: writes, fault: .inputOutputError),
        Target(program: .driver, calls: writes, fault: .noSpace),
        Target(program: .service, calls: syncs, fault: .inputOutputError, rounds: 5),
        Target(program: .service, calls: renames, fault: .inputOutputError, rounds: 3),
        Target(program: .service, calls: renames, fault: .noSpace, rounds: 3),
        Target(program: .service, calls: writes, isLedger: true, fault: .inputOutputError),
        Target(program: .service, calls: writes, isLedger: true, fault: .noSpace),
        Target(program: .worker, calls: writes, fault: .inputOutputError),
        Target(program: .worker, calls: writes, fault: .noSpace),
    ]

    @Test(arguments: Tier.rows(targets, gate: 1))
    func `saves photos despite a kill or error at each durability call`(target: Target) async throws {
        var random = SeededRandom()
        print("SyscallSweepTests: \(target.testDescription): \(random.note)")
        do { try await sweep(target, &random) } catch {
            throw WaitTimeout(description: "\(target.testDescription), \(random.note): \(error)")
        }
    }

    private func sweep(_ target: Target, _ random: inout SeededRandom) async throws {
        let fixture = try await Fixture()
        let most = try await fixture.count(target)
        #expect(most > 0, "no such calls: the sweep proves nothing; \(random.note)")
        var hits: [Fixture.InjectedCall] = []
        let numbers = (1...max(most, 1)).filter { $0 <= Self.eachMax || $0 % Self.stride == 0 }
        // The first call always gets a round, because every thread makes at least one call.
        let chosen =
            numbers.prefix(1) + Sweep.sample(of: Array(numbers.dropFirst()), Self.sampled - 1, using: &random)
        for number in chosen {
            for _ in 0..<(Sweep.isWhole ? target.rounds : 1) {
                if let hit = try await fixture.runRound(target, number) { hits.append(hit) }
            }
        }
        #expect(!hits.isEmpty, "\(random.note)")
        let files = Dictionary(grouping: hits, by: \.file).mapValues(\.count)
        print(
            "SyscallSweepTests: \(target.testDescription): \(hits.count) points struck at "
                + "\(Set(hits.map(\.place)).count) different calls of a round, on \(files), "
                + "\(fixture.photos) photos")
        try await fixture.rig.stop()
    }

    @Test func `fetches a photo into a new file after the fsync of its part file failed`() async throws {
        let fixture = try await Fixture()
        let before = try fixture.objectsRead()
        let strace = try await Strace(
            fixture.pid(of: .service), calls: Self.syncs, injection: "error=EIO:when=1", in: fixture.folder)
        try fixture.camera.command("shoot")
        // The limit is long, because the first call of each thread fails and several attempts may fail. The
        // service waits longer before each attempt. A failed sync of the ledger ends the connection. A failed
        // sync of a photo only delays this photo.
        try await fixture.rig.waitUntilSaved(1, within: 120)
        let failed = strace.calls.filter(\.isInjected)
        try await strace.detach()
        #expect(!failed.isEmpty)
        if failed.contains(where: { $0.text.contains(".part") }) {
            #expect(try fixture.objectsRead() >= before + 2)
        }
        let wrong = try await fixture.rig.untilIntact(fixture.camera.truth())
        #expect(wrong == [])
        try await fixture.rig.stop()
    }
}

/// A camera and a service for many rounds of kills and errors.
private final class Fixture {
    let folder: ScratchFolder
    let camera: Simulator
    let rig: DaemonRig
    /// A call with an injected fault: its position in the round over all threads, and the kind of its file.
    struct InjectedCall {
        var place: Int
        var file: String
    }
    /// The number of photos so far.
    private(set) var photos = 0

    init() async throws {
        folder = try ScratchFolder()
        camera = try await Simulator(folder, ["--size", "60KB-1200KB"])
        rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        // Every error in the service's log is expected, because strace may fail any call.
        rig.expectedErrors = ["framefastd:"]
        try await start()
    }

    private func start() async throws {
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    func pid(of program: SyscallSweepTests.Program) throws -> Int32 {
        guard let daemon = rig.program else { throw WaitTimeout(description: "no service is running") }
        guard program != .service else { return daemon.pid }
        guard let worker = daemon.children.first else {
            throw WaitTimeout(description: "no worker is running")
        }
        return worker
    }

    /// Returns the number of objects requested from the camera so far.
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

    /// Returns the number of calls that the busiest thread makes in a round.
    func count(_ target: SyscallSweepTests.Target) async throws -> Int {
        let strace = try await attach(target, nil)
        try shoot()
        try await rig.waitUntilSaved(photos)
        let most = strace.mostOfOneThread
        try await strace.detach()
        return most
    }

    /// Runs one round.
    ///
    /// - Returns: The call with the injected fault, or `nil` if no thread made `number` calls.
    func runRound(_ target: SyscallSweepTests.Target, _ number: Int) async throws -> InjectedCall? {
        let victim = try pid(of: target.program)
        let strace = try await attach(target, "\(target.fault.rawValue):when=\(number)")
        try shoot()
        try await eventually("the fault, or the end of the round") {
            if target.fault == .kill, kill(victim, 0) != 0 || rig.program?.isRunning != true { return () }
            if strace.calls.contains(where: \.isInjected) { return () }
            return (try? rig.status().captures.total) ?? 0 >= photos ? () : nil
        }
        let calls = strace.calls
        let isDead = kill(victim, 0) != 0
        let index =
            target.fault == .kill
            ? (isDead ? calls.indices.last : nil) : calls.firstIndex(where: \.isInjected)
        try await strace.detach()
        // The service is also killed after a failed call. The next run has to recover from the failure and
        // the kill.
        if rig.program?.isRunning == true { try await rig.kill() }
        try await start()
        try await rig.waitUntilSaved(photos)
        let wrong = try await rig.untilIntact(camera.truth())
        if !wrong.isEmpty {
            throw WaitTimeout(
                description:
                    "[loss] \(target.testDescription) \(number): \(wrong); struck: \(calls.last?.text ?? "nothing"); "
                    + "log: \(rig.log.suffix(3000))")
        }
        return index.map { InjectedCall(place: $0 + 1, file: Self.kind(calls[$0].text)) }
    }

    private static func kind(_ call: String) -> String {
        let kinds = [
            (".part", "part file"), ("ledger", "ledger"), ("socket", "socket"), ("/captures", "folder"),
        ]
        return kinds.first { call.contains($0.0) }?.1 ?? "other"
    }
}
