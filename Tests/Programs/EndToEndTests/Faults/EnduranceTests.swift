import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests that memory and open handles do not grow over hundreds of photos.
@Suite(.serialized, .programs(4)) struct EnduranceTests {
    /// The resources that a process holds.
    struct Resources {
        var handles: Int
        var residentKB: Int

        init(of pid: Int32) throws {
            handles = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
            residentKB = Int(line.filter(\.isNumber)) ?? 0
        }
    }

    /// Returns the processor time that a process has used, in seconds.
    static func cpuSeconds(of pid: Int32) throws -> Double {
        let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The fields after the name in parentheses: state, ppid, … utime and stime are the 12th and 13th
        // (proc(5)).
        let words = line.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The number of handles that may be open temporarily: for example, a status request, a file being
    /// hashed, or the ledger's second reader.
    static let handlesSlack = 4
    /// The memory that 300 photos may add to the service, in KB. A record and a queue entry take a few KB
    /// each. The limit also permits growth of the allocator and of SQLite's page cache (2 MB per connection).
    static let daemonGrowthKB = 12_000
    /// The memory that 300 photos may add to a worker, in KB. libgphoto2 keeps each object's metadata, under
    /// 1 KB each.
    static let workerGrowthKB = 4_000

    @Test(.nightly("measures memory and handles"))
    func `300 more photos leak no handles or memory in service and worker`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB-400KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("burst 100 0")
        try await rig.waitUntilSaved(100)
        let daemon = try #require(rig.program?.pid)
        let worker = try #require(rig.program?.children.first)
        let before = (daemon: try Resources(of: daemon), worker: try Resources(of: worker))

        for round in 2...4 {
            try camera.command("burst 100 0")
            try await rig.waitUntilSaved(round * 100)
        }
        #expect(rig.program?.children == [worker], "the worker was replaced")
        let after = (daemon: try Resources(of: daemon), worker: try Resources(of: worker))
        print("EnduranceTests: after 100 photos \(before), after 400 \(after)")
        #expect(after.daemon.handles <= before.daemon.handles + Self.handlesSlack)
        #expect(after.worker.handles <= before.worker.handles + 1)
        #expect(after.daemon.residentKB - before.daemon.residentKB < Self.daemonGrowthKB)
        #expect(after.worker.residentKB - before.worker.residentKB < Self.workerGrowthKB)
        #expect(try await rig.stop() == 0)
    }

    /// The memory that 1,500 photos may add to a service that has saved 3,000 photos, in KB. A leak would
    /// keep a task (5 KB or more) or a record for each photo. The limit is half of a task's memory for each
    /// photo, plus the allocator's overhead.
    static let growthOfManyKB = 6_000
    /// The number of photos after which SQLite's page caches are full (2 MB a connection).
    static let photosOfFullCaches = 3_000

    @Test(.nightly("measures memory"))
    func `a service with full caches leaks no memory over 1,500 photos`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "5KB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let daemon = try #require(rig.program?.pid)
        var figures: [(photos: Int, resources: Resources)] = []
        for photos in stride(from: 500, through: Self.photosOfFullCaches + 1_500, by: 500) {
            try camera.command("burst 500 0")
            try await rig.waitUntilSaved(photos)
            figures.append((photos, try Resources(of: daemon)))
        }
        print("EnduranceTests: \(figures.map { "\($0.photos): \($0.resources.residentKB) KB" })")
        let before = try #require(figures.first { $0.photos == Self.photosOfFullCaches })
        let after = try #require(figures.last)
        #expect(after.resources.residentKB - before.resources.residentKB < Self.growthOfManyKB)
        #expect(try await rig.stop() == 0)
    }
}
