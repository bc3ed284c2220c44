import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests of the leftovers of dropped and failed uploads.
@Suite(.blocking, .timeLimit(.minutes(10))) struct LeftoverTests {
    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test func `deletes a dropped upload's part by its last resume point`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            let dropped = try await service.drop(UploadFilter())
            #expect(dropped == 1)
            await place.discarded.wait { $0.count == 1 }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// A person may drop 200,000 waiting uploads.
    @Test func `records a dropped upload only if an attempt has started`() async throws {
        try await rig.save(["a.jpg", "b.jpg", "c.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) { await place.calls.wait { $0.starts == 1 } }
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(jobs.count == 3)
        let runner = try #require(try await rig.service([rig.target(place)]).runners.first)
        for job in jobs { runner.recordDrop(of: job) }
        let started = try #require(jobs.first { $0.remoteName == "a.jpg" })
        #expect(runner.droppedJobs.withLock { $0.map(\.id) } == [started.id])
    }

    @Test func `a paused destination reports leftovers and deletes them on resume`()
        async throws
    {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.pause("nas")
            await place.calls.wait { $0.contains(.cancelled("a.jpg")) }
            let dropped = try await service.drop(UploadFilter())
            #expect(dropped == 1)
            let leftovers = try await service.statistics().map(\.leftovers)
            #expect(leftovers.map(\.count) == [1])
            #expect(leftovers.allSatisfy { $0.bytes > 0 })
            #expect(place.discarded.all.isEmpty)
        }
        let next = try await rig.service([rig.target(place)])
        try await rig.running(next) {
            try await next.resume()
            await place.discarded.wait { $0.count == 1 }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    @Test(arguments: [UploadFailure.Reason.forbidden, .unauthorised, .misconfigured])
    func `does not retry a refused deletion for half an hour, and counts its leftovers`(
        reason: UploadFailure.Reason
    ) async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(.permanent(reason), "The server does not allow it."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.advanceClock(by: 60, times: 30)
            #expect(place.removals.all == ["a.jpg"], "the deletion is tried once")
            let leftovers = try await service.statistics().map(\.leftovers.count)
            #expect(leftovers == [1])
            place.setRemovalFailure(nil)
            try await rig.advanceClock(by: 60) { !place.discarded.all.isEmpty }
            try await expectNoLeftovers(service)
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// FTP servers reply 450 for a file in use, and WebDAV servers respond with 423.
    @Test func `retries a temporarily failed deletion in less than an hour`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(.transient, "The file is in use."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            let pause = LeftoverQueue.pauseSeconds.upperBound
            try await rig.time.waitForSleeper(within: pause)
            rig.time.advance(pause)
            await place.removals.wait { $0.count > 1 }
            place.setRemovalFailure(nil)
            try await rig.advanceClock(by: 60) { !place.discarded.all.isEmpty }
            try await expectNoLeftovers(service)
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    @Test(arguments: [UploadFailure.Kind.transient, .outage(retryAfterSeconds: nil)])
    func `logs a failed deletion once, and again after a resume`(
        kind: UploadFailure.Kind
    ) async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(kind, "The file is in use."))
        let log = RecordedLog()
        let service = try await rig.service([rig.target(place)], logger: Logger(label: "test") { _ in log })
        func count() -> Int { log.lines.all.count { $0 == "cannot remove the partial file of an upload" } }
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.advanceClock(by: 60) { place.removals.all.count > 5 }
            #expect(count() == 1)
            try await service.resume()
            let tries = place.removals.all.count
            try await rig.advanceClock(by: 60) { place.removals.all.count > tries + 3 }
            #expect(count() == 2)
        }
    }

    @Test func `resume retries a deletion that the destination refused`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(.permanent(.forbidden), "The server does not allow it."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            place.setRemovalFailure(nil)
            try await service.resume()
            await place.discarded.wait { $0.count == 1 }
            try await expectNoLeftovers(service)
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// After the commit of a failure, the runner saves the leftover and then makes the leftover due. A round
    /// that starts during this save skips the leftover.
    @Test func `tries a deletion once if a round starts while the leftover is saved`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.fails(UploadFailure(.permanent(.fileChanged), "The file changed.")))
        place.setRemovalFailure(UploadFailure(.permanent(.forbidden), "The server does not allow it."))
        let response = place.delayResponse(to: "a.jpg")
        let service = try await rig.service([rig.target(place)])
        let added = try await service.add(captures: [1, 2])
        #expect(added == 2)
        // Runs only the runner. The planner of a running service also writes to the ledger, and the test
        // counts the waiting changes.
        let runner = try #require(service.runners.first)
        let running = Task { await runner.run() }
        defer { running.cancel() }
        await place.calls.wait { $0.starts == 1 }
        place.setBehavior(.works)
        let blocking = try await rig.blockingWriter {
            response.signal()
            // The runner records the failure and claims the second photo in one change.
            try await rig.waitForChanges(1)
            // Blocks the writer again directly after the commit of the failure.
            let blocking = Task { [rig] () async throws -> [String] in
                try await rig.blockingWriter {
                    // The runner has queued the leftover and saves the queue.
                    try await rig.waitForChanges(1)
                    service.networkChanged()
                    // The end of the round also saves the queue.
                    try await rig.waitForChanges(2)
                    return place.removals.all
                }
            }
            try await rig.waitForChanges(2)
            return blocking
        }
        let triedDuringCommit = try await blocking.value
        #expect(triedDuringCommit.isEmpty)
        await rig.wait(for: 1, in: .delivered)
        await place.removals.wait { !$0.isEmpty }
        running.cancel()
        await running.value
        #expect(place.removals.all == ["a.jpg"])
    }

    @Test func `deletes leftovers after the next delivery`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(ScriptedDestination.outage)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.advanceClock(by: 15) { place.removals.all.count > 8 }
            place.setRemovalFailure(nil)
            place.setBehavior(.works)
            // The clock advances by a time between the shortest and the longest pause.
            rig.time.advance(40)
            // A delivery starts no new round of deletions while the previous round is ending. Therefore, the
            // test delivers more photos.
            for number in 1...20 where place.discarded.all.isEmpty {
                try await rig.save(["b\(number).jpg"])
                service.captureSaved()
                await rig.wait(for: number, in: .delivered)
            }
            await place.discarded.wait { $0.count == 1 }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// Drops the running upload, and waits until the runner has tried to delete its part.
    private func drop(in service: UploadService, _ place: ScriptedDestination) async throws {
        await place.calls.wait { $0.starts == 1 }
        let dropped = try await service.drop(UploadFilter())
        #expect(dropped == 1)
        await place.removals.wait { !$0.isEmpty }
    }

    private func expectNoLeftovers(_ service: UploadService) async throws {
        try await eventually("no leftovers") {
            try await service.statistics().allSatisfy { $0.leftovers.count == 0 } ? () : nil
        }
    }

    @Test func `deletes the part of a replaced photo version`() async throws {
        try await rig.save(["a.xmp"])
        let records = try await rig.store.captures(CaptureQuery(limit: 1)).map(\.record)
        let (id, path) = (try #require(records.first?.id), try #require(records.first?.path))
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(ScriptedDestination.outage)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.pause("nas")
            await place.calls.wait { $0.contains(.cancelled("a.xmp")) }
            try Data("edited with more bytes".utf8).write(to: URL(filePath: path))
            try await service.resume("nas")
            await rig.wait(for: 1, in: .failed)
            await place.removals.wait { !$0.isEmpty }
            place.setBehavior(.works)
            let added = try await service.add(captures: [id], to: ["nas"])
            #expect(added == 1)
            await rig.wait(for: 1, in: .delivered)
            place.setRemovalFailure(nil)
            try await rig.advanceClock(by: 60) { !place.discarded.all.isEmpty }
        }
        #expect(place.discarded.all == ["half of a.xmp"])
    }
}
