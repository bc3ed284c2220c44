import Foundation
import FrameFastModel
import Testing

@testable import Notices

/// What is told and when, without time and ledger.
@Suite struct NoticeBookTests {
    private static let start = Date(timeIntervalSince1970: 1_795_271_130)

    private static func condition(
        _ kind: ConditionKind = .destinationAway, _ severity: Condition.Severity? = nil
    ) -> Condition {
        Condition(
            kind, severity, since: start, subject: .destination("nas"), sentence: "Something is wrong.",
            nextStep: "Mend it.")
    }

    private static func notice(
        delay: Duration = .zero, quiet: UploadSchedule.Window? = nil, zone: TimeZone = .gmt
    ) -> Notice {
        Notice(name: "phone", channel: .desktop, delay: delay, quiet: quiet, zone: zone)
    }

    private static func book(_ notice: Notice = notice(), _ entries: [NoticeEntry] = []) -> NoticeBook {
        NoticeBook(notice, entries, at: start)
    }

    @Test func `a condition is told once when it begins, and once when it ends`() {
        var book = Self.book()
        let away = [Self.condition()]
        #expect(book.look(away, at: Self.start) { _ in "nas" }.keep.map(\.stage) == [.begun])
        let begun = book.due(at: Self.start)
        #expect(begun.map(\.name) == ["nas"])
        #expect(book.settle(begun, at: Self.start).keep.map(\.stage) == [.told])
        #expect(book.look(away, at: Self.start + 1) { _ in nil }.isEmpty)
        #expect(book.due(at: Self.start + 1) == [] && book.nextLook(after: Self.start + 1) == nil)
        #expect(book.look([], at: Self.start + 2) { _ in nil }.keep.map(\.stage) == [.ended])
        let ended = book.due(at: Self.start + 2)
        #expect(ended.map(\.endedAt) == [Self.start + 2])
        #expect(book.settle(ended, at: Self.start + 3).remove == ended)
        #expect(book.entries.isEmpty)
    }

    @Test func `what comes and goes within the delay is not told`() {
        var book = Self.book(Self.notice(delay: .seconds(5)))
        let away = [Self.condition()]
        #expect(book.look(away, at: Self.start) { _ in nil }.isEmpty)
        #expect(book.nextLook(after: Self.start) == Self.start + 5)
        #expect(book.look([], at: Self.start + 4) { _ in nil }.isEmpty)
        // It begins anew.
        #expect(book.look(away, at: Self.start + 5) { _ in nil }.isEmpty)
        #expect(book.look(away, at: Self.start + 10) { _ in nil }.keep.count == 1)
        _ = book.settle(book.due(at: Self.start + 10), at: Self.start + 10)
        // So does its end.
        #expect(book.look([], at: Self.start + 20) { _ in nil }.isEmpty)
        #expect(book.look(away, at: Self.start + 24) { _ in nil }.isEmpty)
        #expect(book.look([], at: Self.start + 30) { _ in nil }.isEmpty)
        #expect(book.look([], at: Self.start + 35) { _ in nil }.keep.map(\.stage) == [.ended])
    }

    @Test
    func
        `what nobody could be told of is over without a word, and what is back before its end was told as well`()
    {
        var book = Self.book()
        _ = book.look([Self.condition()], at: Self.start) { _ in nil }
        #expect(book.look([], at: Self.start + 1) { _ in nil }.remove.count == 1)
        #expect(book.due(at: Self.start + 1) == [])
        _ = book.look([Self.condition()], at: Self.start + 2) { _ in nil }
        _ = book.settle(book.due(at: Self.start + 2), at: Self.start + 2)
        _ = book.look([], at: Self.start + 3) { _ in nil }
        #expect(book.look([Self.condition()], at: Self.start + 4) { _ in nil }.keep.map(\.stage) == [.told])
        #expect(book.due(at: Self.start + 4) == [])
    }

