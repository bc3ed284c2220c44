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
        ("2026-11-21T14:25:30Z", "Asia/Kathmandu", "2026-11-21T08:40:30Z"),
        ("2026-11-21T00:10:00Z", "America/St_Johns", "2026-11-21T03:40:00Z"),
        ("2026-07-01T00:10:00Z", "America/St_Johns", "2026-07-01T02:40:00Z"),
        ("2026-11-21T00:10:00Z", "Pacific/Apia", "2026-11-20T11:10:00Z"),
        // An hour that there is twice, and one that is left out: the camera's clock may show either.
        ("2026-10-25T03:30:00Z", "Europe/Berlin", "2026-10-25T02:30:00Z"),
        ("2026-03-29T02:30:00Z", "Europe/Berlin", "2026-03-29T01:30:00Z"),
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

    @Test func `a photo without a time was taken when it was heard of`() throws {
        let photo = Photo.sample(cameraTime: nil, zone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        #expect(photo.takenAt == photo.record.detectedAt)
        #expect(photo.taken.seconds == 1_000 + 9 * 3_600)
    }

    @Test(arguments: [
        ("Asia/Kathmandu", "2026-07-01T18:20:00Z", "2026-07-02"),
        ("America/St_Johns", "2026-07-01T02:20:00Z", "2026-06-30"),
        ("Pacific/Apia", "2026-07-01T11:30:00Z", "2026-07-02"),
        // Before and after the change of the clocks of one night.
        ("Europe/Berlin", "2026-03-28T22:59:59Z", "2026-03-28"),
        ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25T22:59:59Z", "2026-10-25"),
    ])
    func `a photo without a time has the day of its camera's zone in its name`(
        zone: String, heard: String, day: String
    ) throws {
        var photo = Photo.sample(cameraTime: nil, zone: try #require(TimeZone(identifier: zone)))
        photo.record.detectedAt = try Date(heard, strategy: .iso8601)
        #expect(try NamingTemplate("{date}.{ext}").path(for: photo, counter: 1) == day + ".jpg")
    }

    @Test(arguments: [Int64.min, .max])
    func `a clock that shows nonsense leads to a moment all the same`(time: Int64) {
        let photo = Photo.sample(cameraTime: time)
        #expect(photo.taken.year == (time < 0 ? 1 : 9999))
        #expect(photo.takenAt.timeIntervalSince1970 == Double(photo.taken.seconds))
    }

    @Test func `what is said of a photo is its own, and its name is where it goes`() {
        let facts = Facts(.sample("IMG_1.CR3"), name: "Wedding/1.cr3")
        #expect(
            facts == [
                .file: "", .name: "Wedding/1.cr3", .original: "IMG_1.CR3", .bytes: "10", .sha256: "",
                .kind: "raw", .camera: "left", .session: "Wedding", .capturedAt: "1970-01-01T00:01:40Z",
                .capture: "7",
            ])
        #expect(Facts(.sample(session: nil), name: "")[.session] == nil)
        #expect(Facts(.sample(), name: "a").byName["CAPTURED_AT"] == "1970-01-01T00:01:40Z")
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
