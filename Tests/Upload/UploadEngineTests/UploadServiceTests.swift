import Foundation
import FrameFastModel
import Logging
import ServiceLifecycle
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

@Suite(.blocking, .timeLimit(.minutes(10))) struct UploadServiceTests {
    let rig: UploadRig

    init() throws { rig = try UploadRig() }

    static func names(_ numbers: ClosedRange<Int>) -> [String] {
        numbers.map { String(format: "%04d.jpg", $0) }
    }

    @Test func `resumes in order after an outage of an hour`() async throws {
        let names = Self.names(1...2000)
        try await rig.save(names)
        let place = ScriptedDestination(.away)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.refusals >= 3 }
            for _ in 0..<60 {
                let before = place.calls.all.probes
                try await rig.advanceClock(by: 60) { place.calls.all.probes > before }
            }
            #expect(place.calls.all.refusals <= 3, "the breaker stopped the other uploads")
            #expect(rig.events.all.conditions["destination-away"] != nil)
            place.setBehavior(.works)
            try await rig.advanceClock(by: 60) { !rig.deliveries.all.isEmpty }
            await rig.wait(for: 2000, in: .delivered)
        }
        #expect(place.uploaded == names)
        #expect(try await rig.store.uploads(UploadFilter(), limit: 3000).allSatisfy { $0.attempts == 0 })
        #expect(rig.events.all.conditions["destination-away"] == nil)
    }

    @Test func `closes a destination that a reload removes`() async throws {
        let (nas, cloud) = (ScriptedDestination(), ScriptedDestination())
        let service = try await rig.service([rig.target(nas), rig.target(cloud, name: "cloud")])
        try await rig.running(service) {
            try await rig.save(["1.jpg"])
            service.captureSaved()
            await rig.wait(for: 2, in: .delivered)
            try await service.reconfigure(["cloud"], changed: [], policy: UploadModePolicy(), keep: .forever)
            try #require(service.destinations == ["cloud"])
            await nas.calls.wait { $0.contains(.closed) }
            try await rig.save(["2.jpg"])
            service.captureSaved()
            await rig.wait(for: 3, in: .delivered)
        }
        #expect(nas.uploaded == ["1.jpg"] && cloud.uploaded == ["1.jpg", "2.jpg"])
    }

    /// One dropped connection does not open the breaker. The delivery itself must clear the error.
    @Test func `clears the error after a delivery that follows a short outage`() async throws {
        try await rig.save(Self.names(1...2))
        let place = ScriptedDestination()
        place.fail("0001.jpg", ScriptedDestination.outage)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.refusals == 1 }
            place.fail("0001.jpg", nil)
            try await rig.advanceClock(by: 60) { rig.deliveries.all.count == 2 }
            #expect(try await service.statistics().first?.lastFailure == nil)
        }
        #expect(place.calls.all.probes == 0)
        #expect(rig.events.all.conditions.isEmpty)
    }

    @Test(arguments: [
        (ScriptedDestination.outage, "The destination nas is unavailable: The server does not answer."),
        (
            UploadFailure(.permanent(.unauthorised), "the password is wrong"),
            "The destination nas refuses uploads: The password is wrong."
        ),
    ])
    func `destination condition names the destination once`(failure: UploadFailure, sentence: String)
        async throws
    {
        try await rig.save(Self.names(1...9))
        let place = ScriptedDestination(.fails(failure))
        place.setProbeFailure(failure)
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.events.wait { $0.conditions["destination-away"] != nil }
        }
        let condition = try #require(rig.events.all.conditions["destination-away"])
        #expect(condition.sentence == sentence)
        #expect(condition.sentence.split(separator: " ").count { $0.contains("nas") } == 1)
        #expect(condition.subject == .destination("nas"))
    }

    @Test func `uploads the newest photo first if configured`() async throws {
        try await rig.save(Self.names(1...20))
        let place = ScriptedDestination()
        let service = try await rig.service([rig.target(place, order: .newestFirst)])
        try await service.pause()
        try await rig.running(service) {
            await rig.events.wait {
                $0.contains { if case .statistics(let all) = $0 { all[0].counts.open == 20 } else { false } }
            }
            try await service.resume()
            await rig.wait(for: 20, in: .delivered)
        }
        #expect(place.uploaded == Self.names(1...20).reversed())
    }

    @Test func `permanent failure has reason and next step, and can be retried`()
        async throws
    {
        try await rig.save(["a.jpg", "bad.jpg", "b.jpg"])
        let place = ScriptedDestination()
        place.fail("bad.jpg", UploadFailure(.permanent(.tooLarge), "The server takes files up to 1 MB."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.wait(for: 2, in: .delivered)
            await rig.wait(for: 1, in: .failed)
            await rig.events.wait { $0.conditions["upload-failed"] != nil }
            let condition = try #require(rig.events.all.conditions["upload-failed"])
            #expect(
                condition.sentence.contains("1 photo could not be uploaded to nas: The server takes files"))
            #expect(!condition.nextStep.isEmpty)
            place.fail("bad.jpg", nil)
            #expect(try await service.retry(UploadFilter(state: .failed)) == 1)
            await rig.wait(for: 3, in: .delivered)
            await rig.events.wait { $0.conditions["upload-failed"] == nil }
        }
    }

    @Test func `does not send a photo whose local file changed or disappeared`() async throws {
        try await rig.save(["gone.jpg", "changed.jpg", "short.jpg", "whole.jpg"])
        for record in try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record) {
            let path = try #require(record.path)
            switch record.object.name {
            case "gone.jpg": try FileManager.default.removeItem(atPath: path)
            case "short.jpg": try Data("b".utf8).write(to: URL(filePath: path))
            case "changed.jpg":
                try Data("BYTES OF changed.jpg".utf8).write(to: URL(filePath: path))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: path)
            default: break
            }
        }
        let place = ScriptedDestination()
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.wait(for: 3, in: .failed)
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["whole.jpg"])
        #expect(
            Set(rig.events.all.jobs.values.filter { $0.state == .failed }.map { $0.reason })
                == ["file-gone", "file-changed"])
    }

    @Test func `reports a released upload as queued before it starts`() async throws {
        let session = try await rig.store.startSession(
            name: "Wedding", uploadMode: .offline, at: rig.time.now)
        try await rig.save((0..<30).map { "\($0).jpg" }, session: session.id)
        let service = try await rig.service([rig.target(ScriptedDestination(), workers: 4)])
        try await rig.running(service) {
            await rig.events.wait { $0.conditions["upload-held"] != nil }
            let count = try await service.release(UploadFilter())
            #expect(count == 30)
            await rig.wait(for: 30, in: .delivered)
        }
        let events = rig.events.all
        #expect(events.jobs.count == 30)
        for id in events.jobs.keys {
            let states: [UploadJob.State] = events.compactMap { event in
                if case .job(let job, _) = event, job.id == id { job.state } else { nil }
            }
            #expect(states == [.queued, .uploading, .delivered])
        }
    }

    @Test func `stops held and dropped uploads, and resumes a released upload`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place, workers: 2)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 2 }
            let jobs = try await service.jobs(limit: 9)
            #expect(jobs.allSatisfy { $0.state == .uploading })
            let id = try #require(jobs.first { $0.remoteName == "a.jpg" }?.id)
            #expect(try await service.hold(UploadFilter(ids: [id])) == 1)
            await place.calls.wait { $0.contains(.cancelled("a.jpg")) }
            #expect(try await rig.store.upload(id: id)?.resumePoint == "half of a.jpg")
            #expect(try await service.drop(UploadFilter(state: .uploading)) == 1)
            await place.calls.wait { $0.contains(.cancelled("b.jpg")) }
            place.setBehavior(.works)
            #expect(try await service.release(UploadFilter()) == 1)
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["a.jpg"])
        #expect(try await rig.store.uploads(UploadFilter(), limit: 9).count == 1)
    }

    @Test func `pause stops uploads, survives a restart and ends on resume`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.pause("nas")
            await place.calls.wait { $0.contains(.cancelled("a.jpg")) }
            await rig.wait(for: 1, in: .queued)
        }
        place.setBehavior(.works)
        let next = try await rig.service([rig.target(place)])
        #expect(try await next.statistics().map(\.state) == [.paused])
        try await rig.running(next) {
            try await next.resume()
            await rig.wait(for: 1, in: .delivered)
        }
    }

    @Test
    func `shutdown requeues jobs even if a destination ignores cancellation`()
        async throws
    {
        try await rig.save(["a.jpg", "b.jpg"])
        let places = [ScriptedDestination(.hangs), ScriptedDestination(.ignoresCancellation)]
        let targets = [rig.target(places[0]), rig.target(places[1], name: "deaf")]
        let service = try await rig.service(targets)
        let group = ServiceGroup(
            services: [service], logger: .init(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await group.run() }
        for place in places { await place.calls.wait { $0.starts == 1 } }
        await group.triggerGracefulShutdown()
        // The service ends, although one destination never returns.
        try await task.value
        let counts = try await rig.store.uploadCounts()
        #expect(counts["nas"]?.states.mapValues(\.jobs) == [.queued: 2])
        #expect(counts["deaf"]?.states.mapValues(\.jobs) == [.queued: 2])
    }

    @Test func `a stalled upload counts as an outage`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let target = rig.target(place, stallSeconds: UploadTarget.stallSecondsMin)
        try await rig.running(try await rig.service([target])) {
            await place.calls.wait { $0.starts == 1 }
            await rig.events.wait { $0.contains { if case .progress = $0 { true } else { false } } }
            try await rig.advanceClock(by: 30) { place.calls.all.contains(.cancelled("a.jpg")) }
            // Waits for the event, because the retry may already be running.
            await rig.events.wait { $0.contains { $0.isJob(in: .retrying) } }
            let job = try #require(try await rig.store.uploads(UploadFilter(), limit: 1).first)
            #expect(job.reason == "outage")
            place.setBehavior(.works)
            try await rig.advanceClock(by: 30) { !rig.deliveries.all.isEmpty }
        }
    }

    @Test func `reports a recovered destination as ready, even with an empty queue`() async throws {
        try await rig.save(Self.names(1...3))
        let place = ScriptedDestination(.away)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.events.wait { $0.conditions["destination-away"] != nil }
            let dropped = try await service.drop(UploadFilter())
            #expect(dropped == 3)
            place.setBehavior(.works)
            try await rig.advanceClock(by: 10) { rig.events.all.conditions["destination-away"] == nil }
        }
        #expect(place.uploaded.isEmpty)
    }

    @Test func `holds a destination's uploads on a metered network if configured`() async throws {
        try await rig.save(["a.jpg"])
        let isMetered = Mutex(true)
        let (cheap, dear) = (ScriptedDestination(), ScriptedDestination())
        let service = try await rig.service(
            [rig.target(cheap, name: "lan"), rig.target(dear, name: "cloud", holdsWhenMetered: true)],
            isMetered: { isMetered.withLock { $0 } })
        try await rig.running(service) {
            await rig.wait(for: 1, in: .delivered)
            await rig.events.wait {
                $0.contains { if case .state("cloud", .metered) = $0 { true } else { false } }
            }
            #expect(dear.calls.all.starts == 0)
            isMetered.withLock { $0 = false }
            service.networkChanged()
            await rig.wait(for: 2, in: .delivered)
        }
    }
}
