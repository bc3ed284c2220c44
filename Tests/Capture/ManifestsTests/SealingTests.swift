import Foundation
import FrameFastModel
import Store
import Synchronization
import TestRig
import Testing

@testable import Manifests

/// What a generation has, and what it costs.
@Suite struct SealingTests {
    private let bed: ManifestBed

    init() throws { bed = try ManifestBed() }

    @Test func `a generation has what no earlier one has, and nothing new makes none`() async throws {
        try await bed.save("S/one.jpg")
        #expect(try await bed.sealing("S").seal(comment: "A & B").generation == 1)
        #expect(try await bed.sealing("S").seal(comment: nil).generation == nil)
        try await bed.save("S/two.jpg")
        try await bed.save("Other/three.jpg")
        let second = try await bed.sealing("S").seal(comment: nil)
        #expect(second.generation == 2 && second.sealed == 1)
        let chain = try await bed.sealing("S").takeIn()
        let records = try bed.sealing("S").history.records(of: chain.generations[1])
        #expect(records.map(\.path) == ["two.jpg"] && records.map(\.action) == [.original])
    }

    @Test func `the time in a manifest is UTC, whatever the zone`() async throws {
        try await bed.save("S/one.jpg")
        let name = try #require(try await bed.sealing("S", author: "Kim \"K\" Berg").seal(comment: "S").name)
        #expect(name == "0001_S_2026-11-21_142530Z.mhl")
        let text = try String(contentsOfFile: bed.photos + "/S/ascmhl/" + name, encoding: .utf8)
        #expect(text.contains("<creationdate>2026-11-21T14:25:30Z</creationdate>"))
        #expect(text.contains("<hostname>studio &amp; &lt;co&gt;</hostname>"))
        #expect(text.contains("<author role=\"tether\">Kim &quot;K&quot; Berg</author>"))
    }

    @Test func `a photo without a hash is read once, and left out when it is not what was saved`()
        async throws
    {
        try await bed.save("S/old.jpg", hasHash: false)
        try await bed.save("S/changed.jpg", hasHash: false)
        try bed.flip("S/changed.jpg")
        let outcome = try await bed.sealing("S").seal(comment: nil)
        #expect(outcome.sealed == 1 && outcome.read == 2 && outcome.leftOut == 1)
    }

    @Test func `a photo that waits for its second reading is left for the next generation`() async throws {
        try await bed.save("S/waits.jpg", awaitsReread: true)
        let outcome = try await bed.sealing("S").seal(comment: nil)
        #expect(outcome.generation == nil && outcome.awaitingReread == 1 && outcome.leftOut == 0)
        try await bed.ledger.endAwaitingReread()
        #expect(try await bed.sealing("S").seal(comment: nil).sealed == 1)
    }

    @Test func `each of 500 generations reads one file`() async throws {
        let reads = Mutex<[String]>([])
        let probe = ManifestHistory.Probe(read: { path in reads.withLock { $0.append(path) } })
        for number in 1...500 {
            try await bed.save("S/\(number).jpg")
            reads.withLock { $0 = [] }
            #expect(try await bed.sealing("S", probe).seal(comment: nil).generation == number)
            let read = reads.withLock { $0 }
            #expect(read.count == (number == 1 ? 0 : 1), "\(number): \(read)")
        }
        #expect(try await bed.sealing("S").takeIn().last == 500)
    }

    @Test func `a session is sealed in the folder that its name became`() async throws {
        let session = try await bed.ledger.startSession(
            name: "Mr. Berg / Ms. Fjord: \u{7}day", at: ManifestBed.now)
        let template = try NamingTemplate(NamingTemplate.standardSource)
        let folder = try #require(template.folder(ofSession: session.name))
        #expect(folder != session.name && !folder.contains("/"))
        try await bed.save("\(folder)/2026-11-21/one.jpg", session: session.id)
        try await bed.save("Elsewhere/two.jpg", session: session.id)
        let outcome = try await bed.service().seal(session.id)
        #expect(outcome.folder == bed.photos + "/" + folder)
        #expect(outcome.sealed == 1 && outcome.leftOut == 1)
    }

    @Test(arguments: [
        "{date}/{session}-{counter}.{ext}", "{session}-{date}/{counter}.{ext}", "{session}.{ext}",
    ])
    func `names that do not begin with the session have one history`(template: String) async throws {
        #expect(try NamingTemplate(template).folder(ofSession: "A") == nil)
        let session = try await bed.ledger.startSession(name: "A", at: ManifestBed.now)
        try await bed.save("2026-11-21/one.jpg", session: session.id)
        let outcome = try await bed.service(template).seal(session.id)
        #expect(outcome.folder == bed.photos && outcome.sealed == 1)
    }

    @Test func `a history that was removed begins anew`() async throws {
        try await bed.save("S/one.jpg")
        _ = try await bed.sealing("S").seal(comment: nil)
        try FileManager.default.removeItem(atPath: bed.photos + "/S/ascmhl")
        let outcome = try await bed.sealing("S").seal(comment: nil)
        #expect(outcome.generation == 1 && outcome.sealed == 1)
    }

    @Test(arguments: [
        // On the quarter hour, a day that summer time shortens, and days that begin at one o'clock.
        ("Asia/Kathmandu", "2026-07-01T18:14:59Z", "2026-07-01T18:15:00Z"),
        ("America/St_Johns", "2026-03-08T03:30:00Z", "2026-03-09T02:30:00Z"),
        ("Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-23T22:00:00Z"),
        ("Pacific/Apia", "2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z"),
    ])
    func `days end when the clocks of the place say so`(zone: String, date: String, end: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let next = DayEnd.next(after: try Date(date, strategy: .iso8601), calendar)
        #expect(next == (try Date(end, strategy: .iso8601)))
    }

    @Test func `days end at midnight of the place, also where the clock is changed`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let evening = try #require(
            calendar.date(from: DateComponents(year: 2026, month: 10, day: 24, hour: 23, minute: 59)))
        let first = DayEnd.next(after: evening, calendar)
        #expect(first.timeIntervalSince(evening) == 60)
        #expect(DayEnd.next(after: first, calendar).timeIntervalSince(first) == 25 * 3600)
    }
}
