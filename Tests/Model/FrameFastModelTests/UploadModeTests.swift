import Foundation
import FrameFastModel
import Testing

@Suite struct UploadModeTests {
    static let night = 23 * 60
    static let noon = 12 * 60
    static let policy = UploadModePolicy(minimumRating: 3)

    static func photo(
        _ name: String = "a.jpg", rating: Int? = nil, isProtected: Bool? = nil, bytes: UInt64 = 10
    ) -> Photo { .sample(name, bytes: bytes, rating: rating, isProtected: isProtected) }

    @Test(arguments: [
        (UploadMode.realtime, photo(), noon, UploadDecision.queued(priority: 0)),
        (.offline, photo(), noon, .held(.offline)),
        (.jpegFirst, photo("a.jpg"), noon, .queued(priority: 0)),
        (.jpegFirst, photo("a.mp4"), noon, .queued(priority: 0)),
        (.jpegFirst, photo("a.cr3"), noon, .held(.jpegFirst)),
        (.rated, photo(rating: nil), noon, .held(.unrated)),
        (.rated, photo(rating: 2), noon, .held(.unrated)),
        (.rated, photo(rating: -1), noon, .held(.unrated)),
        (.rated, photo(rating: 3), noon, .queued(priority: 0)),
        (.rated, photo(rating: 0, isProtected: true), noon, .queued(priority: 0)),
        (.manual, photo(), noon, .held(.manual)),
        (.scheduled, photo(), noon, .held(.scheduled)),
        (.scheduled, photo(), night, .queued(priority: 0)),
    ])
    func `each mode queues or holds a photo by its rule`(
        mode: UploadMode, photo: Photo, minute: Int, decision: UploadDecision
    ) {
        #expect(Self.policy.decision(mode, on: photo.record, minuteOfDay: minute) == decision)
    }

    @Test(arguments: UploadMode.allCases)
    func `an unsorted photo is held in every mode`(mode: UploadMode) {
        var photo = Self.photo(rating: 5).record
        photo.isUnsorted = true
        #expect(Self.policy.decision(mode, on: photo, minuteOfDay: Self.night) == .held(.unsorted))
        let held = UploadJobTests.job(.held, hold: .unsorted)
        #expect(Self.policy.change(of: held, to: mode, photo: photo, minuteOfDay: Self.night) == nil)
        let released = UploadJobTests.job(.queued, isReleased: true)
        #expect(Self.policy.change(of: released, to: mode, photo: photo, minuteOfDay: Self.night) == nil)
    }

    @Test(arguments: UploadHold.allCases)
    func `each hold reason has a sentence and a next step`(hold: UploadHold) {
        #expect(hold.sentence.hasSuffix("."))
        #expect(hold.nextStep.hasSuffix("."))
    }

