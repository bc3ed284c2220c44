import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of protections in the camera.
extension OpinionModeTests {
    /// Records that a photo is protected in the camera.
    private func protect(_ id: CaptureID) async throws -> CaptureRecord {
        let record = try #require(try await rig.store.capture(id: id))
        return try #require(
            try await rig.store.recordProtected([record.object], camera: record.bodyID).first)
    }

    @Test func `a protected photo with a low rating follows the mode of its session`() async throws {
        let session = try await rig.store.startSession(name: "Wedding", at: rig.time.now).id
        try await rig.save(["1.jpg"], session: session)
        try await rate(5)
        let service = try await rig.service([rig.target(place, rule: UploadRule(minimumRating: 3))])
        try await service.pause()
        try await rig.running(service) {
            await service.opinionsChanged()
            try await rate(1)
            await service.opinionsChanged()
            _ = try await service.setMode(.offline, session: session)
            #expect(try await service.jobs(UploadFilter(), limit: 9).map(\.hold) == [.unrated])
            let record = try await protect(1)
            try #require(try await service.jobs(UploadFilter(), limit: 9).map(\.hold) == [.unrated])
            service.captureProtected(record)
            await rig.events.wait { $0.jobs.values.contains { $0.hold == .offline } }
            try await service.resume()
        }
        #expect(place.calls.all.starts == 0)
    }

    @Test func `a protection replaces a missing rating, also after a restart`() async throws {
        let session = try await start()
        let best = ScriptedDestination()
        let targets = [rig.target(place), rig.target(best, name: "best", rule: UploadRule(minimumRating: 3))]
        try await rig.save(["1.jpg", "2.jpg"], session: session)
        try await rig.running(try await rig.service(targets)) {
            await waitForHeld("2 photos for nas are held")
        }
        _ = try await protect(1)
        let service = try await rig.service(targets)
        try await rig.running(service) {
            await rig.wait(for: 2, in: .delivered)
            service.captureProtected(try await protect(2))
            await rig.wait(for: 4, in: .delivered)
        }
        #expect(place.uploaded == ["1.jpg", "2.jpg"])
        #expect(best.uploaded == ["1.jpg", "2.jpg"])
    }

    @Test func `counts a protection that is recorded while the photo is planned`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg"], session: session)
        let files = BlockingPool(label: "test", width: 1)
        let planner = makePlanner(files: files)
        let gate = DispatchSemaphore(value: 0)
        let (started, startedSink) = AsyncStream<Void>.makeStream()
        let blocking = Task {
            await files.run {
                startedSink.finish()
                gate.wait()
            }
        }
        for await _ in started {}
        // Planning has read the photo, and waits for the rating in the photo's file.
        let before = rig.store.readCount
        let planning = Task { await planner.planBatch() }
        try await eventually("the ratings to be read") { rig.store.readCount >= before + 2 ? () : nil }
        try await rig.store.saveRating(0, capture: 1)
        planner.recordProtection(of: try await protect(1).shotID)
        await planner.applyProtections()
        gate.signal()
        await blocking.value
        _ = await planning.value
        #expect(try await rig.store.uploads(capture: 1).map(\.state) == [.queued])
    }

    @Test func `a stop ends the review of protections until the next start`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg"], session: session)
        let stop = StopSignal()
        let planner = makePlanner(stop: stop)
        while await planner.planBatch() {}
        planner.recordProtection(of: try await protect(1).shotID)
        stop.raise()
        await planner.applyProtections()
        #expect(try await rig.store.uploads(capture: 1).map(\.state) == [.held])
        await makePlanner().applyProtections()
        #expect(try await rig.store.uploads(capture: 1).map(\.state) == [.queued])
    }

    @Test func `finds a photo and a protection whose events were dropped`() async throws {
        let session = try await start()
        try await rig.save(["1.jpg", "2.jpg"], session: session)
        let service = try await makeService()
        try await rig.running(service) {
            await waitForHeld("2 photos for nas are held")
            // This delivery shows that the search at the start of the service has ended.
            service.captureProtected(try await protect(1))
            await rig.wait(for: 1, in: .delivered)
            _ = try await protect(2)
            try await rig.save(["3.jpg"], session: session) { _ in ModeTests.jpeg(4) }
            service.captureEventsDropped()
            await rig.wait(for: 3, in: .delivered)
        }
        #expect(Set(place.uploaded) == ["1.jpg", "2.jpg", "3.jpg"])
    }
}
