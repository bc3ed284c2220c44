import Foundation
import FrameFastModel
import Store
import SystemPackage
import TestRig
import Testing

@testable import UploadEngine

/// Tests of photos that can't be read on this computer.
@Suite(.blocking, .timeLimit(.minutes(10))) struct SourceTests {
    let rig: UploadRig

    init() throws { rig = try UploadRig() }

    private var jobs: [UploadJob] {
        get async throws { try await rig.store.uploads(UploadFilter(), limit: 99) }
    }

    @Test func `resumes all uploads after the captures folder returns`()
        async throws
    {
        try await rig.save(UploadServiceTests.names(1...40))
        let away = rig.photos + ".away"
        try FileManager.default.moveItem(atPath: rig.photos, toPath: away)
        let place = ScriptedDestination()
        try await rig.running(try await rig.service([rig.target(place, workers: 16)])) {
            await rig.events.wait { $0.conditions["photos-unreadable"] != nil }
            let condition = try #require(rig.events.all.conditions["photos-unreadable"])
            #expect(condition.subject == .folder(rig.photos))
            #expect(condition.sentence.contains("does not exist") && !condition.sentence.contains("full"))
            try await rig.advanceClock(by: 15, times: 20)
            #expect(place.calls.all.starts == 0)
            #expect(rig.events.all.conditions["destination-away"] == nil, "the destination works")
            try FileManager.default.moveItem(atPath: away, toPath: rig.photos)
            try await rig.advanceClock(by: 5) { rig.deliveries.all.count == 40 }
            await rig.events.wait { $0.conditions["photos-unreadable"] == nil }
        }
        let end = try await jobs
        #expect(end.allSatisfy { $0.state == .delivered && $0.attempts == 0 })
        #expect(!rig.events.all.jobs.values.contains { $0.state == .failed })
    }

    @Test func `a missing session folder does not delay other photos`() async throws {
        let session = rig.photos + "/session"
        try await rig.save(UploadServiceTests.names(1...10), in: session)
        try await rig.save(UploadServiceTests.names(11...20))
        try FileManager.default.moveItem(atPath: session, toPath: rig.folder + "/elsewhere")
        let place = ScriptedDestination()
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.wait(for: 10, in: .delivered)
            try FileManager.default.moveItem(atPath: rig.folder + "/elsewhere", toPath: session)
            try await rig.advanceClock(by: 5) { rig.deliveries.all.count == 20 }
        }
        let end = try await jobs
        #expect(end.allSatisfy { $0.attempts == 0 })
    }

    @Test func `fails a missing file and uploads it when it returns`() async throws {
        try await rig.save(UploadServiceTests.names(1...4))
        let lost = try #require(
            try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record).first {
                $0.object.name == "0002.jpg"
            }?.path)
        try FileManager.default.moveItem(atPath: lost, toPath: rig.folder + "/aside")
        let place = ScriptedDestination()
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.wait(for: 3, in: .delivered)
            await rig.wait(for: 1, in: .failed)
            await rig.events.wait { $0.conditions["upload-failed"] != nil }
            // A different file with the same name is not accepted as the photo.
            try Data("no".utf8).write(to: URL(filePath: lost))
            try await rig.advanceClock(by: 61, times: 5)
            let now = try await jobs
            #expect(now.count { $0.state == .failed } == 1)
            try FileManager.default.removeItem(atPath: lost)
            try FileManager.default.moveItem(atPath: rig.folder + "/aside", toPath: lost)
            try await rig.advanceClock(by: 10) { rig.deliveries.all.count == 4 }
            await rig.events.wait { $0.conditions["upload-failed"] == nil }
        }
    }

    @Test func `too many open files is a shortage, not unreadable photos`()
        async throws
    {
        try await rig.save(UploadServiceTests.names(1...4))
        let place = ScriptedDestination(.fails(.shortage("The file cannot be opened", .tooManyOpenFiles)))
        try await rig.running(try await rig.service([rig.target(place)])) {
            await rig.wait(for: 1, in: .retrying)
            #expect(rig.events.all.shortages == [.tooManyOpenFiles])
            #expect(rig.events.all.conditions.isEmpty)
            place.setBehavior(.works)
            try await rig.advanceClock(by: 5) { rig.deliveries.all.count == 4 }
            await rig.events.wait { $0.shortages == [.tooManyOpenFiles, nil] }
        }
        let end = try await jobs
        #expect(end.allSatisfy { $0.attempts == 0 })
    }

    @Test func `retries one upload at a time during a shortage`() async throws {
        try await rig.save(UploadServiceTests.names(1...20))
        let place = ScriptedDestination(.fails(.shortage("The file cannot be opened", .tooManyOpenFiles)))
        try await rig.running(try await rig.service([rig.target(place, workers: 4)])) {
            // Four uploads were running, and one upload started after each of two pauses. This makes six
            // starts.
            try await rig.advanceClock(by: 1) { place.calls.all.starts >= 6 }
            #expect(
                rig.time.uptime >= 2 * UploadBackoff.sourceSeconds, "the uploads are retried without a pause")
            place.setBehavior(.works)
            try await rig.advanceClock(by: 5) { rig.deliveries.all.count == 20 }
        }
        let end = try await jobs
        #expect(end.allSatisfy { $0.attempts == 0 })
    }

    @Test(arguments: [true, false])
    func `clears a shortage when no upload waits`(isPaused: Bool) async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.fails(.shortage("The file cannot be opened", .tooManyOpenFiles)))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.wait(for: 1, in: .retrying)
            if isPaused {
                try await service.pause()
            } else {
                _ = try await service.hold(UploadFilter())
            }
            try await rig.advanceClock(by: 5) { rig.events.all.shortages == [.tooManyOpenFiles, nil] }
        }
    }

    @Test func `a local read error during an upload causes a retry, not an outage`() async throws {
        try await rig.save(UploadServiceTests.names(1...8))
        let place = ScriptedDestination(.fails(UploadFailure(.sourceAway, "The disk fails.")))
        try await rig.running(try await rig.service([rig.target(place, workers: 4)])) {
            await rig.wait(for: 8, in: .retrying)
            #expect(rig.events.all.conditions["destination-away"] == nil)
            place.setBehavior(.works)
            try await rig.advanceClock(by: 5) { rig.deliveries.all.count == 8 }
        }
        let end = try await jobs
        #expect(end.allSatisfy { $0.attempts == 0 })
    }
}

extension [UploadEvent] {
    /// The reported shortages, with one element for each change.
    fileprivate var shortages: [Errno?] {
        let all = compactMap { event -> Errno?? in
            if case .shortage(_, let reason) = event { .some(reason) } else { nil }
        }
        return all.indices.filter { $0 == 0 || all[$0 - 1] != all[$0] }.map { all[$0] }
    }
}
