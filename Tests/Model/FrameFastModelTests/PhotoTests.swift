import Foundation
import FrameFastModel
import Testing

@Suite struct PhotoTests {
    /// The time on a camera's clock, the clock's time zone, and the same moment in UTC.
    static let moments: [(shown: String, zone: String, moment: String)] = [
        ("2026-11-21T14:25:30Z", "GMT", "2026-11-21T14:25:30Z"),
        ("2026-11-21T14:25:30Z", "Asia/Tokyo", "2026-11-21T05:25:30Z"),
        ("2026-11-21T14:25:30Z", "America/New_York", "2026-11-21T19:25:30Z"),
        ("2026-07-01T00:10:00Z", "Europe/Berlin", "2026-06-30T22:10:00Z"),
        // The hours around a daylight saving change.
        ("2026-03-29T01:30:00Z", "Europe/Berlin", "2026-03-29T00:30:00Z"),
        ("2026-03-29T03:30:00Z", "Europe/Berlin", "2026-03-29T01:30:00Z"),
        ("2026-03-08T03:30:00Z", "America/New_York", "2026-03-08T07:30:00Z"),
        ("2026-03-08T09:30:00Z", "America/New_York", "2026-03-08T13:30:00Z"),
    ]

    @Test(arguments: moments)
    func `converts the capture time from the camera's zone to UTC`(
        shown: String, zone: String, moment: String
    ) throws {
        let wall = try Date(shown, strategy: .iso8601)
        let photo = Photo.sample(
            cameraTime: Int64(wall.timeIntervalSince1970), zone: try #require(TimeZone(identifier: zone)))
        #expect(photo.takenAt == (try Date(moment, strategy: .iso8601)))
        #expect(photo.taken.seconds == Int64(wall.timeIntervalSince1970))
        #expect(FactName.capturedAt.text(of: photo) == moment)
    }

    @Test func `the capture time uses the camera's time zone at detection`() throws {
        var photo = Photo.sample(zone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        photo.record.zone = TimeZone(identifier: "Europe/Berlin")
        #expect(FactName.capturedAt.text(of: photo) == "2026-11-21T13:25:30Z")
    }

    @Test func `a photo without a capture time uses its detection time`() throws {
        let photo = Photo.sample(cameraTime: nil, zone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        #expect(photo.takenAt == photo.record.detectedAt)
        #expect(photo.taken.seconds == 1_000 + 9 * 3_600)
    }

    /// Each row has a number of days, a folder and the expected result. The capture time is this number of
    /// days after `moment`, which is ten days ago.
    @Test(
        arguments: [
            (nil, "/store_1/DCIM", true), (nil, "/", false), (-30, "/store_1/DCIM", true),
            (1, "/store_1/DCIM", true), (3, "/store_1/DCIM", false), (11, "/store_1/DCIM", false),
            // The camera's clock is ahead of the present.
            (13, "/store_1/DCIM", true),
        ] as [(Int64?, String, Bool)])
    func `mayBeOlder allows for a wrong camera clock and a missing date`(
        days: Int64?, folder: String, mayBeOlder: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_795_271_130)
        let moment = now.addingTimeInterval(-10 * 86_400)
        var photo = Photo.sample(cameraTime: days.map { Int64(moment.timeIntervalSince1970) + $0 * 86_400 })
        photo.record.object.folder = folder
        photo.record.detectedAt = now
        #expect(photo.mayBeOlder(than: moment, now: now) == mayBeOlder)
    }

    /// Each row has a number of days, a folder and the expected result. The capture time is this number of
    /// days after the present.
    @Test(
        arguments: [
            (nil, "/store_1/DCIM", false), (nil, "/", true), (-30, "/", true), (0, "/store_1/DCIM", true),
            (-1, "/store_1/DCIM", true), (1, "/store_1/DCIM", true), (-3, "/store_1/DCIM", false),
            (3, "/store_1/DCIM", false),
        ] as [(Int64?, String, Bool)])
    func `a photo is current if taken recently or stored in camera memory`(
        days: Int64?, folder: String, isTaken: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_795_271_130)
        var photo = Photo.sample(cameraTime: days.map { Int64(now.timeIntervalSince1970) + $0 * 86_400 })
        photo.record.object.folder = folder
        photo.record.detectedAt = now
        #expect(photo.isTaken(about: now) == isTaken)
    }

    @Test(arguments: [Int64.min, 312_768_000, .max])
    func `the detection time replaces an implausible capture time`(time: Int64) {
        let photo = Photo.sample(cameraTime: time)
        // The detection time is in 1970.
        #expect(photo.taken.year == 1970)
        #expect(photo.takenAt.timeIntervalSince1970 == Double(photo.taken.seconds))
    }

    @Test func `a photo's facts contain its properties and its destination name`() {
        let facts = Facts(.sample("IMG_1.CR3"), name: "Wedding/1.cr3")
        #expect(
            facts == [
                .file: "", .name: "Wedding/1.cr3", .original: "IMG_1.CR3", .bytes: "10", .sha256: "",
                .kind: "raw", .camera: "left", .session: "Wedding", .capturedAt: "2026-11-21T14:25:30Z",
                .capture: "7",
            ])
        #expect(Facts(.sample(session: nil), name: "")[.session] == nil)
        #expect(Facts(.sample(), name: "a").byName["CAPTURED_AT"] == "2026-11-21T14:25:30Z")
    }

    @Test(arguments: FactName.allCases)
    func `each fact has a meaning and an upper-case name`(fact: FactName) {
        #expect(!fact.meaning.isEmpty && !fact.meaning.hasSuffix("."))
        #expect(fact.rawValue.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isUppercase || $0.isNumber)) })
    }

    @Test(arguments: [
        ("/photos/a/b.jpg", "a/b.jpg" as String?), ("/photosa/b.jpg", nil), ("/b.jpg", nil), (nil, nil),
    ])
    func `returns the file's path relative to its capture directory`(path: String?, below: String?) {
        var record = Photo.sample().record
        record.path = path
        #expect(record.path(below: "/photos") == below)
    }
}
