import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of removing local files after delivery to free disk space, without losing a photo.
@Suite(.serialized, .programs(2)) struct RetentionTests {
    private let folder: ScratchFolder
    private let nas: String
    private let camera: Simulator

    init() async throws {
        folder = try ScratchFolder()
        nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        camera = try await Simulator(folder, ["--size", "100KB"])
    }

    private func daemon(_ tables: [String] = []) async throws -> DaemonRig {
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""]
                + tables)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        return rig
    }

    /// Returns the SHA-256 of each photo at the destination, sorted.
    private func delivered() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: nas).filter {
            $0.hasSuffix(".jpg") || $0.hasSuffix(".JPG")
        }
        .map { try DaemonRig.sha256(ofFile: "\(nas)/\($0)") }.sorted()
    }

    /// Returns the number of requests for an object's metadata.
    private func infoRequests() throws -> Int {
        struct Statistics: Decodable { var requests: [String: Int] }
        let answer = try camera.command("stats")
        return try JSONDecoder().decode(Statistics.self, from: Data(answer.utf8)).requests["getObjectInfo"]
            ?? 0
    }

    @Test func `removes files after delivery and keeps their ledger records`() async throws {
        let rig = try await daemon(["[storage]", "keep = \"until-delivered\""])
        try camera.command("shoot 3")
        try await rig.waitUntil("the files to be removed") {
            try $0.records.count(where: { $0.clearedAt != nil }) == 3 && $0.files.isEmpty
        }
        let truth = try camera.truth().map(\.sha256).sorted()
        #expect(try delivered() == truth, "[loss] wrong photos at the destination")
        // The user clears a session that has its own retention rule.
        let session = try rig.client.call(\.sessions.start, .init(name: "Wedding", keep: "30 d")).value
        #expect(session.keep == "30 d")
        try camera.command("shoot 2")
        try await rig.status("all photos to be delivered") { $0.uploads.delivered == 5 }
        let storage = try rig.client.call(\.storage.summary).value
        #expect(storage.total.files == 2 && storage.uploaded.files == 2 && storage.cleared.files == 3)
        #expect(storage.sessions.map(\.keep) == ["30 d", "until-delivered"])
        let trial = try rig.client.call(\.storage.clear, .init(session: session.id, dryRun: true)).value
        #expect(trial.files == 2)
        #expect(try rig.client.call(\.storage.clear, .init(olderThanSeconds: 86_400)).value.files == 0)
        let kept = try await rig.waitUntil("the files to stay after a dry run") { try $0.files.count == 2 }
        #expect(try kept.records.count(where: { $0.clearedAt != nil }) == 3)
        #expect(
            try rig.client.call(\.storage.clear, .init(session: session.id)).value
                == StorageClearReply(files: 2, bytes: trial.bytes))
        try await rig.waitUntil("the files to be removed") { try $0.files.isEmpty }
        // The service does not fetch a cleared photo from the card again.
        #expect(try await rig.stop() == 0)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        let last = try await rig.waitUntil("the next photo to be delivered") {
            try $0.status.uploads.delivered == 6
        }
        #expect(try last.records.count == 6 && delivered().count == 6, "[loss] fetched or delivered twice")
        #expect(try await rig.stop() == 0)
    }

    /// The moment of the kill: between the ledger's record and the removal of the file, or after the removal.
    enum Moment: String, CaseIterable { case beforeRemoval, afterRemoval }

    @Test(
        .programs(4), .nightly("in the gate, KillSweepTests and SyscallSweepTests kill the service"),
        .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"),
        arguments: Moment.allCases)
    func `completes an interrupted file removal after the service is killed`(moment: Moment) async throws {
        let rig = try await daemon()
        let session = try rig.client.call(\.sessions.start, .init(name: "Wedding")).value
        try camera.command("shoot 2")
        let last = try await rig.waitUntil("all photos to be delivered") {
            try $0.status.uploads.delivered == 2
        }
        let path = try #require(try last.records.first?.path)
        let program = try #require(rig.program)
        let parent = URL(filePath: path).deletingLastPathComponent().path
        let strace = try await Strace(
            program.pid, calls: moment == .beforeRemoval ? "?unlink,unlinkat" : "fsync",
            injection: "signal=KILL:when=1", paths: [moment == .beforeRemoval ? path : parent], in: folder)
        _ = try? rig.client.call(\.sessions.keep, session.id, .init(keep: "until-delivered"))
        try await program.waitUntilExit()
        try await strace.detach()
        #expect(FileManager.default.fileExists(atPath: path) == (moment == .beforeRemoval))
        try await rig.start()
        try await rig.waitUntil("both files to be removed") {
            try $0.records.count(where: { $0.clearedAt != nil }) == 2 && $0.files.isEmpty
        }
        #expect(try delivered() == camera.truth().map(\.sha256).sorted(), "[loss] wrong photos delivered")
        #expect(try await rig.stop() == 0)
    }

    @Test func `rated mode uploads a photo protected before or after saving`() async throws {
        _ = try await deliverProtected()
    }

    @Test(.nightly("measures the requests for a protected photo"))
    func `needs no extra requests for a protected photo`() async throws {
        let (three, one) = try await deliverProtected()
        // The protection flag is part of the metadata that the service reads for every photo.
        #expect(one <= three / 3)
    }

    /// Delivers a photo that is protected when it is taken, and a photo that is protected later.
    ///
    /// - Returns: The number of metadata requests for the first three photos, and for the photo that is
    ///   protected when it is taken.
    private func deliverProtected() async throws -> (three: Int, one: Int) {
        let rig = try await daemon()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding", uploadMode: .rated))
        try camera.command("shoot 3")
        try await rig.status("the photos to be held") { $0.uploads.held == 3 }
        let requests = try infoRequests()
        try camera.command("protect-new on")
        try camera.command("shoot")
        try await rig.status("the protected photo to be delivered") { $0.uploads.delivered == 1 }
        let more = try infoRequests() - requests
        let shots = try camera.truth()
        try camera.command("protect \(shots[1].name)")
        try await rig.status("the photo that was protected later to be delivered") {
            $0.uploads.delivered == 2 && $0.uploads.held == 2
        }
        #expect(
            try delivered() == [shots[1], shots[3]].map(\.sha256).sorted(), "[loss] wrong photos delivered")
        #expect(try await rig.stop() == 0)
        return (requests, more)
    }
}
