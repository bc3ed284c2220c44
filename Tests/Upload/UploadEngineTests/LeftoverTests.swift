import FrameFastModel
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

    @Test func `removes what unfinished uploads left when a reload removes their destination`() async throws {
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
        #expect(jobs.map(\.resumePoint) == [nil], "the job starts over if its destination comes back")
    }

    @Test func `a reload that changes only how a destination is used removes nothing there`() async throws {
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

    @Test func `a reload that leads elsewhere removes what the first place has`() async throws {
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
