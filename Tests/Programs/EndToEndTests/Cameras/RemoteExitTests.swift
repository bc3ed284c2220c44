import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Live view and long exposures that end in a way that no program ordered. After each of them the camera has its settings
/// again, its buttons are free, and its shutter is closed.
@Suite(.serialized, .programs(3)) struct RemoteExitTests {
    enum Work: String, CaseIterable {
        case live, bulb
    }

    enum Exit: String, CaseIterable {
        case clientInterrupted, clientKilled, workerKilled, daemonKilled, unplugged

        /// Whether the worker is still there to close the shutter at its time.
        var keepsWorker: Bool { [.clientInterrupted, .clientKilled, .daemonKilled].contains(self) }
    }

    struct Row: CustomTestStringConvertible {
        var maker: String
        var work: Work
        var exit: Exit
        var testDescription: String { "\(maker), \(work), \(exit)" }
    }

    private static let rows: [Row] = ["canon", "nikon", "sony", "fuji"].flatMap { maker in
        Work.allCases.flatMap { work in Exit.allCases.map { Row(maker: maker, work: work, exit: $0) } }
    }
    private static let gate = [
        Row(maker: "canon", work: .live, exit: .workerKilled),
        Row(maker: "canon", work: .live, exit: .unplugged),
        Row(maker: "canon", work: .bulb, exit: .clientInterrupted),
        Row(maker: "canon", work: .bulb, exit: .workerKilled),
    ]

    /// The time of an exposure whose worker closes it.
    private static let exposureSeconds = 3
    /// The operation that opens a PTP session.
    private static let openSession = "1002"

    private func ready(_ rig: DaemonRig) async throws {
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    /// Starts the work, and waits until the camera does it.
    private func begin(_ row: Row, _ camera: Simulator, _ rig: DaemonRig) async throws -> RunningProgram {
        let time = row.exit.keepsWorker ? "\(Self.exposureSeconds)s" : "600s"
        let arguments =
            switch row.work {
            case .live: ["live", "studio", "--mjpeg"]
            case .bulb: ["bulb", "studio", time] + (row.exit == .unplugged ? ["--json"] : [])
            }
        let client = try RunningProgram(
            Programs.path("framefast"), arguments + ["--socket", rig.socket],
            log: rig.folder.url.appending(path: "client.log"))
        switch row.work {
        case .live:
            try await eventually("frames to come") {
                try Data(contentsOf: client.log).count > 2_000 ? () : nil
            }
        case .bulb:
            try await eventually("the shutter to open: \(client.output)") {
                try camera.shutter().open ? () : nil
            }
            // A worker that ends before it has answered fails the request, and not the exposure.
            try await rig.status("the exposure to be told") { $0.cameras.first?.operation != nil }
        }
        return client
    }

    private func perform(
        _ exit: Exit, _ client: RunningProgram, _ camera: Simulator, _ rig: DaemonRig
    ) async throws {
        switch exit {
        case .clientInterrupted: client.signal(SIGINT)
        case .clientKilled: client.signal(SIGKILL)
        case .workerKilled:
            let workers = rig.program?.children ?? []
            #expect(workers.count == 1)
            for worker in workers { kill(worker, SIGKILL) }
        case .daemonKilled:
            try await rig.kill()
            try await rig.start()
        case .unplugged:
            try camera.command("unplug")
            try await client.ended()
            try await rig.status("the camera to be missed") { $0.cameras.first?.state != .ready }
            try camera.command("plug")
        }
    }

    @Test(arguments: Tier.rows(rows, gate: gate))
    func `the camera is as before and its shutter is closed, whatever ended the work`(row: Row) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", row.maker, "--size", "50KB"])
        // A ring on the body decides, where the driver does not.
        if row.work == .bulb, ["fuji", "sony"].contains(row.maker) {
            try camera.command("dial shutter=bulb")
        }
        let before = try camera.body()
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await ready(rig)
        let idle = try camera.body()
        let client = try await begin(row, camera, rig)
        _ = try camera.operations()

        try await perform(row.exit, client, camera, rig)
        #expect(try await client.ended() != 0, "\(client.output)")
        if row.work == .bulb { checkWords(row.exit, client) }
        try await ready(rig)
        var now: [String: Int] = [:]
        // The differences are in the expectations below.
        try? await eventually("the camera to be as before") { () -> Void? in
            now = try camera.body()
            let isOpen = try row.work == .bulb && camera.shutter().open
            return try now == idle && !isOpen && !camera.isLive() ? () : nil
        }
        #expect(Simulator.changes(from: idle, to: now) == [])
        #expect(try !camera.isLive())
        if row.work == .bulb { try checkShutter(row.exit, camera) }

        let hashes = try camera.truth().map(\.sha256)
        #expect(hashes.count == (row.work == .bulb ? 1 : 0))
        // What a Sony takes without a service is on its card, which can't be read in PC Remote.
        if row.maker != "sony" || row.exit != .daemonKilled {
            let wrong = try await rig.untilIntact(hashes: hashes)
            #expect(wrong == [])
        }
        #expect(try await rig.stop() == 0)
        #expect(Simulator.changes(from: before, to: try camera.body()) == [])
    }

    /// The client says that the exposure failed, and why.
    private func checkWords(_ exit: Exit, _ client: RunningProgram) {
        // Long lines are wrapped.
        let output = client.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let expected =
            switch exit {
            case .workerKilled: ["Failed", "the connection to the camera ended"]
            case .unplugged: [#""state":"failed""#, #""reason":""#]
            case .clientInterrupted, .clientKilled, .daemonKilled: [String]()
            }
        for words in expected { #expect(output.contains(words), "\(output)") }
        if !expected.isEmpty { #expect(client.status == 1) }
        #expect(!output.contains("does nothing"), "\(output)")
    }

    /// The shutter is closed. The worker that opened it closes it when the time is over, and not before, also without its
    /// daemon. If that worker is gone or has lost the camera, the next one closes it in its session. At night: within a
    /// second of that time, or of the start of that session.
    private func checkShutter(_ exit: Exit, _ camera: Simulator) throws {
        let shutter = try camera.shutter()
        #expect(!shutter.open)
        let opened = try #require(shutter.openedNs)
        let closed = try #require(shutter.closedNs)
        // The log was emptied before the exit.
        let session = try camera.operations().first { $0.code == Self.openSession }?.ns
        func after(_ ns: Int) -> String { "after \(Double(ns - opened) / 1e9) s" }
        let times: Comment = "closed \(after(closed)), next session \(session.map(after) ?? "never")"
        let second = 1_000_000_000
        let chance: Int
        if let session, session <= closed {
            chance = session
        } else {
            chance = opened + Self.exposureSeconds * second
            #expect(exit.keepsWorker, times)
            #expect(closed >= chance - second / 100, times)
        }
        // A measurement.
        if Tier.isNight { #expect(closed <= chance + second, times) }
    }
}
