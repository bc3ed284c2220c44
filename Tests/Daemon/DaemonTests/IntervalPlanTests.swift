import Foundation
import FrameFastModel
import FrameFastSystem
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of the taken, missed and remaining photos of an interval.
@Suite struct IntervalPlanTests {
    private static let second: UInt64 = 1_000_000_000

    /// Returns a plan of photos with a period of one second. The first photo is due 100 s after the
    /// computer's start, at 1,000 s by the wall clock.
    private static func plan(count: Int = 10) -> IntervalPlan {
        IntervalPlan(
            camera: "studio", command: IntervalCommand(epochNs: 100 * second, periodMs: 1_000, count: count),
            epochWallMs: 1_000_000)
    }

    /// Resumes and updates a plan, and returns the command for the remaining ticks.
    private static func resume(
        _ plan: inout IntervalPlan, nowNs: UInt64, nowWallMs: Int64, leadNs: UInt64 = 0,
        isSameStart: Bool = false
    ) -> IntervalCommand? {
        plan.resumed(nowNs: nowNs, nowWallMs: nowWallMs, leadNs: leadNs, isSameStart: isSameStart)
    }

    private static func runs(_ runs: [IntervalPlan.Run]) -> [[Int]] { runs.map { [$0.first, $0.last] } }

    @Test func `records each tick once, and unreported ticks as missed`() {
        var plan = Self.plan()
        let isNew = [(0, 5), (1, 70), (1, 9), (4, 20), (3, 1), (99, 1)].map { number, lateness in
            plan.record(IntervalTick(number: number, outcome: .shot, latenessUs: lateness))
        }
        #expect(isNew == [true, true, false, true, true, false])
        #expect(plan.shot == 4 && plan.latestUs == 70 && plan.next == 5)
        #expect(Self.runs(plan.missed) == [[2, 2]])
        _ = plan.record(IntervalTick(number: 5, outcome: .refused))
        _ = plan.record(IntervalTick(number: 6, outcome: .missed))
        _ = plan.record(IntervalTick(number: 7, outcome: .missed))
        #expect(Self.runs(plan.refused) == [[5, 5]] && Self.runs(plan.missed) == [[2, 2], [6, 7]])
    }

    @Test func `counts a photo whose report arrives after an interruption`() {
        var plan = Self.plan()
        _ = plan.record(IntervalTick(number: 0, outcome: .shot))
        // The camera reconnects at 106.2 s. The reports of ticks 1 to 4 wait for the disk.
        _ = Self.resume(&plan, nowNs: 106_200_000_000, nowWallMs: 1_006_200)
        #expect(plan.shot == 1 && Self.runs(plan.missed) == [[1, 6]])
        for (number, missed) in [
            (4, [[1, 3], [5, 6]]), (1, [[2, 3], [5, 6]]), (3, [[2, 2], [5, 6]]),
        ] {
            for isNew in [true, false] {
                let wasNew = plan.record(IntervalTick(number: number, outcome: .shot, latenessUs: number))
                #expect(wasNew == isNew && Self.runs(plan.missed) == missed)
            }
        }
        let isNew = plan.record(IntervalTick(number: 2, outcome: .refused))
        #expect(!isNew && plan.shot == 4 && plan.latestUs == 4 && plan.next == 7)
    }

    @Test func `ignores a late report of the previous interval`() {
        let plan = Self.plan()
        func report(_ epochNs: UInt64?) -> CameraOperationProgress {
            CameraOperationProgress(kind: .interval, state: .stopped, epochNs: epochNs)
        }
        #expect(plan.isSubject(of: report(100 * Self.second)))
        #expect(!plan.isSubject(of: report(99 * Self.second)))
        #expect(!plan.isSubject(of: report(nil)))
    }

