import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct QuietTimeTests {
    private static func facts(free: UInt64?) -> CameraFacts {
        CameraFacts(storages: [CameraStorage(folder: "/store_00010001", freeBytes: free)])
    }

    private static func duties(_ quiet: inout QuietTime, _ ticks: Int) -> [QuietTime.Duty] {
        (0..<ticks).map { _ in quiet.nextDuty() }
    }

    @Test func `compares handles after the start and after announcements only`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        let result1 = Self.duties(&quiet, 3)
        #expect(result1 == [.nothing, .nothing, .reconcile])
        let result2 = Self.duties(&quiet, 100)
        #expect(!result2.contains(.reconcile))
        quiet.recordAnnouncement()
        let result3 = Self.duties(&quiet, 3)
        #expect(result3.last == .reconcile)
    }

    @Test func `compares handles only after a burst is over`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&quiet, 3)
        for _ in 0..<20 {
            quiet.recordAnnouncement()
            let result4 = Self.duties(&quiet, 2)
            #expect(!result4.contains(.reconcile))
        }
        let result5 = quiet.nextDuty()
        #expect(result5 == .reconcile)
    }

    @Test func `compares handles after the computer slept`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&quiet, 100)
        let ticks = quiet.ticksToNextDuty(hasParked: false)
        #expect(ticks > QuietTime.burstOverTicks)
        quiet.computerSlept()
        #expect(quiet.ticksToNextDuty(hasParked: false) == QuietTime.burstOverTicks)
        let result = Self.duties(&quiet, QuietTime.burstOverTicks)
        #expect(result == [.nothing, .nothing, .reconcile])
    }

    @Test func `repeats a comparison that the camera refused`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&quiet, 3)
        quiet.retryLater()
        let result = Self.duties(&quiet, QuietTime.retryTicks)
        #expect(result.count { $0 == .reconcile } == 1 && result.last == .reconcile)
    }

    @Test
    func `relists after a burst without comparing handles when facts are doubted`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&quiet, 3)
        quiet.recordDoubt()
        let first = Self.duties(&quiet, QuietTime.burstOverTicks)
        #expect(first == [.nothing, .nothing, .relist])
        quiet.recordAnnouncement()
        let later = Self.duties(&quiet, QuietTime.burstOverTicks)
        #expect(later.last == .relist)
    }

    @Test func `relists a minute after the last photo if handles are unavailable`() {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var quiet = QuietTime(unlistable: 0, facts: facts)
        let rest = Self.duties(&quiet, 2 * QuietTime.relistTicks)
        #expect(!rest.contains(.relist), "the connection began with a list")
        quiet.recordAnnouncement()
        let afterNews = Self.duties(&quiet, QuietTime.relistTicks)
        #expect(afterNews.count { $0 == .relist } == 1 && afterNews.last == .relist)
        // The free space shrank without an announcement.
        quiet.compareFreeSpace(Self.facts(free: 90))
        let afterLoss = Self.duties(&quiet, QuietTime.relistTicks)
        #expect(afterLoss.count { $0 == .relist } == 1 && afterLoss.last == .relist)
        quiet.recordDoubt()
        let afterDoubt = Self.duties(&quiet, QuietTime.burstOverTicks)
        #expect(afterDoubt.last == .relist)
        #expect(!(rest + afterNews + afterLoss + afterDoubt).contains(.reconcile))
    }

    @Test func `does not relist while free space shrinks during a movie`() {
        var facts = Self.facts(free: 1_000)
        facts.onlyFetchesPhotos = true
        var quiet = QuietTime(unlistable: 0, facts: facts)
        var duties: [QuietTime.Duty] = []
        for free in (1...60).reversed() {
            duties += Self.duties(&quiet, QuietTime.refreshTicks)
            quiet.compareFreeSpace(Self.facts(free: UInt64(free)))
        }
        #expect(!duties.contains(.relist))
        let afterwards = Self.duties(&quiet, QuietTime.relistTicks)
        #expect(afterwards.count { $0 == .relist } == 1 && afterwards.last == .relist)
    }

    @Test func `relists after free space shrinks for ten minutes`() {
        var facts = Self.facts(free: 1_000)
        facts.onlyFetchesPhotos = true
        var quiet = QuietTime(unlistable: 0, facts: facts)
        var duties: [QuietTime.Duty] = []
        for free in (1...200).reversed() {
            duties += Self.duties(&quiet, QuietTime.refreshTicks)
            quiet.compareFreeSpace(Self.facts(free: UInt64(free)))
        }
        #expect(duties.count { $0 == .relist } == 2)
        let first = QuietTime.refreshTicks + QuietTime.shrinkingTicksMax + QuietTime.relistTicks
        #expect(duties.firstIndex(of: .relist) == first - 1)
    }

    @Test(arguments: [(10, 120), (30, 300), (1_200, 1_200)])
    func `waits ten times the listing time, between one and ten minutes, before a relist`(
        listTicks: Int, waitTicks: Int
    ) {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var quiet = QuietTime(unlistable: 0, facts: facts)
        quiet.recordListDuration(ticks: listTicks)
        quiet.recordAnnouncement()
        let duties = Self.duties(&quiet, waitTicks)
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
        // A doubtful announcement makes the next relist due at once.
        quiet.recordDoubt()
        let afterDoubt = Self.duties(&quiet, QuietTime.burstOverTicks)
        #expect(afterDoubt.last == .relist)
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 4), (5, 32), (9, 32)])
    func `waits longer for the next list after lists without new photos`(
        fruitless: Int, factor: Int
    ) {
        var facts = Self.facts(free: 100)
        facts.onlyFetchesPhotos = true
        var quiet = QuietTime(unlistable: 0, fruitlessRelists: fruitless, facts: facts)
        // Some cameras announce a change each time a connection opens.
        quiet.recordAnnouncement()
        let duties = Self.duties(&quiet, factor * QuietTime.relistTicks)
        #expect(duties.count { $0 == .relist } == 1 && duties.last == .relist)
        #expect(quiet.fruitlessRelists(isRelisting: true) == fruitless + 1)
        #expect(quiet.fruitlessRelists(isRelisting: false) == 0)
        quiet.recordNewPhoto()
        quiet.recordAnnouncement()
        let afterPhoto = Self.duties(&quiet, QuietTime.relistTicks)
        #expect(afterPhoto.last == .relist && quiet.fruitlessRelists(isRelisting: true) == 0)
    }

    @Test(arguments: [(false, false), (true, true)])
    func `never relists a camera that cannot list or deletes photos after saving`(
        canList: Bool, mustDelete: Bool
    ) {
        var facts = Self.facts(free: 100)
        (facts.onlyFetchesPhotos, facts.canList, facts.mustDeleteAfterSave) = (true, canList, mustDelete)
        var quiet = QuietTime(unlistable: 0, facts: facts)
        quiet.recordAnnouncement()
        let duties = Self.duties(&quiet, 2 * QuietTime.relistTicks)
        #expect(!duties.contains(.relist))
    }

    @Test func `repeats a postponed relist and requests nothing else`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        _ = Self.duties(&quiet, 3)
        _ = quiet.evaluate(missing: 1, since: quiet.news)
        _ = Self.duties(&quiet, QuietTime.burstOverTicks)
        let isNeeded = quiet.evaluate(missing: 1, since: quiet.news)
        #expect(isNeeded)
        for attempt in 0..<3 {
            let isFirst = quiet.postponeRelist()
            #expect(isFirst == (attempt == 0))
            let duties = Self.duties(&quiet, QuietTime.retryTicks)
            #expect(duties.count { $0 == .relist } == 1 && !duties.contains(.reconcile))
        }
    }

    @Test(
        arguments: [
            (.interval, .running, 25_000, false), (.interval, .running, 15_000, true),
            // The photo is being taken, or the time of the next photo is unknown.
            (.interval, .running, -1, true), (.interval, .running, nil, true),
            (.interval, .ended, 15_000, false), (.bulb, .running, 25_000, true),
            (.bracket, .running, nil, true), (.movie, .failed, nil, false),
        ] as [(CameraOperation.Kind, CameraOperationProgress.State, Int?, Bool)])
    func `postpones a relist for operations except intervals with a distant photo`(
        kind: CameraOperation.Kind, state: CameraOperationProgress.State, inMs: Int?, mustWait: Bool
    ) {
        let nowMs = 1_700_000_000_000
        let operation = CameraOperationProgress(
            kind: kind, state: state, nextAtMs: inMs.map { nowMs + $0 })
        #expect(QuietTime.mustWait(for: operation, nowMs: nowMs) == mustWait)
        #expect(!QuietTime.mustWait(for: nil, nowMs: nowMs))
    }

    @Test func `refreshes battery and space and retries photos at separate intervals`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        let duties = Self.duties(&quiet, 160)
        #expect(duties.count { $0 == .refresh } == 10)
        #expect(duties.count { $0 == .retryParked } == 6, "a tick with a refresh postpones the retry")
    }

    @Test func `retries damaged photos with a backoff from five minutes to one hour`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        let came = Self.duties(&quiet, 40_000).enumerated().filter { $1 == .retryDamaged }.map {
            $0.offset + 1
        }
        let waits = zip([0] + came, came).map { QuietTime.tick * ($1 - $0) }
        #expect(waits == [5, 10, 20, 40, 60, 60, 60, 60].map { .seconds($0 * 60) })
    }

    @Test func `delays a damaged-photo retry while another duty is due`() {
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: 100))
        var (tick, due) = (0, QuietTime.damagedTicks(after: 0))
        var before: Set<[QuietTime.Duty]> = []
        for look in 1...QuietTime.refreshTicks {
            // The announcement makes the comparison due in the same tick as the damaged photos.
            _ = Self.duties(&quiet, due - QuietTime.burstOverTicks - tick)
            quiet.recordAnnouncement()
            _ = Self.duties(&quiet, QuietTime.burstOverTicks - 1)
            let duties = Self.duties(&quiet, 3)
            let place = duties.firstIndex(of: .retryDamaged) ?? duties.endIndex
            before.insert(Array(duties[..<place]))
            tick = due + 2
            due += place + QuietTime.damagedTicks(after: look)
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
        var quiet = QuietTime(unlistable: 0, facts: Self.facts(free: before))
        _ = Self.duties(&quiet, 3)
        quiet.compareFreeSpace(Self.facts(free: now))
        let result6 = Self.duties(&quiet, 3)
        #expect(result6.contains(.reconcile) == isSuspicious)
    }

    @Test func `ignores objects that stay missing after a new connection`() {
        var quiet = QuietTime(unlistable: 0, facts: CameraFacts())
        let result7 = quiet.evaluate(missing: 0, since: quiet.news)
        #expect(!result7)
        _ = quiet.evaluate(missing: 2, since: quiet.news)
        let result8 = quiet.evaluate(missing: 2, since: quiet.news)
        #expect(result8)
        #expect(quiet.unlistable == 2)
        var next = QuietTime(unlistable: quiet.unlistable, facts: CameraFacts())
        next.recordList(missing: 2)
        let result9 = next.evaluate(missing: 2, since: next.news)
        #expect(!result9)
        _ = next.evaluate(missing: 3, since: next.news)
        let result10 = next.evaluate(missing: 3, since: next.news)
        #expect(result10)
    }

    @Test func `detects a missing object after a formerly unlistable object is listed`() {
        var quiet = QuietTime(unlistable: 1, facts: CameraFacts())
        quiet.recordList(missing: 0)
        _ = quiet.evaluate(missing: 1, since: quiet.news)
        let needsNewConnection = quiet.evaluate(missing: 1, since: quiet.news)
        #expect(needsNewConnection)
    }

    @Test func `ignores a photo that is taken during a comparison`() {
        var quiet = QuietTime(unlistable: 0, facts: CameraFacts())
        _ = Self.duties(&quiet, 3)
        let first = quiet.evaluate(missing: 1, since: quiet.news)
        // The camera announces the photo after the comparison.
        quiet.recordAnnouncement()
        let again = Self.duties(&quiet, QuietTime.burstOverTicks)
        let second = quiet.evaluate(missing: 0, since: quiet.news)
        #expect(!first && again.last == .reconcile && !second)
        // The next photo is announced before the result of the comparison.
        let news = quiet.news
        quiet.recordAnnouncement()
        let third = quiet.evaluate(missing: 1, since: news)
        let fourth = quiet.evaluate(missing: 1, since: quiet.news)
        #expect(!third && !fourth)
    }

    @Test func `relists after two comparisons that find an object missing`() {
        var quiet = QuietTime(unlistable: 0, facts: CameraFacts())
        _ = Self.duties(&quiet, 3)
        let first = quiet.evaluate(missing: 1, since: quiet.news)
        let quietly = Self.duties(&quiet, QuietTime.burstOverTicks)
        let second = quiet.evaluate(missing: 1, since: quiet.news)
        #expect(!first && quietly.last == .reconcile && second)
        let third = quiet.evaluate(missing: 2, since: quiet.news)
        quiet.recordAnnouncement()
        _ = Self.duties(&quiet, QuietTime.burstOverTicks)
        let fourth = quiet.evaluate(missing: 2, since: quiet.news)
        #expect(!third && fourth)
    }

    /// Returns the duties with their ticks when each tick is evaluated.
    private static func ticking(_ ticks: Int, news: [Int], hasParked: Bool) -> [String] {
        var quiet = QuietTime(unlistable: 0, facts: CameraFacts())
        var came: [String] = []
        for tick in 1...ticks {
            if news.contains(tick) { quiet.recordAnnouncement() }
            let duty = quiet.nextDuty()
            if duty != .nothing, duty != .retryParked || hasParked { came.append("\(tick): \(duty)") }
        }
        return came
    }

    /// Returns the duties with their ticks when the clock sleeps until the next duty or announcement.
    private static func resting(
        _ ticks: Int, news: [Int], hasParked: Bool
    ) -> (came: [String], looks: Int) {
        var quiet = QuietTime(unlistable: 0, facts: CameraFacts())
        var came: [String] = []
        var (tick, looks) = (0, 0)
        var news = news[...]
        while true {
            looks += 1
            let rest = quiet.ticksToNextDuty(hasParked: hasParked)
            if let heard = news.first, heard <= min(tick + rest, ticks) {
                news.removeFirst()
                quiet.advance(by: heard - 1 - tick)
                tick = heard - 1
                quiet.recordAnnouncement()
                continue
            }
            guard tick + rest <= ticks else { return (came, looks) }
            quiet.advance(by: rest - 1)
            tick += rest
            let duty = quiet.nextDuty()
            if duty != .nothing, duty != .retryParked || hasParked { came.append("\(tick): \(duty)") }
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `runs the same duties when sleeping until the next one`(seed: UInt64) {
        var dice = seed &* 6_364_136_223_846_793_005 &+ 1
        let news = (1...3_000).filter { _ in
            dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (dice >> 33) % 40 < seed % 8
        }
        for hasParked in [false, true] {
            #expect(
                Self.resting(3_000, news: news, hasParked: hasParked).came
                    == Self.ticking(3_000, news: news, hasParked: hasParked))
        }
    }

    @Test func `wakes for an idle camera about eight times a minute`() {
        let minute = Duration.seconds(60) / QuietTime.tick
        #expect(Self.resting(Int(minute), news: [], hasParked: false).looks <= 9)
        #expect(Self.resting(Int(minute), news: [], hasParked: true).looks <= 15)
    }
}
