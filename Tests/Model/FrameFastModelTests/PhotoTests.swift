import Foundation
import FrameFastModel
import Testing

@Suite struct PhotoTests {
    /// What a camera's clock showed, the zone that it runs in, and when that was in UTC.
    static let moments: [(shown: String, zone: String, moment: String)] = [
        ("2026-11-21T14:25:30Z", "GMT", "2026-11-21T14:25:30Z"),
        ("2026-11-21T14:25:30Z", "Asia/Tokyo", "2026-11-21T05:25:30Z"),
        ("2026-11-21T14:25:30Z", "America/New_York", "2026-11-21T19:25:30Z"),
        ("2026-07-01T00:10:00Z", "Europe/Berlin", "2026-06-30T22:10:00Z"),
        // The hours around a change of the clocks, on either side of the moment as if it were in UTC.
        ("2026-03-29T01:30:00Z", "Europe/Berlin", "2026-03-29T00:30:00Z"),
        ("2026-03-29T03:30:00Z", "Europe/Berlin", "2026-03-29T01:30:00Z"),
        ("2026-03-08T03:30:00Z", "America/New_York", "2026-03-08T07:30:00Z"),
        ("2026-03-08T09:30:00Z", "America/New_York", "2026-03-08T13:30:00Z"),
    ]

    @Test(arguments: moments)
    func `a photo was taken when its camera's clock showed so in the camera's zone`(
        shown: String, zone: String, moment: String
    ) throws {
        let wall = try Date(shown, strategy: .iso8601)
        let photo = Photo.sample(
            cameraTime: Int64(wall.timeIntervalSince1970), zone: try #require(TimeZone(identifier: zone)))
        #expect(photo.takenAt == (try Date(moment, strategy: .iso8601)))
        #expect(photo.taken.seconds == Int64(wall.timeIntervalSince1970))
        #expect(FactName.capturedAt.text(of: photo) == moment)
    }

    @Test func `a photo keeps the zone in which it was found`() throws {
        var photo = Photo.sample(zone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        photo.record.zone = TimeZone(identifier: "Europe/Berlin")
        #expect(FactName.capturedAt.text(of: photo) == "2026-11-21T13:25:30Z")
    }

    @Test func `a photo without a time was taken when it was heard of`() throws {
        let photo = Photo.sample(cameraTime: nil, zone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        #expect(photo.takenAt == photo.record.detectedAt)
        #expect(photo.taken.seconds == 1_000 + 9 * 3_600)
    }

    /// Days between a photo and a moment that is ten days ago.
    @Test(
        arguments: [
            (nil, "/store_1/DCIM", true), (nil, "/", false), (-30, "/store_1/DCIM", true),
            (1, "/store_1/DCIM", true), (3, "/store_1/DCIM", false), (11, "/store_1/DCIM", false),
            // By a clock that is ahead.
            (13, "/store_1/DCIM", true),
        ] as [(Int64?, String, Bool)])
    func `a photo may be older than its clock says, or of any time without one`(
        days: Int64?, folder: String, mayBe: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_795_271_130)
        let moment = now.addingTimeInterval(-10 * 86_400)
        var photo = Photo.sample(cameraTime: days.map { Int64(moment.timeIntervalSince1970) + $0 * 86_400 })
        photo.record.object.folder = folder
        photo.record.detectedAt = now
        #expect(photo.mayBeOlder(than: moment, now: now) == mayBe)
    }

    /// Days between a photo and now.
    @Test(
        arguments: [
            (nil, "/store_1/DCIM", false), (nil, "/", true), (-30, "/", true), (0, "/store_1/DCIM", true),
            (-1, "/store_1/DCIM", true), (1, "/store_1/DCIM", true), (-3, "/store_1/DCIM", false),
            (3, "/store_1/DCIM", false),
        ] as [(Int64?, String, Bool)])
    func `a photo was taken about now if its clock says so, or it lies in the camera's memory`(
        days: Int64?, folder: String, isTaken: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_795_271_130)
        var photo = Photo.sample(cameraTime: days.map { Int64(now.timeIntervalSince1970) + $0 * 86_400 })
        photo.record.object.folder = folder
        photo.record.detectedAt = now
        #expect(photo.isTaken(about: now) == isTaken)
    }

    @Test(arguments: [Int64.min, 312_768_000, .max])
    func `a clock that shows nonsense leads to a moment all the same`(time: Int64) {
        let photo = Photo.sample(cameraTime: time)
        // Before the first camera, and after 2079, the moment counts at which the photo was found.
        #expect(photo.taken.year == 1970)
        #expect(photo.takenAt.timeIntervalSince1970 == Double(photo.taken.seconds))
    }

    @Test func `what is said of a photo is its own, and its name is where it goes`() {
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
    func `each fact says what it is`(fact: FactName) {
        #expect(!fact.meaning.isEmpty && !fact.meaning.hasSuffix("."))
        #expect(fact.rawValue.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isUppercase || $0.isNumber)) })
    }

    @Test(arguments: [
        ("/photos/a/b.jpg", "a/b.jpg" as String?), ("/photosa/b.jpg", nil), ("/b.jpg", nil), (nil, nil),
    ])
    func `a file has a path below the folder that it is in`(path: String?, below: String?) {
        var record = Photo.sample().record
        record.path = path
        #expect(record.path(below: "/photos") == below)
    }
}