    @Test func `resumes after an interruption at the first reachable tick`() {
        var plan = Self.plan()
        _ = plan.record(IntervalTick(number: 0, outcome: .shot))
        _ = plan.record(IntervalTick(number: 1, outcome: .shot))
        // At 104.2 s, ticks 2 to 4 are past.
        let command = Self.resume(
            &plan, nowNs: 104_200_000_000, nowWallMs: 1_004_200, leadNs: Self.second / 2)
        #expect(command?.first == 5 && command?.due(5) == 105 * Self.second)
        #expect(Self.runs(plan.missed) == [[2, 4]])
        // At 104.6 s, tick 5 is too near.
        let later = Self.resume(&plan, nowNs: 104_600_000_000, nowWallMs: 1_004_600, leadNs: Self.second / 2)
        #expect(later?.first == 6 && Self.runs(plan.missed) == [[2, 5]])
    }

    @Test func `keeps all ticks if the interval resumes before its first tick`() {
        var plan = Self.plan()
        let command = Self.resume(&plan, nowNs: 98 * Self.second, nowWallMs: 998_000, leadNs: Self.second / 2)
        #expect(command?.first == 0 && plan.missed.isEmpty)
    }

    @Test func `ends an interval if all its ticks are past`() {
        var plan = Self.plan()
        let command = Self.resume(&plan, nowNs: 200 * Self.second, nowWallMs: 1_100_000)
        #expect(command == nil)
        #expect(plan.state == .ended && Self.runs(plan.missed) == [[0, 9]] && plan.next == 10)
    }

    @Test func `uses the wall clock to resume after a reboot`() throws {
        var plan = Self.plan(count: 1_000)
        let now = 20 * Self.second
        // By both clocks, 300 s have passed since the first tick.
        let command = Self.resume(&plan, nowNs: 400 * Self.second, nowWallMs: 1_300_000, leadNs: 0)
        #expect(command?.first == 301)
        // The computer rebooted 20 s ago, so tick 0 was before the boot. The plan then computes due times on
        // the new boot clock, keeps the numbers of the ticks, and makes no tick due twice.
        let again = Self.resume(&plan, nowNs: now, nowWallMs: 1_310_000, leadNs: 0)
        let next = try #require(again)
        #expect(next.first >= 301 && next.due(next.first) > now)
    }

