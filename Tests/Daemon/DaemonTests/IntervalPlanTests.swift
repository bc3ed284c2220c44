import FrameFastModel
import TestRig
import Testing

@testable import FrameFastDaemon

/// Which photos of an interval were taken, which were missed, and which come next.
@Suite struct IntervalPlanTests {
    private static let second: UInt64 = 1_000_000_000

    /// Ten photos, a second apart; the first is 100 s after the computer's start, at 1,000 s by the wall clock.
    private static func plan(count: Int = 10) -> IntervalPlan {
        IntervalPlan(
            camera: "studio", order: IntervalOrder(epochNs: 100 * second, periodMs: 1_000, count: count),
            epochWallMs: 1_000_000)
    }

    /// What the plan says is still to be done; the plan changes by it.
    private static func resume(
        _ plan: inout IntervalPlan, nowNs: UInt64, nowWallMs: Int64, leadNs: UInt64 = 0
    ) -> IntervalOrder? {
        plan.resumed(nowNs: nowNs, nowWallMs: nowWallMs, leadNs: leadNs)
    }

    private static func runs(_ runs: [IntervalPlan.Run]) -> [[Int]] { runs.map { [$0.first, $0.last] } }

    @Test func `ticks are counted once, in their order, and what was not told of was missed`() {
        var plan = Self.plan()
        let news = [(0, 5), (1, 70), (1, 9), (4, 20), (3, 1), (99, 1)].map { number, lateness in
            plan.note(IntervalTick(number: number, outcome: .shot, latenessUs: lateness))
        }
        #expect(news == [true, true, false, true, false, false])
        #expect(plan.shot == 3 && plan.latestUs == 70 && plan.next == 5)
        #expect(Self.runs(plan.missed) == [[2, 3]])
        _ = plan.note(IntervalTick(number: 5, outcome: .refused))
        _ = plan.note(IntervalTick(number: 6, outcome: .missed))
        _ = plan.note(IntervalTick(number: 7, outcome: .missed))
        #expect(Self.runs(plan.refused) == [[5, 5]] && Self.runs(plan.missed) == [[2, 3], [6, 7]])
    }

    @Test func `a late report of the interval before it does not change it`() {
        let plan = Self.plan()
        func report(_ epochNs: UInt64?) -> CameraOperationProgress {
            CameraOperationProgress(kind: .interval, state: .stopped, epochNs: epochNs)
        }
        #expect(plan.isSubject(of: report(100 * Self.second)))
        #expect(!plan.isSubject(of: report(99 * Self.second)))
        #expect(!plan.isSubject(of: report(nil)))
    }

    @Test func `after a break it goes on with the first tick that can be reached`() {
        var plan = Self.plan()
        _ = plan.note(IntervalTick(number: 0, outcome: .shot))
        _ = plan.note(IntervalTick(number: 1, outcome: .shot))
        // 104.2 s: ticks 2 to 4 are past.
        let order = Self.resume(&plan, nowNs: 104_200_000_000, nowWallMs: 1_004_200, leadNs: Self.second / 2)
        #expect(order?.first == 5 && order?.due(5) == 105 * Self.second)
        #expect(Self.runs(plan.missed) == [[2, 4]])
        // 104.6 s: tick 5 is too near.
        let later = Self.resume(&plan, nowNs: 104_600_000_000, nowWallMs: 1_004_600, leadNs: Self.second / 2)
        #expect(later?.first == 6 && Self.runs(plan.missed) == [[2, 5]])
    }

    @Test func `before its first tick nothing is missed`() {
        var plan = Self.plan()
        let order = Self.resume(&plan, nowNs: 98 * Self.second, nowWallMs: 998_000, leadNs: Self.second / 2)
        #expect(order?.first == 0 && plan.missed.isEmpty)
    }

    @Test func `when all ticks are past it has ended`() {
        var plan = Self.plan()
        let order = Self.resume(&plan, nowNs: 200 * Self.second, nowWallMs: 1_100_000)
        #expect(order == nil)
        #expect(plan.state == .ended && Self.runs(plan.missed) == [[0, 9]] && plan.next == 10)
    }

    @Test func `after a restart of the computer the wall clock says which tick is next`() throws {
        var plan = Self.plan(count: 1_000)
        // Up for 20 s; 300 s after the first tick by the wall clock.
        let now = 20 * Self.second
        let order = Self.resume(&plan, nowNs: 400 * Self.second, nowWallMs: 1_300_000, leadNs: 0)
        #expect(order?.first == 301)
        // The epoch would be before this start: its ticks count from the start then, and none is due twice.
        let again = Self.resume(&plan, nowNs: now, nowWallMs: 1_310_000, leadNs: 0)
        let next = try #require(again)
        #expect(next.first >= 301 && next.due(next.first) > now)
    }

    @Test func `a plan and its ticks are read as they were written, for ids of any text`() throws {
        let folder = try ScratchFolder()
        let store = IntervalStore(folder: folder.path("intervals"))
        var plans: [IntervalPlan] = []
        for id: CameraID in ["studio", "../../etc/passwd", "0000 0000/ä", ""] {
            var plan = Self.plan()
            plan.camera = id
            try store.begin(plan)
            for number in [0, 1, 3] {
                let tick = IntervalTick(number: number, outcome: .shot, latenessUs: number)
                _ = plan.note(tick)
                store.add(tick, of: id)
            }
            plans.append(plan)
        }
        let read = store.load()
        #expect(Set(read) == Set(plans) && read.count == 4)
        // A new interval knows nothing of the ticks of the last one.
        try store.begin(Self.plan())
        #expect(store.load().first { $0.camera == "studio" }?.next == 0)
    }
}