    @Test(arguments: [
        (
            UploadJob.State.held, UploadHold?.some(.offline), UploadMode.realtime,
            UploadJob.Event?.some(.released(byPerson: false))
        ),
        (.held, .offline, .manual, .held(.manual)),
        (.held, .offline, .offline, nil),
        (.held, .person, .realtime, nil),
        (.queued, nil, .offline, .held(.offline)),
        (.retrying, nil, .offline, .held(.offline)),
        (.queued, nil, .realtime, nil),
        (.uploading, nil, .offline, .held(.offline)),
        (.uploading, .offline, .offline, nil),
        (.uploading, .offline, .realtime, .released(byPerson: false)),
        (.failed, nil, .offline, nil),
        (.delivered, nil, .offline, nil),
    ])
    func `a new mode changes only jobs that are not finished`(
        state: UploadJob.State, hold: UploadHold?, mode: UploadMode, event: UploadJob.Event?
    ) {
        let job = UploadJobTests.job(state, hold: hold)
        #expect(
            Self.policy.change(of: job, to: mode, photo: Self.photo().record, minuteOfDay: Self.noon) == event
        )
    }

    @Test func `a released job stays released in every mode`() {
        let job = UploadJobTests.job(.queued, isReleased: true)
        #expect(Self.policy.change(of: job, to: .offline, photo: Self.photo().record, minuteOfDay: 0) == nil)
    }

    @Test(arguments: [
        ("22:00-06:00", 1320, 360), ("9:30 - 17:05", 570, 1025), ("00:00-00:00", 0, 0),
    ])
    func `parses the start and end of an upload window`(text: String, start: Int, end: Int) throws {
        let window = try #require(UploadSchedule.Window(text))
        #expect((window.start, window.end) == (start, end))
    }

    @Test(arguments: [
        "", "22:00", "22-6", "24:00-06:00", "22:60-06:00", "a-b", "22:00-06:00-07:00", "22:0x-06:00",
        "+2:00-06:00", "22:+5-06:00",
    ])
    func `refuses text that is not an upload window`(text: String) {
        #expect(UploadSchedule.Window(text) == nil)
    }

    @Test(arguments: [
        (1319, false, 1), (1320, true, 480), (0, true, 360), (359, true, 1), (360, false, 960),
    ])
    func `a nightly window is open across midnight`(minute: Int, isOpen: Bool, untilChange: Int) {
        #expect(UploadSchedule.nightly.isOpen(at: minute) == isOpen)
        #expect(UploadSchedule.nightly.minutesUntilChange(after: minute) == untilChange)
    }

    @Test func `a schedule without windows, or with a whole-day window, never changes`() {
        #expect(UploadSchedule(windows: [], afterPhotos: 5).minutesUntilChange(after: 0) == nil)
        #expect(UploadSchedule(windows: [.init(start: 5, end: 5)]).minutesUntilChange(after: 0) == nil)
    }

    @Test(arguments: [(true, 60.0, false), (false, 9, false), (false, 10, true)])
    func `releases RAW files after all pictures and a pause without new photos`(
        open: Bool, quiet: Double, may: Bool
    ) {
        #expect(Self.policy.mayReleaseRaw(hasOpenPictures: open, quietSeconds: quiet) == may)
    }

    static let rules: [(UploadRule, Photo, Bool)] = [
        (UploadRule(), photo(), true),
        (UploadRule(types: [.init("picture")]), photo("a.jpg"), true),
        (UploadRule(types: [.init("picture")]), photo("a.cr3"), false),
        (UploadRule(types: [.init(".CR3"), .init("heic")]), photo("A.CR3"), true),
        (UploadRule(types: [.init("heic")]), photo("a.jpg"), false),
        (UploadRule(cameras: ["left"]), photo(), true),
        (UploadRule(cameras: ["right"]), photo(), false),
        (UploadRule(sessions: ["Wedding"]), photo(), true),
        (UploadRule(sessions: ["Party"]), photo(), false),
        (UploadRule(bytesMin: 10, bytesMax: 10), photo(), true),
        (UploadRule(bytesMin: 11), photo(), false),
        (UploadRule(bytesMax: 9), photo(), false),
        (UploadRule(minimumRating: 3), photo(rating: 3), true),
        (UploadRule(minimumRating: 3), photo(rating: 2), false),
        (UploadRule(minimumRating: 3), photo(isProtected: true), true),
    ]

    @Test(
        arguments: [
            (3, false, nil, true), (2, false, nil, false), (0, false, 3, true), (5, true, 5, false),
        ] as [(Int, Bool, Int?, Bool)])
    func `a minimum rating applies to people's stars, and a reject overrides it`(
        stars: Int, isRejected: Bool, ownRating: Int?, isTaken: Bool
    ) {
        var verdict = ShotVerdict()
        (verdict.stars, verdict.isRejectedByOwner) = (stars, isRejected)
        let photo = Self.photo(rating: ownRating)
        #expect((UploadRule(minimumRating: 3).refusal(of: photo, verdict: verdict) == nil) == isTaken)
        #expect(UploadRule(minimumRating: 3).permanentRefusal(of: photo) == nil)
        #expect(UploadRule().refusal(of: photo, verdict: verdict) == nil)
    }

    @Test(arguments: rules)
    func `an upload rule accepts only matching photos`(rule: UploadRule, photo: Photo, isTaken: Bool) {
        #expect((rule.refusal(of: photo) == nil) == isTaken)
    }

    @Test(arguments: [
        ("7 d", RetentionRule?.some(.days(7))), ("30d", .days(30)), ("forever", .forever),
        ("until-delivered", .untilDelivered), ("", nil), ("d", nil), ("0 d", nil), ("-7 d", nil),
        ("2 w", .days(14)), ("48 h", .days(2)), ("36 h", nil), ("1.5 d", nil), ("7", nil), ("36501 d", nil),
    ])
    func `parses retention rules and returns their text`(text: String, rule: RetentionRule?) {
        #expect(RetentionRule(text) == rule)
        if let rule { #expect(RetentionRule(rule.text) == rule) }
    }

    @Test func `clears only photos older than the retention rule allows`() {
        let now = UploadJobTests.now
        #expect(RetentionRule.days(7).clearsSavedBefore(now) == now.addingTimeInterval(-604_800))
        #expect(RetentionRule.untilDelivered.clearsSavedBefore(now) == now)
        #expect(RetentionRule.forever.clearsSavedBefore(now) == nil)
    }

    /// The camera's time is local time, and its zone can be 14 hours ahead of UTC.
    @Test(
        arguments: [
            (nil, false), (-100, false), (-7, false), (-6.5, false), (-6, true), (-1, true), (0, true),
            (1, false),
            (400, false),
        ] as [(Double?, Bool)])
    func `keeps photos whose camera time is after the cutoff date`(days: Double?, isKept: Bool) throws {
        let now = UploadJobTests.now
        let time = days.map { Int64(now.timeIntervalSince1970 + $0 * 86_400) }
        let cutoff = try #require(RetentionRule.days(7).clearsSavedBefore(now))
        #expect(RetentionRule.isTaken(time, after: cutoff, now: now) == isKept)
        #expect(!RetentionRule.isTaken(time, after: now, now: now))
    }
}