    @Test(
        arguments: [
            // The computer starts with a clock of 1970, or with the right time.
            (20 * second, 0, 502, 20 * second + second / 2 + 1),
            (20 * second, 1_000_000 + 600_000, 601, 21 * second),
            // The plan was created before a restart that took longer than the interval.
            (20 * second, 1_000_000 + 1_000_000_000, 1_000, 0),
        ] as [(UInt64, Int64, Int, UInt64)])
    func `keeps the count and schedules the next photo after a reboot`(
        nowNs: UInt64, nowWallMs: Int64, first: Int, dueNs: UInt64
    ) throws {
        var plan = IntervalPlan(
            camera: "studio",
            command: IntervalCommand(epochNs: 9_000 * Self.second, periodMs: 1_000, count: 1_000),
            epochWallMs: 1_000_000)
        for number in 0...501 where number != 7 {
            _ = plan.record(IntervalTick(number: number, outcome: .shot))
        }
        let command = Self.resume(&plan, nowNs: nowNs, nowWallMs: nowWallMs, leadNs: Self.second / 2)
        #expect(plan.next == first)
        #expect((command == nil) == (first == 1_000))
        if let command {
            #expect(
                command.due(command.first) == dueNs && command.shot == 501
                    && command.epochNs == 9_000 * Self.second)
        } else {
            #expect(plan.state == .ended && plan.shortfall?.contains("501 of 1000") == true)
        }
    }

    @Test(
        arguments: [
            // The clock is synchronized after the command, or the user sets the clock back by an hour.
            1_600_000_000_000, 1_004_200 - 3_600_000,
        ] as [Int64])
    func `ignores changes of the wall clock without a reboot`(nowWallMs: Int64) {
        var plan = Self.plan()
        _ = plan.record(IntervalTick(number: 0, outcome: .shot))
        _ = plan.record(IntervalTick(number: 1, outcome: .shot))
        let command = Self.resume(
            &plan, nowNs: 104_200_000_000, nowWallMs: nowWallMs, leadNs: Self.second / 2, isSameStart: true)
        #expect(command?.first == 5 && command?.due(5) == 105 * Self.second)
        #expect(Self.runs(plan.missed) == [[2, 4]])
    }

    @Test func `keeps the interval period after a reboot without a valid clock`() {
        var plan = IntervalPlan(
            camera: "studio",
            command: IntervalCommand(epochNs: 9_000 * Self.second, periodMs: 1_000, count: 1_000),
            epochWallMs: 1_000_000)
        for number in 0...501 { _ = plan.record(IntervalTick(number: number, outcome: .shot)) }
        let first = Self.resume(&plan, nowNs: 20 * Self.second, nowWallMs: 0, leadNs: Self.second / 2)
        #expect(first?.first == 502 && first?.due(502) == 20 * Self.second + Self.second / 2 + 1)
        let next = Self.resume(
            &plan, nowNs: 25 * Self.second, nowWallMs: 5_000, leadNs: Self.second / 2, isSameStart: true)
        #expect(next?.first == 507 && next?.due(507) == 25 * Self.second + Self.second / 2 + 1)
        #expect(Self.runs(plan.missed) == [[502, 506]])
    }

    @Test(
        arguments: [
            // Tick 9 is at 109 s. Its report may take a minute and one period.
            (169, true, false), (171, true, true),
            // The wall clock is used only after a restart of the computer.
            (20, true, false), (20, false, true),
        ] as [(UInt64, Bool, Bool)])
    func `ends an overdue interval of a disconnected camera`(
        seconds: UInt64, isSameStart: Bool, hasEnded: Bool
    ) {
        var plan = Self.plan()
        for number in 0...2 { _ = plan.record(IntervalTick(number: number, outcome: .shot)) }
        let ended = plan.endedIfOverdue(
            nowNs: seconds * Self.second, nowWallMs: 2_000_000, isSameStart: isSameStart)
        #expect((ended != nil) == hasEnded)
        guard let ended else { return }
        #expect(ended.state == .ended && ended.shot == 3 && Self.runs(ended.missed) == [[3, 9]])
        #expect(ended.endedIfOverdue(nowNs: .max, nowWallMs: .max, isSameStart: isSameStart) == nil)
    }

    @Test func `a query ends an overdue interval and stores the end`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        try store.create(Self.plan())
        let clock = VirtualClock()
        let plans = IntervalPlans(store: store, logger: ScriptedService.silence, clock: clock.hostClock)
        // The last tick is at 1,009 s. Its report may take a minute and one period.
        clock.advance(by: .seconds(1_069))
        #expect(plans.updatedPlan(of: "studio")?.state == .running)
        clock.advance(by: .seconds(2))
        #expect(plans.updatedPlan(of: "studio")?.state == .ended)
        #expect(store.load().first?.state == .ended)
    }

    @Test func `reports a shortfall of photos only if photos are missing`() {
        var plan = Self.plan(count: 2)
        _ = plan.record(IntervalTick(number: 0, outcome: .shot))
        _ = plan.record(IntervalTick(number: 1, outcome: .shot))
        #expect(plan.shortfall == nil)
        plan.state = .ended
        #expect(plan.shortfall == nil)
        var short = Self.plan(count: 2)
        _ = short.record(IntervalTick(number: 1, outcome: .refused))
        short.state = .ended
        #expect(short.shortfall == "incomplete: 0 of 2 photos were taken, 1 were missed, 1 refused")
    }

    private static func failure(_ count: Int) -> FailedSettingChanges {
        FailedSettingChanges(
            count: count, tick: 1, change: CameraSettingChange(name: "iso", value: "800"),
            reason: "The camera is busy.")
    }

    @Test func `keeps failed setting changes across a new connection until the interval ends`() {
        var plan = Self.plan(count: 2)
        let isNew = [1, 2, 2, 1].map { plan.recordFailures(Self.failure($0)) }
        #expect(isNew == [true, true, false, false])
        _ = plan.record(IntervalTick(number: 0, outcome: .shot))
        #expect(plan.shortfall == nil)
        let order = Self.resume(&plan, nowNs: 100_500_000_000, nowWallMs: 1_000_500)
        #expect(order?.failedChanges == Self.failure(2))
        _ = plan.record(IntervalTick(number: 1, outcome: .shot))
        plan.state = .ended
        #expect(
            plan.shortfall
                == "2 settings were not changed, first iso=800 for photo 2: The camera is busy.")
        var short = Self.plan(count: 2)
        _ = short.recordFailures(Self.failure(1))
        short.state = .ended
        #expect(
            short.shortfall
                == "incomplete: 0 of 2 photos were taken, 0 were missed, 0 refused; "
                + "a setting was not changed: iso=800 for photo 2: The camera is busy.")
    }

    @Test func `reads a ramp and its failed changes after a restart`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        var plan = Self.plan()
        plan.command.ramp = [
            1: [CameraSettingChange(name: "iso", value: "800")],
            5: [CameraSettingChange(name: "iso", value: "1600")],
        ]
        try store.create(plan)
        store.add(IntervalTick(number: 0, outcome: .shot), of: plan.camera)
        for count in 1...2 { store.add(Self.failure(count), of: plan.camera) }
        store.add(IntervalTick(number: 1, outcome: .shot), of: plan.camera)
        var read = try #require(store.load().first)
        #expect(read.failedChanges == Self.failure(2) && read.shot == 2)
        let order = Self.resume(&read, nowNs: 103_500_000_000, nowWallMs: 1_003_500)
        #expect(order?.ramp == plan.command.ramp && order?.first == 4)
        #expect(order?.failedChanges == Self.failure(2))
        // A new interval has no failures of the previous interval.
        try store.create(Self.plan())
        #expect(store.load().first?.failedChanges == nil)
    }

    @Test func `keeps a plan's failed changes if the next interval is refused`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        try store.create(Self.plan())
        store.add(Self.failure(2), of: "studio")
        let before = try #require(store.load().first)
        // The next plan removes the recorded ticks and failures. The camera then refuses the next interval.
        try store.create(Self.plan(count: 3))
        try store.restore(before, of: "studio")
        #expect(store.load() == [before] && store.load().first?.failedChanges == Self.failure(2))
    }

    @Test func `reads a plan that an earlier version wrote`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        try store.create(Self.plan())
        let file = try #require(
            FileManager.default.contentsOfDirectory(atPath: store.folder).first { $0.hasSuffix(".plan") })
        try #"{"camera":"studio","epochWallMs":1000000,"latestUs":0,"missed":[],"next":0,"#
            .appending(#""order":{"count":10,"epochNs":100000000000,"first":0,"periodMs":1000,"ramp":{}},"#)
            .appending(#""refused":[],"shot":0,"state":"running"}"#)
            .write(toFile: "\(store.folder)/\(file)", atomically: true, encoding: .utf8)
        #expect(store.load() == [Self.plan()])
        // A truncated plan is reported, and all other plans are read.
        try #"{"camera":"stu"#.write(toFile: "\(store.folder)/00.plan", atomically: true, encoding: .utf8)
        var unreadable: [String] = []
        let plans = store.load { path, _ in unreadable.append(path) }
        #expect(plans == [Self.plan()])
        #expect(unreadable == ["\(store.folder)/00.plan"])
    }

    @Test func `reads plans and ticks back for any camera id`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        var plans: [IntervalPlan] = []
        for id: CameraID in ["studio", "../../etc/passwd", "0000 0000/ä", ""] {
            var plan = Self.plan()
            plan.camera = id
            try store.create(plan)
            for number in [0, 1, 3] {
                let tick = IntervalTick(number: number, outcome: .shot, latenessUs: number)
                _ = plan.record(tick)
                store.add(tick, of: id)
            }
            plans.append(plan)
        }
        let read = store.load()
        #expect(Set(read) == Set(plans) && read.count == 4)
        // A new interval has no ticks of the previous interval.
        try store.create(Self.plan())
        #expect(store.load().first { $0.camera == "studio" }?.next == 0)
    }
}
