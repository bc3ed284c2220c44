import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of opinions about shots in mode `rated`.
@Suite(.blocking, .timeLimit(.minutes(10))) struct OpinionModeTests {
    private static let taken: Int64 = 1_795_271_130

    let rig: UploadRig
    let place = ScriptedDestination()

    init() throws { rig = try UploadRig() }

    func start() async throws -> SessionID {
        try await rig.store.startSession(name: "Wedding", uploadMode: .rated, at: rig.time.now).id
    }

    func makeService() async throws -> UploadService {
        try await rig.service([rig.target(place)], policy: UploadModePolicy(minimumRating: 3))
    }

    /// Creates a planner that does not run.
    func makePlanner(
        files: BlockingPool = BlockingPool(label: "test", width: 1), stop: StopSignal = StopSignal(),
        onNewWork: @escaping @Sendable (Set<DestinationName>) async -> Void = { _ in }
    ) -> UploadPlanner {
        let ledger = QueueLedger(
            store: rig.store, reserveFile: ReserveFile(folder: rig.folder, bytes: 0), clock: rig.time.clock,
            stop: stop, directory: rig.folder, report: { [rig] in rig.record($0) }, logger: rig.quiet)
        return UploadPlanner(
            targets: [rig.target(place)], policy: UploadModePolicy(minimumRating: 3), ledger: ledger,
            files: files, wakeEvent: AsyncEvent(), onNewWork: onNewWork)
    }

    func rate(
        _ stars: Int? = nil, pick: Bool? = nil, _ role: WebRole = .client, shot: ShotID = 1
    ) async throws {
        let opinion = Opinion(
            stars: stars, pick: pick, author: role.rawValue, authorKey: role.rawValue, role: role,
            at: rig.time.now)
        #expect(try await rig.store.saveOpinion(opinion, shot: shot)?.isChanged == true)
    }

    func waitForHeld(_ words: String) async {
        await rig.events.wait { $0.conditions["upload-held"]?.sentence.contains(words) == true }
    }

    @Test func `five stars of a client release both files of a held shot`() async throws {
        let session = try await start()
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.cr3", "1.jpg"], session: session, cameraTime: Self.taken)
            #expect(Set(try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record.shotID)) == [1])
            service.captureSaved()
            await waitForHeld("2 photos for nas are held")
            try await rate(2)
            await service.opinionsChanged()
            #expect(place.calls.all.starts == 0)
            try await rate(5)
            await service.opinionsChanged()
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(place.uploaded == ["1.cr3", "1.jpg"])
        #expect(try await rig.store.unappliedOpinions(limit: 9).isEmpty)
    }

    @Test func `an owner's reject holds a shot with five stars, also after a restart`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg"], session: session, cameraTime: Self.taken) { _ in ModeTests.jpeg(5) }
        try await rate(5)
        try await rate(pick: false, .owner)
        try await rig.running(try await makeService()) { await waitForHeld(UploadHold.rejected.sentence) }
        try await rig.save(["2.jpg"], session: session) { _ in ModeTests.jpeg(4) }
        let service = try await makeService()
        try await rig.running(service) {
            await rig.wait(for: 1, in: .delivered)
            #expect(try await service.jobs(UploadFilter(state: .held), limit: 9).map(\.hold) == [.rejected])
            // Without the reject, the stars count again.
            try await rate(nil, .owner)
            await service.opinionsChanged()
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(place.uploaded == ["2.jpg", "1.jpg"])
    }

    @Test func `applies an opinion that was saved while no service ran`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg"], session: session)
        try await rig.running(try await makeService()) { await waitForHeld("1 photo for nas is held") }
        try await rate(5)
        try await rig.running(try await makeService()) { await rig.wait(for: 1, in: .delivered) }
        #expect(place.uploaded == ["1.jpg"])
    }

    @Test func `a JPEG that arrives later follows the opinion about its RAW file`() async throws {
        let session = try await start()
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.cr3"], session: session, cameraTime: Self.taken)
            service.captureSaved()
            await waitForHeld("1 photo for nas is held")
            try await rate(3)
            await service.opinionsChanged()
            await rig.wait(for: 1, in: .delivered)
            try await rig.save(["1.jpg"], session: session, cameraTime: Self.taken)
            service.captureSaved()
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(place.uploaded == ["1.cr3", "1.jpg"])
    }

    @Test func `the camera's rating in a JPEG releases its RAW file`() async throws {
        let session = try await start()
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.cr3"], session: session, cameraTime: Self.taken)
            service.captureSaved()
            await waitForHeld("1 photo for nas is held")
            try await rig.save(["1.jpg"], session: session, cameraTime: Self.taken) { _ in
                ModeTests.jpeg(4)
            }
            service.captureSaved()
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(Set(place.uploaded) == ["1.cr3", "1.jpg"])
    }

    @Test func `a destination with a minimum rating receives shots that a client rates`() async throws {
        let session = try await rig.store.startSession(name: "Wedding", at: rig.time.now).id
        let all = ScriptedDestination()
        let service = try await rig.service([
            rig.target(place, rule: UploadRule(minimumRating: 3)), rig.target(all, name: "all"),
        ])
        try await rig.running(service) {
            try await rig.save(["1.cr3", "1.jpg"], session: session, cameraTime: Self.taken)
            try await rig.save(["2.jpg"], session: session, cameraTime: Self.taken + 60)
            service.captureSaved()
            await rig.wait(for: 3, in: .delivered)
            try await rate(2)
            await service.opinionsChanged()
            #expect(place.calls.all.starts == 0)
            try await rate(5)
            await service.opinionsChanged()
            await rig.wait(for: 5, in: .delivered)
            #expect(try await rig.store.unratedUploads(of: 1).isEmpty)
        }
        #expect(Set(place.uploaded) == ["1.cr3", "1.jpg"])
        #expect(Set(all.uploaded) == ["1.cr3", "1.jpg", "2.jpg"])
    }

    @Test func `an owner's reject keeps a shot from a destination with a minimum rating`() async throws {
        let session = try await rig.store.startSession(name: "Wedding", at: rig.time.now).id
        try await rig.save(["1.jpg"], session: session) { _ in ModeTests.jpeg(5) }
        try await rate(pick: false, .owner)
        let service = try await rig.service([rig.target(place, rule: UploadRule(minimumRating: 3))])
        try await rig.running(service) {
            service.captureSaved()
            await service.opinionsChanged()
            #expect(try await rig.store.unratedUploads(of: 1).map(\.destination) == ["nas"])
            #expect(try await service.jobs(UploadFilter(), limit: 9).isEmpty)
            try await rate(nil, .owner)
            await service.opinionsChanged()
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["1.jpg"])
    }

    @Test func `a dropped upload does not return after a rating`() async throws {
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .manual, at: rig.time.now
        ).id
        try await rig.save(["1.jpg"], session: session)
        let service = try await rig.service([rig.target(place, rule: UploadRule(minimumRating: 3))])
        try await rig.running(service) {
            service.captureSaved()
            try await rate(3)
            await service.opinionsChanged()
            #expect(try await service.jobs(UploadFilter(), limit: 9).map(\.hold) == [.manual])
            _ = try await service.drop(UploadFilter())
            try await rate(5)
            await service.opinionsChanged()
            #expect(try await service.jobs(UploadFilter(), limit: 9).isEmpty)
        }
    }

    @Test func `switching to mode rated applies earlier opinions`() async throws {
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .offline, at: rig.time.now
        ).id
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.jpg", "2.jpg"], session: session)
            service.captureSaved()
            await waitForHeld("2 photos for nas are held")
            try await rate(5, shot: 2)
            await service.opinionsChanged()
            #expect(place.calls.all.starts == 0)
            _ = try await service.setMode(.rated, session: session)
            await rig.wait(for: 1, in: .delivered)
            #expect(try await service.jobs(UploadFilter(state: .held), limit: 9).map(\.hold) == [.unrated])
        }
        #expect(place.uploaded == ["2.jpg"])
    }

    @Test func `switching to mode rated applies the camera's rating to both files`() async throws {
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .offline, at: rig.time.now
        ).id
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.cr3", "1.jpg"], session: session, cameraTime: Self.taken) { name in
                name == "1.jpg" ? ModeTests.jpeg(4) : Data("raw".utf8)
            }
            service.captureSaved()
            await waitForHeld("2 photos for nas are held")
            _ = try await service.setMode(.rated, session: session)
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(Set(place.uploaded) == ["1.cr3", "1.jpg"])
    }

    @Test func `an opinion that arrives during a review of other shots counts`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg"], session: session, cameraTime: Self.taken)
        try await rig.save(["2.jpg"], session: session, cameraTime: Self.taken + 60)
        let store = rig.store
        let reject = Opinion(
            pick: false, author: "owner", authorKey: "owner", role: .owner, at: rig.time.now)
        let planner = makePlanner { _ in
            // The first shot was released, and the second shot was not reviewed yet.
            guard let open = try? await store.unappliedOpinions(limit: 9), !open.isEmpty else { return }
            _ = try? await store.saveOpinion(reject, shot: 2)
        }
        while await planner.planBatch() {}
        try await rate(5)
        try await rate(5, shot: 2)
        await planner.applyOpinions()
        let released: [CaptureID] = rig.events.all.compactMap { event in
            if case .job(let job, _) = event, job.state == .queued { job.captureID } else { nil }
        }
        #expect(released == [1])
        #expect(try await store.unappliedOpinions(limit: 9).isEmpty)
    }

    @Test func `an opinion about a duplicate releases its original`() async throws {
        let session = try await start()
        let service = try await makeService()
        try await rig.running(service) {
            try await rig.save(["1.jpg"], session: session)
            service.captureSaved()
            await waitForHeld("1 photo for nas is held")
            // The first reading of the second photo is damaged. The second reading will show the first
            // photo's bytes.
            let object = CameraObject(folder: "/store_1/B", name: "1.jpg", size: 7, cameraTime: nil)
            _ = try await rig.store.recordSeen([object], camera: "camera", session: session, at: rig.time.now)
            let naming = LedgerStore.NamingPolicy(
                counterScope: { "\($0.id)" }, path: { record, _ in "/photos/\(record.id).jpg" },
                pairSettleSeconds: 0, rereads: true)
            let arrival = Arrival(id: 2, bytes: 7, sha256: "damaged", transferMs: 1)
            _ = try await rig.store.beginPublishing([arrival], naming: naming)
            try await rig.store.finishPublishing([2], at: rig.time.now)
            try await rate(5, shot: 2)
            await service.opinionsChanged()
            #expect(place.calls.all.starts == 0)
            let first = try #require(try await rig.store.capture(id: 1))
            let reading = Arrival(
                id: 2, bytes: try #require(first.bytes), sha256: try #require(first.sha256), transferMs: 1)
            let duplicate = try await rig.store.recordDuplicate(reading, at: rig.time.now)
            #expect(duplicate?.duplicateOf == 1)
            service.captureSaved()
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["1.jpg"])
    }
}
