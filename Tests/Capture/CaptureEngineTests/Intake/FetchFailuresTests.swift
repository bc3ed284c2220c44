import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Store
import SystemPackage
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of the handling of photos that could not be fetched.
@Suite struct FetchFailuresTests {
    /// The objects under test, and a waiting photo.
    private struct Fixture {
        let camera: ScriptedCamera
        let outcome = ConnectionOutcome()
        let setAside: SetAsidePhotos
        let failures: FetchFailures
        let record: CaptureRecord

        /// - Parameters:
        ///   - bytes: The size of the photo, in bytes.
        ///   - wasNotFound: Whether the last connection did not find the photo.
        init(bytes: UInt64 = 3, wasNotFound: Bool = false) async throws {
            camera = try await ScriptedCamera([]) { _, _, _ in Data() }
            setAside = SetAsidePhotos(camera.context)
            let object = CameraObject(
                folder: "/store_00010001/DCIM", name: "A.JPG", size: bytes, cameraTime: 1)
            record = try #require(
                try await camera.ledger.recordSeen(
                    [object], camera: camera.context.identity, session: nil, at: Date()
                ).first)
            failures = FetchFailures(
                camera.context, outcome: outcome, setAside: setAside,
                cleanup: CameraCleanup(context: camera.context),
                notFoundBefore: wasNotFound ? [record.id] : [])
        }

