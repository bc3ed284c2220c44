import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of uploads from a camera through the service to real servers, including kills of the service.
@Suite(.serialized, .programs(3)) struct UploadServersTests {
    /// The number of kills in the sweep.
    static let kills = 100
    /// The number of photos in the sweep. Each photo goes to two destinations.
    static let shots = 500
    /// The maximum number of deliveries between two kills. With this limit, uploads usually still run at the
    /// last kill.
    static let stepMax = 14

    @Test(arguments: Tier.rows(UploadServer.Kind.allCases, gate: [.sftp, .keyed]))
    func `delivers a photo once and intact to every destination kind`(kind: UploadServer.Kind) async throws {
        try #require(kind.obstacle == nil, "\(kind.obstacle ?? "")")
        let server = try await UploadServer(kind)
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "300KB", "--pairs"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)], tables: server.table)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let test = try rig.client.call(\.destinations.test, DestinationName(rawValue: "\(kind)")).value
        #expect(test.ok, "\(test.sentence) \(test.nextStep ?? "")")
        try camera.command("burst 3 0")
        try await rig.status("6 files to be delivered", within: 60) { $0.uploads.delivered == 6 }
        #expect(
            try await server.sums() == camera.truth().map(\.sha256).sorted(), "[loss] wrong photos delivered")
        let jobs = try rig.client.call(\.uploads.list, .init(limit: 100)).value.jobs
        #expect(jobs.count == 6 && jobs.allSatisfy { $0.state == .delivered }, "[loss] wrong upload jobs")
        let proofs = Set(jobs.compactMap(\.proof?.text))
        #expect(
            kind == .command ? proofs == ["word"] : proofs.isSubset(of: ["checksum", "size"]), "\(proofs)")
        #expect(try await rig.stop() == 0)
    }

    @Test(
        .programs(4), .nightly("takes a minute; in the gate, KillSweepTests kills the service"),
        .enabled(if: UploadServer.Kind.sftp.obstacle == nil, "needs sshd"))
    func `delivers 1,000 uploads once despite 100 kills of the service`() async throws {
        var random = SeededRandom()
        print("UploadServersTests: \(random.note)")
        do { try await sweep(&random) } catch {
            throw WaitTimeout(description: "\(random.note): \(error)")
        }
    }

    private func sweep(_ random: inout SeededRandom) async throws {
        let note = Comment(rawValue: random.note)
        let began = ContinuousClock.now
        let server = try await UploadServer(.sftp)
        let folder = try ScratchFolder()
        let nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        let camera = try await Simulator(folder, ["--size", "60KB-120KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            // The bandwidth is so low that the last kills still interrupt uploads.
            tables: server.table + [
                "bandwidth = \"1 MB\"", "[[destination]]", "bandwidth = \"1 MB\"", "name = \"nas\"",
                "kind = \"directory\"", "path = \"\(nas)\"",
            ])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot \(Self.shots)")
        var atTheKill = 0
        for _ in 0..<Self.kills {
            let wanted = min(atTheKill + Int.random(in: 1...Self.stepMax, using: &random), 2 * Self.shots)
            // Kills the service after a random number of deliveries, or after three seconds. A slow service
            // may therefore be killed during its start.
            if let status = try? await rig.status(
                "\(wanted) uploads to be delivered", within: 3,
                { status in
                    status.uploads.delivered >= wanted
                })
            {
                atTheKill = status.uploads.delivered
            }
            try await rig.kill()
            try rig.launch()
        }
        try await rig.status("all photos to be delivered", within: 90) {
            $0.uploads.delivered == 2 * Self.shots
        }
        let truth = try camera.truth().map(\.sha256).sorted()
        #expect(truth.count == Self.shots, note)
        #expect(try await server.sums() == truth, "[loss] wrong photos on the server; \(random.note)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: nas).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(nas)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue && !name.hasPrefix(".framefast")
        }
        #expect(
            try names.map { try DaemonRig.sha256(ofFile: "\(nas)/\($0)") }.sorted() == truth,
            "[loss] wrong photos in the folder; \(random.note)")
        #expect(try await rig.stop() == 0, note)
        print(
            "UploadServersTests: \(Self.kills) kills, \(atTheKill) delivered at the last one, "
                + "\(began.duration(to: .now))")
    }
}
