import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of a destination that refuses all requests. No photo may fail, and all photos must be delivered
/// after the cause is fixed.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RefusalTests {
    let rig: UploadRig

    init() throws { rig = try UploadRig() }

    private static let names = UploadServiceTests.names(1...40)
    private static let password = UploadFailure(.permanent(.unauthorised), "The password is wrong.")

    private func refused() async {
        await rig.events.wait { $0.conditions["destination-away"]?.severity == .danger }
    }

    private func expectNothingLost(_ place: ScriptedDestination) async throws {
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 99)
        #expect(jobs.allSatisfy { $0.state == .delivered && $0.attempts == 0 })
        #expect(place.uploaded.sorted() == Self.names)
        #expect(!rig.events.all.jobs.values.contains { $0.state == .failed })
    }

    /// With 16 running uploads, the destination refuses each of them.
    @Test(arguments: [1, 16])
    func `a wrong password fails no photo and resume restarts uploads`(workers: Int) async throws {
        try await rig.save(Self.names)
        let place = ScriptedDestination(.fails(Self.password))
        let service = try await rig.service([rig.target(place, workers: workers)])
        try await rig.running(service) {
            await refused()
            let state = try await service.statistics().first?.state
            #expect(state == .refusing)
            place.setBehavior(.works)
            try await service.resume("nas")
            await rig.wait(for: 40, in: .delivered)
            await rig.events.wait { $0.conditions["destination-away"] == nil }
        }
        try await expectNothingLost(place)
        #expect(place.calls.all.refusals <= workers, "no other upload was refused")
        #expect(place.calls.all.contains(.renewed), "the password was read again")
    }

    @Test func `resumes automatically after the password is fixed on the server`() async throws {
        try await rig.save(Self.names)
        let place = ScriptedDestination(.fails(Self.password))
        place.setProbeFailure(Self.password)
        let service = try await rig.service([rig.target(place, workers: 16)])
        try await rig.running(service) {
            await refused()
            for _ in 0..<3 {
                let before = place.calls.all.probes
                try await rig.advanceClock(by: 60) { place.calls.all.probes > before }
            }
            #expect(place.calls.all.refusals <= 16, "a probe detects the fix, without sending a photo")
            place.setProbeFailure(nil)
            place.setBehavior(.works)
            try await rig.advanceClock(by: 60) { !rig.deliveries.all.isEmpty }
            await rig.wait(for: 40, in: .delivered)
        }
        try await expectNothingLost(place)
    }

    /// Servers use these reasons both for one photo and for all photos. A probe distinguishes the two cases.
    /// `unprocessable` is not in the list, because a refusal of a probe's content decides nothing.
    @Test(arguments: [UploadFailure.Reason.forbidden, .notFound, .misconfigured, .conflict])
    func `a refusal of photo and probe concerns the destination`(reason: UploadFailure.Reason) async throws {
        try await rig.save(Self.names)
        let place = ScriptedDestination(.fails(UploadFailure(.permanent(reason), "It says no.")))
        let service = try await rig.service([rig.target(place, workers: 16)])
        try await rig.running(service) {
            await refused()
            place.setBehavior(.works)
            try await service.resume("nas")
            await rig.wait(for: 40, in: .delivered)
        }
        try await expectNothingLost(place)
    }

    /// The photo's attempt started after the first refusal was counted, and before the breaker opened. The
    /// probe is accepted, because the destination was fixed during the probe.
    @Test(arguments: [UploadFailure.Reason.forbidden, .misconfigured])
    func `a refusal that opens the breaker during a probe fails no photo`(reason: UploadFailure.Reason)
        async throws
    {
        let place = ScriptedDestination()
        let response = place.delayProbe()
        let service = try await rig.service([rig.target(place)])
        let runner = try #require(service.runners.first)
        let item = UploadItem(
            jobID: 1, localPath: "/photos/a.jpg", bytes: 1, sha256: "", station: "a", remoteName: "a.jpg")
        let job = UploadJob(
            id: 1, captureID: 1, destination: "nas", remoteName: "a.jpg", sessionID: nil, bodyID: "a",
            bytes: 1, createdAt: rig.time.now)
        async let classified = runner.classify(
            UploadFailure(.permanent(reason), "It says no."), item, refusalsBefore: 0, resetsBefore: 0)
        await place.calls.wait { $0.contains(.offered) }
        await runner.recordFailure(
            UploadFailure(.refused(reason), "It says no."), of: job, at: rig.time.now)
        response.signal()
        #expect(await classified.kind == UploadFailure.stopped.kind)
    }

    /// The destination refused the photo while it refused every request, and accepts the later probe.
    @Test func `a late refusal fails no photo after the destination was fixed`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.fails(UploadFailure(.permanent(.forbidden), "It says no.")))
        let late = place.delayResponse(to: "b.jpg")
        let service = try await rig.service([rig.target(place, workers: 2)])
        try await rig.running(service) {
            await place.calls.wait { $0.contains(.started("b.jpg")) }
            await refused()
            place.setBehavior(.works)
            try await service.resume("nas")
            await rig.wait(for: 1, in: .delivered)
            late.signal()
            await rig.events.wait { events in
                events.jobs.values.allSatisfy { $0.state == .delivered || $0.state == .failed }
            }
        }
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(jobs.allSatisfy { $0.state == .delivered && $0.attempts == 0 })
    }

    /// The test's clock does not advance. If the breaker opened again, no probe would follow.
    @Test func `a refused attempt from before resume does not reopen the breaker`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.fails(Self.password))
        let response = place.delayResponse(to: "b.jpg")
        let service = try await rig.service([rig.target(place, workers: 2)])
        try await rig.running(service) {
            await place.calls.wait { $0.contains(.started("b.jpg")) }
            await refused()
            place.setBehavior(.works)
            try await service.resume("nas")
            await rig.wait(for: 1, in: .delivered)
            response.signal()
            await rig.wait(for: 2, in: .delivered)
        }
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(jobs.allSatisfy { $0.state == .delivered && $0.attempts == 0 })
    }

    /// No other photo was refused, and the destination accepts probes again.
    @Test func `a refused attempt from before resume does not fail the only photo`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.fails(UploadFailure(.permanent(.forbidden), "It says no.")))
        let response = place.delayResponse(to: "a.jpg")
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.contains(.started("a.jpg")) }
            place.setBehavior(.works)
            try await service.resume("nas")
            response.signal()
            await rig.events.wait { events in
                events.jobs.values.contains { $0.state == .delivered || $0.state == .failed }
            }
        }
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(jobs.map(\.state) == [.delivered])
    }

    @Test(arguments: [UploadFailure.Reason.forbidden, .notFound, .conflict, .unprocessable, .tooLarge])
    func `a refusal of one photo fails only that photo`(reason: UploadFailure.Reason) async throws {
        try await rig.save(Self.names)
        let place = ScriptedDestination()
        place.fail("0007.jpg", UploadFailure(.permanent(reason), "It says no."))
        let service = try await rig.service([rig.target(place, workers: 4)])
        try await rig.running(service) {
            await rig.wait(for: 39, in: .delivered)
            await rig.wait(for: 1, in: .failed)
            let state = try await service.statistics().first?.state
            #expect(state == .ready)
        }
        #expect(rig.events.all.conditions["destination-away"] == nil)
        #expect(place.calls.all.offers == 1)
    }

    @Test func `does not fail a photo as misconfigured if a probe succeeds`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination()
        place.fail("a.jpg", UploadFailure(.permanent(.misconfigured), "Status 405."))
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.wait(for: 1, in: .delivered)
            await rig.wait(for: 1, in: .retrying)
            place.fail("a.jpg", nil)
            try await rig.advanceClock(by: 10) { rig.deliveries.all.count == 2 }
        }
    }

    @Test func `without probes, a refused photo fails after another photo is delivered`() async throws {
        try await rig.save(Self.names)
        let place = ScriptedDestination(
            .fails(UploadFailure(.permanent(.forbidden), "It says no.")), acceptsProbes: false)
        place.fail("0001.jpg", UploadFailure(.permanent(.unprocessable), "It is no photo."))
        let service = try await rig.service([rig.target(place, workers: 1)])
        try await rig.running(service) {
            await rig.wait(for: 1, in: .retrying)
            await refused()
            #expect(rig.events.all.conditions["upload-failed"] == nil)
            place.setBehavior(.works)
            try await service.resume("nas")
            await rig.wait(for: 39, in: .delivered)
            try await rig.advanceClock(by: 10) { rig.events.all.conditions["upload-failed"] != nil }
            await rig.wait(for: 1, in: .failed)
        }
        #expect(place.calls.all.offers == 0)
    }
}