        func has(_ kind: ConditionKind) -> Bool { camera.conditionBoard.current.contains { $0.kind == kind } }
    }

    private static func failure(_ kind: WorkerFailure.Kind) -> WorkerFailure {
        WorkerFailure(kind: kind, during: "fetch", text: "no")
    }

    @Test func `requeues a failed photo and parks it after three attempts`()
        async throws
    {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        var places: [FetchFailures.RetryPosition?] = []
        for kind in [WorkerFailure.Kind.refused, .objectGone, .busy] {
            places.append(
                await fixture.failures.handleFailure(fixture.record, Self.failure(kind), wasOnLink: true))
        }
        #expect(places == [.end, .end, nil])
        #expect(fixture.failures.photos.isParked(fixture.record.id) && fixture.has(.photoFailing))
        #expect(try await fixture.camera.records().map(\.attempts) == [3])
        fixture.failures.forget(fixture.record)
        #expect(!fixture.has(.photoFailing))
        #expect(fixture.outcome.end == nil)
    }

    @Test func `keeps the condition of a refused card after the last failing photo is saved`() async throws {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        fixture.failures.reportRefused(2)
        let refused = fixture.camera.conditionBoard.current.map(\.sentence)
        for _ in 0..<FailedPhotos.attemptsMax {
            _ = await fixture.failures.handleFailure(
                fixture.record, Self.failure(.refused), wasOnLink: true)
        }
        #expect(fixture.camera.conditionBoard.current.map(\.sentence) != refused)
        fixture.failures.forget(fixture.record)
        #expect(fixture.camera.conditionBoard.current.map(\.sentence) == refused)
    }

    @Test(arguments: [false, true])
    func `reports a missing photo only if the last connection also missed it`(wasNotFound: Bool)
        async throws
    {
        let fixture = try await Fixture(wasNotFound: wasNotFound)
        defer { fixture.camera.remove() }
        for _ in 0..<FailedPhotos.attemptsMax {
            _ = await fixture.failures.handleFailure(
                fixture.record, Self.failure(.objectGone), wasOnLink: true)
        }
        #expect(fixture.failures.photos.isFailing(fixture.record.id))
        #expect(fixture.has(.photoFailing) == wasNotFound)
    }

    @Test(arguments: [([true, true], 1), ([false, true], 1), ([false, false], 0)])
    func `counts a lost camera as one failure of the photo in transfer`(onLink: [Bool], attempts: Int)
        async throws
    {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        for wasOnLink in onLink {
            let place = await fixture.failures.handleFailure(
                fixture.record, Self.failure(.disconnected), wasOnLink: wasOnLink)
            #expect(place == nil)
        }
        #expect(fixture.outcome.isLost)
        #expect(try await fixture.camera.records().map(\.attempts) == [attempts])
    }

    @Test func `sets a photo aside after the same damage twice, then counts no attempts`() async throws {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        let part = fixture.camera.engine.shared.parts.path(fixture.record.id)
        func handleDamage(matchesEarlier: Bool) async throws -> FetchFailures.RetryPosition? {
            try Data("ab".utf8).write(to: URL(filePath: part))
            return await fixture.failures.handleDamaged(
                fixture.record, "it is short", matchesEarlier: matchesEarlier, sha256: "x", part)
        }
        #expect(try await handleDamage(matchesEarlier: false) == .end)
        #expect(
            !DurableFile.exists(part)
                && fixture.failures.photos.matchesEarlierHash(fixture.record.id, sha256: "x"))
        #expect(try await handleDamage(matchesEarlier: true) == nil)
        #expect(fixture.setAside.contains(fixture.record.id) && fixture.has(.photoDamaged))
        #expect(try await fixture.camera.records().map(\.state) == [.setAside])
        // The photo is already set aside. Another failed attempt is not counted.
        let attempts = try await fixture.camera.records().map(\.attempts)
        #expect(try await handleDamage(matchesEarlier: false) == .end)
        #expect(try await fixture.camera.records().map(\.attempts) == attempts)
    }

    @Test func `sets aside a photo that is too large for the link`() async throws {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        let place = await fixture.failures.handleFailure(
            fixture.record, Self.failure(.tooLarge), wasOnLink: true)
        #expect(place == nil && fixture.has(.tooLargeForLink) && fixture.camera.worker.deleted.isEmpty)
        #expect(try await fixture.camera.records().map(\.failure) == [SetAsidePhotos.tooLarge])
    }

    /// A file system that refuses a small file has a different problem than the size.
    @Test(arguments: [(5 << 30, true), (3, false)] as [(UInt64, Bool)])
    func `keeps a refused file in the queue only if its size may be the reason`(
        bytes: UInt64, isLimit: Bool
    ) async throws {
        let fixture = try await Fixture(bytes: bytes)
        defer { fixture.camera.remove() }
        let place = await fixture.failures.handleFailure(
            fixture.record, Self.failure(.fileTooLarge), wasOnLink: true)
        let expected: FetchFailures.RetryPosition? = isLimit ? .end : nil
        #expect(place == expected)
        #expect(fixture.failures.photos.isParked(fixture.record.id) != isLimit)
        #expect(fixture.has(.saveFailing) != isLimit)
    }

    @Test(arguments: [Errno.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory])
    func `reports a lack of file descriptors or memory instead of a failing disk`(errno: Errno)
        async throws
    {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        let error = SystemCallError(call: "open", subject: "A.JPG", errno: errno)
        #expect(fixture.failures.handleHostFailure(fixture.record, error) == nil)
        #expect(fixture.failures.photos.isParked(fixture.record.id))
        #expect(fixture.has(.fewDescriptors) && !fixture.has(.saveFailing))
        // Measuring free space needs no open file. A successful measurement must not clear the condition.
        _ = fixture.camera.engine.shared.freeSpace.poll()
        #expect(fixture.has(.fewDescriptors))
    }

    /// In this test, the photo that failed to save is missing from the card.
    @Test func `clears the open-files condition when the connection ends`() async throws {
        let fixture = try await Fixture()
        let camera = fixture.camera
        defer { camera.remove() }
        let error = SystemCallError(call: "open", subject: "A.JPG", errno: .tooManyOpenFiles)
        #expect(fixture.failures.handleHostFailure(fixture.record, error) == nil)
        #expect(fixture.has(.fewDescriptors))
        try await camera.serve { true }
        #expect(!fixture.has(.fewDescriptors))
    }

    @Test(arguments: [
        (Errno.noSpace, FetchFailures.RetryPosition.front as FetchFailures.RetryPosition?, false),
        (.ioError, nil, true),
    ])
    func `requeues a photo if the disk is full and parks it otherwise`(
        errno: Errno, place: FetchFailures.RetryPosition?, isParked: Bool
    ) async throws {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        let error = SystemCallError(call: "write", subject: "A.JPG", errno: errno)
        #expect(fixture.failures.handleHostFailure(fixture.record, error) == place)
        #expect(fixture.failures.photos.isParked(fixture.record.id) == isParked)
        #expect(fixture.has(.saveFailing) == isParked)
        let full = await fixture.failures.handleFailure(
            fixture.record, Self.failure(.diskFull), wasOnLink: true)
        #expect(full == .end, "photos that fit must not wait for a full disk")
    }

    /// The folder of a session can be a symbolic link to another disk.
    @Test(.enabled(if: PublishTests.hasTwoDisks, "needs /dev/shm as a separate file system"))
    func `parks a photo if only the disk of its folder is full`() async throws {
        let fixture = try await Fixture()
        defer { fixture.camera.remove() }
        let error = SystemCallError(call: "write", subject: "/dev/shm/.1-a.part", errno: .noSpace)
        #expect(fixture.failures.handleHostFailure(fixture.record, error) == nil)
        #expect(fixture.failures.photos.isParked(fixture.record.id))
        #expect(fixture.has(.saveFailing) && !fixture.has(.diskFull))
    }
}
