import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of a service with a low limit of open files.
@Suite(.serialized, .programs(4)) struct FewDescriptorsTests {
    private static let cameras = 6
    private static let prlimit = "/usr/bin/prlimit"

    private func start(_ folder: ScratchFolder) async throws -> [Simulator] {
        var cameras: [Simulator] = []
        for number in 1...Self.cameras {
            // Each camera has its own seed, so no two cameras take the same picture.
            cameras.append(
                try await Simulator(
                    folder, name: "sim\(number)",
                    ["--serial", "\(1_000 + number)", "--size", "50KB", "--seed", "\(number)"]))
        }
        return cameras
    }

    private func named(_ cameras: [Simulator]) -> [(name: String, address: String)] {
        cameras.enumerated().map { ("studio-\($0.offset + 1)", $0.element.address) }
    }

    @discardableResult
    private func waitUntilReady(_ rig: DaemonRig, _ count: Int) async throws -> StatusReply {
        try await rig.status("\(count) cameras to be ready", within: 60) { status in
            status.cameras.count == count && status.cameras.allSatisfy { $0.state == .ready }
        }
    }

    private func isShort(_ status: StatusReply) -> Bool {
        status.conditions.contains { $0.code == "few-descriptors" }
    }

    /// Returns the soft limit of open files of a running program.
    private func limit(of program: RunningProgram) throws -> Int? {
        let limits = try String(contentsOfFile: "/proc/\(program.pid)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    }

    /// Sets the soft limit of open files of a running program.
    private func setLimit(of program: RunningProgram, to count: Int, _ folder: ScratchFolder) async throws {
        let run = try await RunningProgram.run(
            URL(filePath: Self.prlimit), ["--pid", "\(program.pid)", "--nofile=\(count):"], in: folder)
        try #require(run.status == 0, "\(run.output)")
    }

    /// Returns the soft limit with which a running program can open `left` more files. The kernel compares
    /// the limit with the number of each new descriptor.
    private func limit(of program: RunningProgram, leaving left: Int) throws -> Int {
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd")
        let taken = Set(open.compactMap { Int($0) })
        var (limit, free) = (0, 0)
        while free < left || taken.contains(limit) {
            if !taken.contains(limit) { free += 1 }
            limit += 1
        }
        return limit
    }

    @Test func `raises a low soft limit of open files and serves every camera`() async throws {
        let folder = try ScratchFolder()
        let cameras = try await start(folder)
        let rig = try DaemonRig(cameras: named(cameras))
        try await rig.start(wrapper: [Self.prlimit, "--nofile=40:8192"])
        let status = try await waitUntilReady(rig, Self.cameras)
        #expect(!isShort(status))
        for camera in cameras { try camera.command("shoot") }
        let wrong = try await rig.untilIntact(hashes: cameras.flatMap { try $0.truth() }.map(\.sha256))
        #expect(wrong == [])
        let service = try #require(rig.program)
        #expect(try limit(of: service) == 8_192)
        #expect(try await rig.stop() == 0)
    }

    @Test func `reports a low hard limit of open files once at the start`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        // On a computer with many processors, the service needs more files: three for each event loop.
        try await rig.start(wrapper: [Self.prlimit, "--nofile=40:250"])
        let status = try await waitUntilReady(rig, 1)
        let conditions = status.conditions.filter { $0.code == "few-descriptors" }
        #expect(conditions.count == 1)
        #expect(conditions.first?.sentence.contains("only 250 files") == true)
        try camera.command("shoot")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    /// Each argument is the number of files that the service may open in addition to the files of one camera.
    /// Starting a worker temporarily needs six files. Each connected camera keeps two files open.
    @Test(arguments: Tier.rows([4, 5, 6, 7, 8, 9, 10], gate: [8]))
    func `reports exhausted open files once and recovers with a higher limit`(left: Int) async throws {
        let folder = try ScratchFolder()
        let cameras = try await start(folder)
        let rig = try DaemonRig(cameras: Array(named(cameras).prefix(1)))
        rig.expectedErrors = ["cannot start the camera worker", "condition=few-descriptors"]
        try await rig.start()
        try await waitUntilReady(rig, 1)
        let service = try #require(rig.program)
        try await setLimit(of: service, to: try limit(of: service, leaving: left), folder)
        try rig.configure(cameras: named(cameras))
        service.signal(SIGHUP)
        let short = try await rig.status("the condition") { isShort($0) }
        #expect(short.conditions.map(\.code) == ["few-descriptors"])
        let step = short.conditions.first?.nextStep
        #expect(step?.contains("LimitNOFILE= in the service's unit") == true, "\(step ?? "")")
        let program = Programs.path("framefast")
        let answer = try await RunningProgram.run(
            program, ["status", "--json", "--socket", rig.socket], in: folder)
        #expect(answer.output.contains("reached its limit of open files"), "\(answer.output)")

        try await killWorker(of: service)

        try await setLimit(of: service, to: 8_192, folder)
        try await waitUntilReady(rig, Self.cameras)
        try await rig.status("the condition to end") { !isShort($0) }
        for camera in cameras { try camera.command("shoot") }
        let wrong = try await rig.untilIntact(hashes: cameras.flatMap { try $0.truth() }.map(\.sha256))
        #expect(wrong == [])

        // SIGTERM also stops a service without descriptors for a worker or a reply.
        try await setLimit(of: service, to: try limit(of: service, leaving: 0), folder)
        try await killWorker(of: service)
        #expect(try await rig.stop() == 0)
    }

    /// Kills a worker and waits until the service has reaped it. An unreaped process stays in `/proc`.
    private func killWorker(of service: RunningProgram) async throws {
        let worker = try #require(service.children.first)
        kill(worker, SIGKILL)
        try await eventually("the killed worker to be reaped") {
            FileManager.default.fileExists(atPath: "/proc/\(worker)") ? nil : ()
        }
    }

    /// Waits for a single worker other than `earlier` and a ready camera, and returns the worker's process
    /// ID.
    private func worker(_ rig: DaemonRig, after earlier: Int32?) async throws -> Int32 {
        try await rig.waitUntil("another worker, and its camera to be ready") { snapshot -> Int32? in
            guard try snapshot.status.cameras.first?.state == .ready,
                let workers = rig.program?.children, workers.count == 1, workers[0] != earlier
            else { return nil }
            return workers[0]
        }
    }

    @Test(.enabled(if: Strace.isPossible, "letting system calls fail needs strace and the right to trace"))
    func `reaps and replaces a killed worker even without a free descriptor`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        let first = try await worker(rig, after: nil)
        let service = try #require(rig.program?.pid)
        // The service waits for the end of a worker with the descriptor that `pidfd_open` returns.
        let strace = try await Strace(service, calls: "pidfd_open", injection: "error=EMFILE", in: folder)
        kill(first, SIGKILL)
        let second = try await worker(rig, after: first)
        // The state `ready` may still describe the first worker's connection.
        try await eventually("a call that failed") { strace.calls.contains { $0.isInjected } ? () : nil }
        kill(second, SIGKILL)
        try await eventually("the killed worker to be reaped") {
            FileManager.default.fileExists(atPath: "/proc/\(second)") ? nil : ()
        }
        _ = try await worker(rig, after: second)
        try camera.command("shoot")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await strace.detach()
        #expect(try await rig.stop() == 0)
    }
}
