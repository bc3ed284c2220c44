import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests of leftovers at a destination that a reload of the configuration removes or moves to a different
/// location.
@Suite(.blocking, .timeLimit(.minutes(10))) struct AbandonedLeftoverTests {
    /// The time by which one step of the test advances the clock, in seconds. On a busy computer, the test
    /// takes many steps before the runner runs. With longer steps, a day could pass, and the runner would
    /// give up.
    private static let tick = 10.0

    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    @Test func `deletes unfinished uploads' parts when a reload removes the destination`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            await place.calls.wait { $0.contains(.closed) }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
        let jobs = try await rig.store.uploads(UploadFilter(), limit: 9)
        #expect(
            jobs.map(\.resumePoint) == [nil],
            "the job starts from the beginning if its destination is configured again")
    }

    /// The removed destination has three seconds to finish its uploads.
    @Test func `deletes the part of an upload that is dropped after a reload removed its destination`()
        async throws
    {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            #expect(try await service.drop(UploadFilter()) == 1)
            try await rig.advanceClock(by: Self.tick) { place.calls.all.contains(.closed) }
        }
        #expect(place.discarded.all.contains("half of a.jpg"))
    }

    /// The runner ends between the commit of the drop and the next step of the drop.
    @Test func `deletes the part of an upload that is dropped while its removed runner ends`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            try await rig.store.applyToUploads(
                .dropped, filter: UploadFilter(), onCommit: { service.handleCommit($0) })
            try await rig.advanceClock(by: Self.tick) { place.calls.all.contains(.closed) }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    @Test func `a drop before the start of a changed destination keeps its earlier leftovers`() async throws {
        try await rig.save(["a.jpg", "b.jpg"])
        let place = ScriptedDestination(.hangs)
        place.setRemovalFailure(ScriptedDestination.outage)
        let service = try await rig.service([rig.target(place, workers: 2)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 2 }
            let ids = try await rig.store.uploads(UploadFilter(), limit: 9).map(\.id)
            #expect(try await service.drop(UploadFilter(ids: [ids[0]])) == 1)
            await place.removals.wait { !$0.isEmpty }
            try await service.reconfigure(
                ["nas"], changed: [rig.target(place, workers: 3)], policy: UploadModePolicy(), keep: .forever)
            #expect(try await service.drop(UploadFilter(ids: [ids[1]])) == 1)
            place.setRemovalFailure(nil)
            try await rig.advanceClock(by: Self.tick) { place.discarded.all.count == 2 }
        }
        #expect(Set(place.discarded.all) == ["half of a.jpg", "half of b.jpg"])
    }

    /// Reloads the configuration without the destination while its server is unreachable.
    private func abandon(_ place: ScriptedDestination, in service: UploadService) async throws {
        place.setRemovalFailure(ScriptedDestination.outage)
        await place.calls.wait { $0.starts == 1 }
        try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
        await place.removals.wait { !$0.isEmpty }
    }

    @Test func `deletes leftovers at a removed destination after its outage`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await abandon(place, in: service)
            try await rig.advanceClock(by: Self.tick) { place.removals.all.count > 2 }
            place.setRemovalFailure(nil)
            try await rig.advanceClock(by: Self.tick) { place.calls.all.contains(.closed) }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    @Test func `stops deleting at an unreachable removed destination after a day`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        let begin = rig.time.now
        try await rig.running(service) {
            try await abandon(place, in: service)
            try await rig.advanceClock(by: 600) { place.calls.all.contains(.closed) }
        }
        #expect(place.discarded.all.isEmpty)
        #expect(rig.time.now.timeIntervalSince(begin) >= DestinationRunner.abandonedSeconds)
        #expect(place.removals.all.count <= 400, "\(place.removals.all.count) tries in a day")
    }

    @Test func `deletes leftovers at a removed destination only on unmetered networks`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let isMetered = Mutex(false)
        let service = try await rig.service(
            [rig.target(place, holdsWhenMetered: true)], isMetered: { isMetered.withLock { $0 } })
        try await rig.running(service) {
            try await abandon(place, in: service)
            isMetered.withLock { $0 = true }
            // A round that started earlier may still be running.
            try await rig.advanceClock(by: 30, times: 3)
            let tries = place.removals.all.count
            try await rig.advanceClock(by: 30, times: 30)
            #expect(
                place.removals.all.count <= tries + 1, "the runner deletes leftovers on a metered network")
            place.setRemovalFailure(nil)
            isMetered.withLock { $0 = false }
            try await rig.advanceClock(by: Self.tick) { place.calls.all.contains(.closed) }
        }
        #expect(place.discarded.all == ["half of a.jpg"])
    }

    /// The clock is set forward by three days, or back by a year.
    @Test(arguments: [3 * 86_400, -365 * 86_400] as [Double])
    func `retries deletions at a removed destination for a day despite a clock step`(step: Double)
        async throws
    {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await abandon(place, in: service)
            rig.time.set(forwardBy: step)
            let (begin, tries) = (rig.time.uptime, place.removals.all.count)
            guard step < 0 else {
                try await rig.advanceClock(by: Self.tick) {
                    place.removals.all.count > tries || place.calls.all.contains(.closed)
                }
                place.setRemovalFailure(nil)
                return try await rig.advanceClock(by: Self.tick) { place.calls.all.contains(.closed) }
            }
            // The loop ends after at most 60 days: more than the limit of a day, and less than a year.
            try await rig.advanceClock(by: 600) {
                place.calls.all.contains(.closed) || rig.time.uptime - begin > 60 * 86_400
            }
            #expect(
                place.calls.all.contains(.closed), "the runner retries for as long as the clock was set back")
        }
        #expect(place.discarded.all == (step < 0 ? [] : ["half of a.jpg"]))
    }

    @Test func `stops deleting before a new destination uploads to the same location`() async throws {
        try await rig.save(["a.jpg"])
        let (old, new) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        let service = try await rig.service([rig.target(old)])
        try await rig.running(service) {
            try await abandon(old, in: service)
            try await service.reconfigure(
                ["nas"], changed: [rig.target(new)], policy: UploadModePolicy(), keep: .forever)
            await new.calls.wait { $0.uploads == 1 }
            await old.calls.wait { $0.contains(.closed) }
            old.setRemovalFailure(nil)
            try await rig.advanceClock(by: 600, times: 10)
        }
        #expect(old.discarded.all.isEmpty, "[loss] deleted the part of a continued upload")
    }

    @Test func `retries deletion only at the old location`()
        async throws
    {
        try await rig.save(["a.jpg"])
        let (first, second) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        first.setRemovalFailure(ScriptedDestination.outage)
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.starts == 1 }
            var target = rig.target(second)
            target.place = "elsewhere"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            await second.calls.wait { $0.uploads == 1 }
            first.setRemovalFailure(nil)
            try await rig.advanceClock(by: Self.tick) { first.calls.all.contains(.closed) }
        }
        #expect(first.discarded.all == ["half of a.jpg"])
        #expect(second.removals.all.isEmpty)
    }

    @Test func `a hanging deletion does not delay uploads to a destination's new location`() async throws {
        try await rig.save(["a.jpg"])
        let (first, second) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.starts == 1 }
            first.setBehavior(.ignoresCancellation)
            var target = rig.target(second)
            target.place = "elsewhere"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            await first.removals.wait { !$0.isEmpty }
            try await rig.advanceClock(by: 5) { second.calls.all.uploads == 1 }
        }
    }

    @Test func `a hanging probe does not delay uploads to a destination's new location`() async throws {
        try await rig.save(["a.jpg", "b.jpg", "c.jpg"])
        let (first, second) = (ScriptedDestination(.away), ScriptedDestination(.works))
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.refusals == 3 }
            first.setBehavior(.ignoresCancellation)
            try await rig.advanceClock(by: 3) { first.calls.all.probes == 1 }
            var target = rig.target(second)
            target.place = "elsewhere"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            try await rig.advanceClock(by: 5) { second.calls.all.uploads == 3 }
        }
    }

    @Test func `keeps a part to which another destination on the same server still writes`()
        async throws
    {
        try await rig.save(["a.jpg"])
        let (first, second) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        first.setRemovalFailure(ScriptedDestination.outage)
        let response = second.delayResponse(to: "a.jpg")
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.starts == 1 }
            var target = rig.target(second)
            target.place = "the address of nas"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            await second.calls.wait { $0.starts == 1 }
            first.setRemovalFailure(nil)
            try await rig.advanceClock(by: 10, times: 11)
            #expect(first.discarded.all.isEmpty, "[loss] deleted the part of a running upload")
            response.signal()
            await second.calls.wait { $0.uploads == 1 }
            try await rig.advanceClock(by: Self.tick) { first.calls.all.contains(.closed) }
        }
        #expect(first.discarded.all == ["half of a.jpg"])
    }

    @Test func `ignores leftovers of an earlier destination with the same name`()
        async throws
    {
        try await rig.save(["a.jpg"])
        let (first, second) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        for place in [first, second] { place.setRemovalFailure(ScriptedDestination.outage) }
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.starts == 1 }
            // A dropped upload leaves a leftover. An upload that continues leaves none.
            _ = try await service.drop(UploadFilter())
            await first.removals.wait { !$0.isEmpty }
            try await service.reconfigure([], changed: [], policy: UploadModePolicy(), keep: .forever)
            await first.removals.wait { $0.count > 1 }
            var target = rig.target(second)
            target.place = "elsewhere"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            try await rig.save(["b.jpg"])
            service.captureSaved()
            await second.calls.wait { $0.uploads > 0 }
            try await rig.advanceClock(by: 30, times: 20)
            let leftovers = try await service.statistics().map(\.leftovers.count)
            #expect(leftovers == [0])
        }
        #expect(second.removals.all.isEmpty)
    }

    @Test func `a reload with the same location deletes no files`() async throws {
        try await rig.save(["a.jpg"])
        let place = ScriptedDestination(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            let target = rig.target(place, workers: 3)
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            await place.calls.wait { $0.starts == 2 }
        }
        #expect(place.discarded.all.isEmpty)
    }

    @Test func `a reload with a new location deletes parts at the old location`() async throws {
        try await rig.save(["a.jpg"])
        let (first, second) = (ScriptedDestination(.hangs), ScriptedDestination(.works))
        let service = try await rig.service([rig.target(first)])
        try await rig.running(service) {
            await first.calls.wait { $0.starts == 1 }
            var target = rig.target(second)
            target.place = "elsewhere"
            try await service.reconfigure(
                ["nas"], changed: [target], policy: UploadModePolicy(), keep: .forever)
            await second.calls.wait { $0.starts == 1 }
        }
        #expect(first.discarded.all == ["half of a.jpg"])
        #expect(second.discarded.all.isEmpty)
    }
}
