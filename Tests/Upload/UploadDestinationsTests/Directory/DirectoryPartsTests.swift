import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of the removal of part files from a folder.
@Suite(.blocking, .timeLimit(.minutes(5))) struct DirectoryPartsTests {
    private let scratch: ScratchFolder
    private var share: String { scratch.path("share") }

    init() throws { scratch = try ScratchFolder() }

    private func destination() -> DirectoryDestination {
        DirectoryDestination(name: "place", folder: share, stateDirectory: scratch.path("state"))
    }

    private var copies: Set<String> { URL(filePath: share).filesBelow.filter { $0.hasSuffix(".part") } }

    @Test func `removes the part files of uploads that are dropped during a transfer`() async throws {
        let uploads = try await WaitingUploads(2, bytes: 3 << 20, in: scratch)
        try await uploads.running(destination(), bytesPerSecond: 100_000) { service in
            try await eventually("two copies to grow") { copies.count == 2 ? () : nil }
            let dropped = try await service.drop(UploadFilter())
            #expect(dropped == 2)
            try await eventually("no copies") { copies.isEmpty ? () : nil }
        }
        let left = URL(filePath: share).filesBelow
        #expect(left == [".framefast/destination"])
    }

    /// If a share disappears during a transfer, the part file stays on the share.
    @Test func `discards only the part of the dropped upload after a share returns`() async throws {
        let destination = destination()
        let photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
        _ = try await destination.upload(photo)
        var (otherJob, otherVersion) = (photo, photo)
        otherJob.jobID = 999
        otherVersion.sha256 = String(photo.sha256.reversed())
        let names = [photo, otherJob, otherVersion, photo.of(station: "z9y8x7w6")].map {
            ".framefast/\(DirectoryDestination.partPrefix($0))0123.part"
        }
        for name in names { try Data("half".utf8).write(to: URL(filePath: "\(share)/\(name)")) }
        try FileManager.default.moveItem(atPath: share, toPath: share + ".away")
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.discardLeftovers(of: photo)
        }
        #expect(failure?.kind == .outage(retryAfterSeconds: nil))
        try FileManager.default.moveItem(atPath: share + ".away", toPath: share)
        try await destination.discardLeftovers(of: photo)
        #expect(copies == Set(names.dropFirst()))
        #expect(
            try Data(contentsOf: URL(filePath: share + "/a.JPG")).count == 20_000, "[loss] wrong photo size")
    }

    @Test func `removes the part file of an earlier attempt`() async throws {
        let first = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
        let destination = destination()
        _ = try await destination.upload(first)
        var second = try TestPhotos.one(bytes: 30_000, name: "b.JPG", in: scratch)
        second.jobID = 7
        let left = "\(share)/.framefast/\(DirectoryDestination.partPrefix(second))0123.part"
        try Data("half".utf8).write(to: URL(filePath: left))
        _ = try await destination.upload(second)
        #expect(copies.isEmpty)
        #expect(
            try Data(contentsOf: URL(filePath: share + "/b.JPG")).count == 30_000, "[loss] wrong photo size")
    }

    /// If the photo's folder is on another disk, a copy of the part file is written there.
    @Test func `removes copies of earlier runs in the photo's folder`() async throws {
        var photo = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
        photo.remoteName = "session/a.JPG"
        let destination = destination()
        _ = try await destination.upload(photo)
        var otherJob = photo
        otherJob.jobID = 999
        let earlier = "session/.\(DirectoryDestination.partPrefix(photo))0123.part"
        let others = [
            DirectoryDestination.partPrefix(otherJob) + "0123.part", DirectoryDestination.partName(photo),
        ]
        .map { "session/.\($0)" }
        func write(_ names: [String]) throws {
            for name in names { try Data("half".utf8).write(to: URL(filePath: "\(share)/\(name)")) }
        }
        try write([earlier] + others)
        try await destination.discardLeftovers(of: photo)
        #expect(copies == Set(others))
        // The next attempt also removes the copy.
        try write([earlier])
        try FileManager.default.removeItem(atPath: share + "/session/a.JPG")
        _ = try await destination.upload(photo)
        #expect(copies == Set(others))
        #expect(
            try Data(contentsOf: URL(filePath: share + "/session/a.JPG")).count == 20_000,
            "[loss] wrong photo size")
    }

    /// The first upload deletes parts from before a crash, while other uploads of the same service may be
    /// running.
    @Test func `the first upload keeps part files of this process`() async throws {
        let first = try TestPhotos.one(bytes: 20_000, name: "a.JPG", in: scratch)
        let second = try TestPhotos.one(bytes: 30_000, name: "b.JPG", in: scratch)
        _ = try await destination().upload(first)
        let names = [
            DirectoryDestination.partName(first), DirectoryDestination.partPrefix(first) + "0123.part",
        ]
        .map { ".framefast/\($0)" }
        for name in names { try Data("half".utf8).write(to: URL(filePath: "\(share)/\(name)")) }
        _ = try await destination().upload(second)
        #expect(copies == [names[0]])
    }
}
