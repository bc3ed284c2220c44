import Foundation
import FrameFastModel
import Logging
import Store
import TestRig
import Testing

@testable import UploadEngine

/// What dropped and failed uploads left at a destination.
@Suite(.blocking, .timeLimit(.minutes(10))) struct LeftoverTests {
    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test func `removes what a dropped upload left, with its last resume point`() async throws {
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

    @Test func `a paused destination keeps its leftovers, shows them, and loses them when it is resumed`()
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
    func `keeps and counts what the destination refuses to remove, and tries it after an hour`(
        reason: UploadFailure.Reason
    ) async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(.permanent(reason), "The server does not allow it."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.turn(by: 60, times: 30)
            #expect(place.removals.all == ["a.jpg"], "it is not asked again and again")
            let leftovers = try await service.statistics().map(\.leftovers.count)
            #expect(leftovers == [1])
            place.setRemovalFailure(nil)
            try await rig.turn(by: 60) { !place.discarded.all.isEmpty }
            try await expectNoLeftovers(service)
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// FTP answers 450 for a file that is in use, WebDAV 423.
    @Test func `tries what can't be removed at the moment again long before an hour is over`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(.transient, "The file is in use."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.turn(by: 60, times: 30)
            try await eventually("another try") { place.removals.all.count > 1 ? () : nil }
            place.setRemovalFailure(nil)
            try await rig.turn(by: 60) { !place.discarded.all.isEmpty }
            try await expectNoLeftovers(service)
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    @Test(arguments: [UploadFailure.Kind.transient, .outage(retryAfterSeconds: nil)])
    func `logs once what can't be removed at the moment, and again after a person resumed the destination`(
        kind: UploadFailure.Kind
    ) async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(UploadFailure(kind, "The file is in use."))
        let log = RecordedLog()
        let service = try await rig.service([rig.target(place)], logger: Logger(label: "test") { _ in log })
        func count() -> Int { log.lines.all.count { $0 == "cannot remove what an upload left" } }
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.turn(by: 60) { place.removals.all.count > 5 }
            #expect(count() == 1)
            try await service.resume()
            let tries = place.removals.all.count
            try await rig.turn(by: 60) { place.removals.all.count > tries + 3 }
            #expect(count() == 2)
        }
    }

    @Test func `tries what the destination refused to remove when a person resumes it`() async throws {
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

    @Test func `removes what is left as soon as a photo is delivered again`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(ScriptedDestination.outage)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await drop(in: service, place)
            try await rig.turn(by: 15) { place.removals.all.count > 8 }
            place.setRemovalFailure(nil)
            place.now(.works)
            // Past the shortest pause, and before the longest.
            rig.time.advance(40)
            // A round that still ends hears of the next delivery.
            for number in 1...20 where place.discarded.all.isEmpty {
                try await rig.save(["b\(number).jpg"])
                service.captureSaved()
                await rig.wait(for: number, in: .delivered)
            }
            await place.discarded.wait { $0.count == 1 }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// Drops the photo that is being sent, and waits until its part was tried to be removed.
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

    @Test func `removes the part of a version that an edited one has replaced`() async throws {
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
            place.now(.works)
            let added = try await service.add(captures: [id], to: ["nas"])
            #expect(added == 1)
            await rig.wait(for: 1, in: .delivered)
            place.setRemovalFailure(nil)
            try await rig.turn(by: 60) { !place.discarded.all.isEmpty }
        }
        #expect(place.discarded.all == ["half of a.xmp"])
    }
}
