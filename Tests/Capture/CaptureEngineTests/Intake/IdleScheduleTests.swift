import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct IdleScheduleTests {
    private static func facts(free: UInt64?) -> CameraFacts {
        CameraFacts(storages: [CameraStorage(folder: "/store_00010001", freeBytes: free)])
    }

    private static func duties(_ schedule: inout IdleSchedule, _ ticks: Int) -> [IdleSchedule.Duty] {
        (0..<ticks).map { _ in schedule.nextDuty() }
    }

    @Test func `compares handles after the start and after announcements, not in between`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        let result1 = Self.duties(&schedule, 3)
        #expect(result1 == [.nothing, .nothing, .reconcile])
        let result2 = Self.duties(&schedule, 100)
        #expect(!result2.contains(.reconcile))
        schedule.recordAnnouncement()
        let result3 = Self.duties(&schedule, 3)
        #expect(result3.last == .reconcile)
    }

    @Test func `compares handles only after a burst is over`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&schedule, 3)
        for _ in 0..<20 {
            schedule.recordAnnouncement()
            let result4 = Self.duties(&schedule, 2)
            #expect(!result4.contains(.reconcile))
        }
        let result5 = schedule.nextDuty()
        #expect(result5 == .reconcile)
    }

    @Test func `compares handles after the computer slept`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&schedule, 100)
        let ticks = schedule.ticksToNextDuty(hasParked: false)
        #expect(ticks > IdleSchedule.burstOverTicks)
        schedule.computerSlept()
        #expect(schedule.ticksToNextDuty(hasParked: false) == IdleSchedule.burstOverTicks)
        let result = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(result == [.nothing, .nothing, .reconcile])
    }

    @Test func `repeats a comparison that the camera refused`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&schedule, 3)
        schedule.retryLater()
        let result = Self.duties(&schedule, IdleSchedule.retryTicks)
        #expect(result.count { $0 == .reconcile } == 1 && result.last == .reconcile)
    }

    @Test
    func `relists after a burst with doubtful facts, without comparing handles`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&schedule, 3)
        schedule.recordDoubt()
        let first = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(first == [.nothing, .nothing, .relist])
        schedule.recordAnnouncement()
        let later = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(later.last == .relist)
    }

    /// A slow ledger may drop announcements in each connection.
    @Test(arguments: [(0, IdleSchedule.burstOverTicks), (1, 240), (2, 480), (9, 3_840)])
    func `delays the relist after a drop if earlier lists found nothing`(fruitless: Int, ticks: Int) {
        var schedule = IdleSchedule(
            unlistable: 0, fruitlessRelists: fruitless, facts: Self.facts(free: 100))
        schedule.recordDrop()
        let duties = Self.duties(&schedule, ticks)
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
        #expect(!duties.contains(.reconcile))
        // A doubtful announcement causes a relist without this delay.
        schedule.recordDrop()
        schedule.recordDoubt()
        let afterDoubt = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(afterDoubt.last == .relist)
    }

    @Test func `relists a minute after the last photo if handles are unavailable`() {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var schedule = IdleSchedule(unlistable: 0, facts: facts)
        let rest = Self.duties(&schedule, 2 * IdleSchedule.relistTicks)
        #expect(!rest.contains(.relist), "the connection began with a list")
        schedule.recordAnnouncement()
        let afterNews = Self.duties(&schedule, IdleSchedule.relistTicks)
        #expect(afterNews.count { $0 == .relist } == 1 && afterNews.last == .relist)
        // The free space shrank without an announcement.
        schedule.compareFreeSpace(Self.facts(free: 90))
        let afterLoss = Self.duties(&schedule, IdleSchedule.relistTicks)
        #expect(afterLoss.count { $0 == .relist } == 1 && afterLoss.last == .relist)
        schedule.recordDoubt()
        let afterDoubt = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(afterDoubt.last == .relist)
        #expect(!(rest + afterNews + afterLoss + afterDoubt).contains(.reconcile))
    }

    @Test func `does not relist while free space shrinks during a movie`() {
        var facts = Self.facts(free: 1_000)
        facts.onlyFetchesPhotos = true
        var schedule = IdleSchedule(unlistable: 0, facts: facts)
        var duties: [IdleSchedule.Duty] = []
        for free in (1...60).reversed() {
            duties += Self.duties(&schedule, IdleSchedule.refreshTicks)
            schedule.compareFreeSpace(Self.facts(free: UInt64(free)))
        }
        #expect(!duties.contains(.relist))
        let afterwards = Self.duties(&schedule, IdleSchedule.relistTicks)
        #expect(afterwards.count { $0 == .relist } == 1 && afterwards.last == .relist)
    }

    @Test func `relists after free space shrinks for ten minutes`() {
        var facts = Self.facts(free: 1_000)
        facts.onlyFetchesPhotos = true
        var schedule = IdleSchedule(unlistable: 0, facts: facts)
        var duties: [IdleSchedule.Duty] = []
        for free in (1...200).reversed() {
            duties += Self.duties(&schedule, IdleSchedule.refreshTicks)
            schedule.compareFreeSpace(Self.facts(free: UInt64(free)))
        }
        #expect(duties.count { $0 == .relist } == 2)
        let first = IdleSchedule.refreshTicks + IdleSchedule.shrinkingTicksMax + IdleSchedule.relistTicks
        #expect(duties.firstIndex(of: .relist) == first - 1)
    }

    @Test(arguments: [(10, 120), (30, 300), (1_200, 1_200)])
    func `waits ten times the listing time before a relist, from one to ten minutes`(
        listTicks: Int, waitTicks: Int
    ) {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var schedule = IdleSchedule(unlistable: 0, facts: facts)
        schedule.recordListDuration(ticks: listTicks)
        schedule.recordAnnouncement()
        let duties = Self.duties(&schedule, waitTicks)
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
        // After a doubtful announcement, a relist is due as soon as the burst is over.
        schedule.recordDoubt()
        let afterDoubt = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        #expect(afterDoubt.last == .relist)
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 4), (5, 32), (9, 32)])
    func `waits longer for the next list after lists without new photos`(
        fruitless: Int, factor: Int
    ) {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var schedule = IdleSchedule(unlistable: 0, fruitlessRelists: fruitless, facts: facts)
        // Some cameras announce a change each time a connection opens.
        schedule.recordAnnouncement()
        let duties = Self.duties(&schedule, factor * IdleSchedule.relistTicks)
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
        #expect(schedule.fruitlessRelists(isRelisting: true) == fruitless + 1)
        #expect(schedule.fruitlessRelists(isRelisting: false) == 0)
        schedule.recordNewPhoto()
        schedule.recordAnnouncement()
        let afterPhoto = Self.duties(&schedule, IdleSchedule.relistTicks)
        #expect(afterPhoto.last == .relist && schedule.fruitlessRelists(isRelisting: true) == 0)
    }

    @Test(arguments: [(false, false), (true, true)])
    func `never relists if listing is impossible or the memory must be emptied`(
        canList: Bool, mustDelete: Bool
    ) {
        var facts = Self.facts(free: 100)
        (facts.onlyFetchesPhotos, facts.canList, facts.mustDeleteAfterSave) = (true, canList, mustDelete)
        var schedule = IdleSchedule(unlistable: 0, facts: facts)
        schedule.recordAnnouncement()
        let duties = Self.duties(&schedule, 2 * IdleSchedule.relistTicks)
        #expect(!duties.contains(.relist))
    }

    @Test func `repeats a postponed relist without comparing handles`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&schedule, 3)
        _ = schedule.evaluate(missing: 1, since: schedule.announcements)
        _ = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        let isNeeded = schedule.evaluate(missing: 1, since: schedule.announcements)
        #expect(isNeeded)
        for attempt in 0..<3 {
            let isFirst = schedule.postponeRelist()
            #expect(isFirst == (attempt == 0))
            let duties = Self.duties(&schedule, IdleSchedule.retryTicks)
            #expect(duties.count { $0 == .relist } == 1 && !duties.contains(.reconcile))
        }
    }

    @Test(
        arguments: [
            (.interval, .running, 125, false), (.interval, .running, 115, true),
            // The photo is being taken, or the time of the next photo is unknown.
            (.interval, .running, 99, true), (.interval, .running, nil, true),
            (.interval, .ended, 115, false), (.bulb, .running, 125, true),
            (.bracket, .running, nil, true), (.movie, .failed, nil, false),
        ] as [(CameraOperation.Kind, CameraOperationProgress.State, UInt64?, Bool)])
    func `postpones a relist during operations, except in long interval pauses`(
        kind: CameraOperation.Kind, state: CameraOperationProgress.State, nextSecond: UInt64?, mustWait: Bool
    ) {
        let nowNs: UInt64 = 100_000_000_000
        let operation = CameraOperationProgress(
            kind: kind, state: state, nextNs: nextSecond.map { $0 * 1_000_000_000 })
        #expect(IdleSchedule.mustWait(for: operation, nowNs: nowNs) == mustWait)
        #expect(!IdleSchedule.mustWait(for: nil, nowNs: nowNs))
    }

    /// A Fujifilm does not report its dials, so the worker reads them at each refresh.
    @Test func `keeps the refresh interval during an hour without photos`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: nil))
        let (minute, hour) = (120, 7_200)
        let duties = Self.duties(&schedule, hour)
        let refreshes = duties.indices.filter { $0 >= minute && duties[$0] == .refresh }
        #expect(refreshes.count >= (hour - minute) / IdleSchedule.refreshTicks)
        #expect(zip(refreshes, refreshes.dropFirst()).allSatisfy { $1 - $0 == IdleSchedule.refreshTicks })
        #expect(IdleSchedule.tick * IdleSchedule.refreshTicks == .seconds(8))
    }

    @Test func `refreshes battery and space and retries photos at separate intervals`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        let duties = Self.duties(&schedule, 160)
        #expect(duties.count { $0 == .refresh } == 10)
        #expect(duties.count { $0 == .retryParked } == 6, "a tick with a refresh postpones the retry")
    }

    @Test func `retries damaged photos with a backoff from five minutes to one hour`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        let came = Self.duties(&schedule, 40_000).enumerated().filter { $1 == .retryDamaged }.map {
            $0.offset + 1
        }
        let waits = zip([0] + came, came).map { IdleSchedule.tick * ($1 - $0) }
        #expect(waits == [5, 10, 20, 40, 60, 60, 60, 60].map { .seconds($0 * 60) })
    }

    @Test func `delays a damaged-photo retry while another duty is due`() {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: 100))
        var (tick, due) = (0, IdleSchedule.damagedTicks(after: 0))
        var before: Set<[IdleSchedule.Duty]> = []
        for look in 1...IdleSchedule.refreshTicks {
            // The announcement makes the comparison due in the same tick as the damaged photos' retry.
            _ = Self.duties(&schedule, due - IdleSchedule.burstOverTicks - tick)
            schedule.recordAnnouncement()
            _ = Self.duties(&schedule, IdleSchedule.burstOverTicks - 1)
            let duties = Self.duties(&schedule, 3)
            let place = duties.firstIndex(of: .retryDamaged) ?? duties.endIndex
            before.insert(Array(duties[..<place]))
            tick = due + 2
            due += place + IdleSchedule.damagedTicks(after: look)
        }
        #expect(before == [[.reconcile], [.reconcile, .refresh]])
    }

    @Test(arguments: [
        (100 as UInt64?, 90 as UInt64?, true), (100, 100, false), (100, 110, false), (nil, 90, false),
        (100, nil, false),
    ])
    func `compares handles after free space shrinks without an announcement`(
        before: UInt64?, now: UInt64?, isSuspicious: Bool
    ) {
        var schedule = IdleSchedule(unlistable: 0, facts: Self.facts(free: before))
        _ = Self.duties(&schedule, 3)
        schedule.compareFreeSpace(Self.facts(free: now))
        let result6 = Self.duties(&schedule, 3)
        #expect(result6.contains(.reconcile) == isSuspicious)
    }

    @Test func `ignores objects that stay missing after a new connection`() {
        var schedule = IdleSchedule(unlistable: 0, facts: CameraFacts())
        let result7 = schedule.evaluate(missing: 0, since: schedule.announcements)
        #expect(!result7)
        _ = schedule.evaluate(missing: 2, since: schedule.announcements)
        let result8 = schedule.evaluate(missing: 2, since: schedule.announcements)
        #expect(result8)
        #expect(schedule.unlistable == 2)
        var next = IdleSchedule(unlistable: schedule.unlistable, facts: CameraFacts())
        next.recordList(missing: 2)
        let result9 = next.evaluate(missing: 2, since: next.announcements)
        #expect(!result9)
        _ = next.evaluate(missing: 3, since: next.announcements)
        let result10 = next.evaluate(missing: 3, since: next.announcements)
        #expect(result10)
    }

    @Test func `detects a missing object after an unlistable object became listable`() {
        var schedule = IdleSchedule(unlistable: 1, facts: CameraFacts())
        schedule.recordList(missing: 0)
        _ = schedule.evaluate(missing: 1, since: schedule.announcements)
        let needsNewConnection = schedule.evaluate(missing: 1, since: schedule.announcements)
        #expect(needsNewConnection)
    }

    @Test func `does not relist for a photo that is taken during a comparison`() {
        var schedule = IdleSchedule(unlistable: 0, facts: CameraFacts())
        _ = Self.duties(&schedule, 3)
        let first = schedule.evaluate(missing: 1, since: schedule.announcements)
        // The camera announces the photo after the comparison.
        schedule.recordAnnouncement()
        let again = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        let second = schedule.evaluate(missing: 0, since: schedule.announcements)
        #expect(!first && again.last == .reconcile && !second)
        // The next photo is announced before the result of the comparison arrives.
        let announcements = schedule.announcements
        schedule.recordAnnouncement()
        let third = schedule.evaluate(missing: 1, since: announcements)
        let fourth = schedule.evaluate(missing: 1, since: schedule.announcements)
        #expect(!third && !fourth)
    }

    @Test func `relists after two comparisons that find an object missing`() {
        var schedule = IdleSchedule(unlistable: 0, facts: CameraFacts())
        _ = Self.duties(&schedule, 3)
        let first = schedule.evaluate(missing: 1, since: schedule.announcements)
        let next = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        let second = schedule.evaluate(missing: 1, since: schedule.announcements)
        #expect(!first && next.last == .reconcile && second)
        let third = schedule.evaluate(missing: 2, since: schedule.announcements)
        schedule.recordAnnouncement()
        _ = Self.duties(&schedule, IdleSchedule.burstOverTicks)
        let fourth = schedule.evaluate(missing: 2, since: schedule.announcements)
        #expect(!third && fourth)
    }

    /// Calls `nextDuty` at each tick. Returns the duties with their ticks.
    private static func ticking(_ ticks: Int, announcements: [Int], hasParked: Bool) -> [String] {
        var schedule = IdleSchedule(unlistable: 0, facts: CameraFacts())
        var due: [String] = []
        for tick in 1...ticks {
            if announcements.contains(tick) { schedule.recordAnnouncement() }
            let duty = schedule.nextDuty()
            if duty != .nothing, duty != .retryParked || hasParked { due.append("\(tick): \(duty)") }
        }
        return due
    }

    /// Sleeps until each next duty or announcement. Returns the duties with their ticks, and the number of
    /// wakeups.
    private static func resting(
        _ ticks: Int, announcements: [Int], hasParked: Bool
    ) -> (due: [String], wakeups: Int) {
        var schedule = IdleSchedule(unlistable: 0, facts: CameraFacts())
        var due: [String] = []
        var (tick, wakeups) = (0, 0)
        var announcements = announcements[...]
        while true {
            wakeups += 1
            let rest = schedule.ticksToNextDuty(hasParked: hasParked)
            if let announcement = announcements.first, announcement <= min(tick + rest, ticks) {
                announcements.removeFirst()
                schedule.advance(by: announcement - 1 - tick)
                tick = announcement - 1
                schedule.recordAnnouncement()
                continue
            }
            guard tick + rest <= ticks else { return (due, wakeups) }
            schedule.advance(by: rest - 1)
            tick += rest
            let duty = schedule.nextDuty()
            if duty != .nothing, duty != .retryParked || hasParked { due.append("\(tick): \(duty)") }
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `returns the same duties whether the caller sleeps or asks at each tick`(seed: UInt64) {
        var generator = seed &* 6_364_136_223_846_793_005 &+ 1
        let announcements = (1...3_000).filter { _ in
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (generator >> 33) % 40 < seed % 8
        }
        for hasParked in [false, true] {
            #expect(
                Self.resting(3_000, announcements: announcements, hasParked: hasParked).due
                    == Self.ticking(3_000, announcements: announcements, hasParked: hasParked))
        }
    }

    @Test func `wakes for an idle camera at most 9 times a minute, or 15 with parked photos`() {
        let minute = Duration.seconds(60) / IdleSchedule.tick
        #expect(Self.resting(Int(minute), announcements: [], hasParked: false).wakeups <= 9)
        #expect(Self.resting(Int(minute), announcements: [], hasParked: true).wakeups <= 15)
    }
}