    @Test(arguments: [
        // 23:30 in Berlin is 22:30 in UTC in winter; this computer's own zone does not matter.
        ("2026-01-10T22:30:00Z", "2026-01-11T06:00:00Z"), ("2026-07-10T22:30:00Z", "2026-07-11T05:00:00Z"),
        ("2026-01-11T05:59:59Z", "2026-01-11T06:00:00Z"), ("2026-01-11T06:00:00Z", nil),
        ("2026-01-10T20:59:00Z", nil), ("2026-01-10T21:00:00Z", "2026-01-11T06:00:00Z"),
    ])
    func `quiet hours are those of their zone, in summer and in winter`(now: String, end: String?) throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let notice = Self.notice(quiet: UploadSchedule.Window("22:00-07:00"), zone: berlin)
        let at = try Date(now, strategy: .iso8601)
        #expect(notice.quietUntil(at) == (try end.map { try Date($0, strategy: .iso8601) }))
    }

    @Test func `quiet hours hold back all but what loses photos, and tell the rest at once when they end`()
        throws
    {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        // 23:00 in Tokyo.
        let night = try Date("2026-01-10T14:00:00Z", strategy: .iso8601)
        let morning = try Date("2026-01-10T22:00:00Z", strategy: .iso8601)
        var book = Self.book(Self.notice(quiet: UploadSchedule.Window("22:00-07:00"), zone: tokyo))
        let full = Self.condition(.diskFull)
        let others = [Self.condition(), Self.condition(.uploadFailed, .warning)]
        _ = book.look(others + [full], at: night) { _ in nil }
        let told = book.due(at: night)
        #expect(told.map(\.condition) == [full])
        _ = book.settle(told, at: night)
        #expect(book.nextLook(after: night) == morning)
        // One of them is over before the morning, and the disk has room again: no need to wake anybody.
        _ = book.look([others[0]], at: night + 60) { _ in nil }
        #expect(book.due(at: night + 60) == [])
        #expect(book.due(at: morning).map(\.condition.kind) == [.diskFull, .destinationAway])
        #expect(book.due(at: morning).map(\.stage) == [.ended, .begun])
    }

    @Test
    func `after a start nothing is told twice, and what ended meanwhile is told when nobody found it again`()
    {
        let told = NoticeEntry(notice: "phone", condition: Self.condition(), stage: .told)
        let other = NoticeEntry(notice: "phone", condition: Self.condition(.uploadFailed), stage: .told)
        var book = Self.book(Self.notice(), [told, other])
        #expect(book.look([], at: Self.start) { _ in nil }.isEmpty)
        #expect(book.nextLook(after: Self.start) == Self.start + 60)
        #expect(book.look([told.condition], at: Self.start + 30) { _ in nil }.isEmpty)
        let changes = book.look([told.condition], at: Self.start + 60) { _ in nil }
        #expect(changes.keep.map(\.condition.kind) == [.uploadFailed] && changes.keep[0].stage == .ended)
    }

    @Test(arguments: [
        (Condition.Severity.warning, NoticeEntry.Stage.begun, NoticeEntry.Stage?.some(.told)),
        (.danger, .begun, .begun), (.warning, .ended, nil), (.danger, .ended, .ended),
    ])
    func `a try that was cut short counts as told, unless photos may be lost`(
        severity: Condition.Severity, stage: NoticeEntry.Stage, after: NoticeEntry.Stage?
    ) {
        let entry = NoticeEntry(
            notice: "phone", condition: Self.condition(.destinationAway, severity), stage: stage,
            isBeingTold: true)
        #expect(entry.afterInterruption?.stage == after)
        #expect(entry.afterInterruption?.isBeingTold != true)
    }

    private static let kinds: [NoticeChannel] = [
        .desktop, .webhook(NoticeAddress(url: "http://a/b")), .ntfy(NoticeAddress(url: "http://a/b")),
        .mail(NoticeMail(to: ["a@b"], from: "a@b", sendmail: "/bin/true")),
    ]

    @Test(arguments: kinds, [nil, 1_800])
    func `an hour without the server is told once and its end once, also when the service is killed in it`(
        channel: NoticeChannel, killedAt: Int?
    ) {
        let notice = Notice(name: "phone", channel: channel, delay: .seconds(5))
        var (book, ledger) = (Self.book(notice), [Condition.Key: NoticeEntry]())
        var told: [(second: Int, stages: [NoticeEntry.Stage])] = []
        func write(_ changes: NoticeBook.Changes) {
            for entry in changes.keep { ledger[entry.condition.key] = entry }
            for entry in changes.remove { ledger[entry.condition.key] = nil }
        }
        // Five minutes before, an hour without it, and ten minutes after, second by second.
        for second in -300..<4_200 {
            let now = Self.start + Double(second)
            if second == killedAt {
                book = NoticeBook(notice, ledger.values.compactMap(\.afterInterruption), at: now)
            }
            // After its start the service needs a while to find out again.
            let isFound = killedAt.map { !($0..<$0 + 20).contains(second) } ?? true
            let isAway = (0..<3_600).contains(second) && isFound
            write(book.look(isAway ? [Self.condition()] : [], at: now) { _ in "nas" })
            let due = book.due(at: now)
            guard !due.isEmpty else { continue }
            write(book.mark(due, isBeingTold: true))
            told.append((second, due.map(\.stage)))
            write(book.settle(due, at: now))
        }
        #expect(told.map { $0.stages } == [[.begun], [.ended]])
        #expect(told.map { $0.second } == [5, 3_605])
        #expect(ledger.isEmpty)
    }

    @Test func `what flaps all night becomes a bounded number of messages`() {
        var book = Self.book()
        var (messages, now) = (0, Self.start)
        for round in 0..<1_800 {
            now = Self.start + Double(round)
            _ = book.look(round.isMultiple(of: 2) ? [Self.condition()] : [], at: now) { _ in nil }
            let due = book.due(at: now)
            guard !due.isEmpty else { continue }
            messages += 1
            _ = book.settle(due, at: now)
        }
        #expect(messages == NoticeBook.messagesPerHourMax)
    }

    @Test(arguments: [
        (ConditionKind.destinationAway, Condition.Severity.warning, true), (.destinationAway, .info, false),
        (.noticeUndelivered, .danger, false), (.diskLow, .danger, false),
    ])
    func `a notice tells what it is for, and never that a notice does not arrive`(
        kind: ConditionKind, severity: Condition.Severity, isWanted: Bool
    ) {
        let notice = Notice(
            name: "phone", channel: .desktop, conditions: [.destinationAway, .noticeUndelivered])
        #expect(notice.wants(Self.condition(kind, severity)) == isWanted)
    }
}
