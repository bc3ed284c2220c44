import Foundation
import FrameFastAPI
import Testing

@Suite struct WireTests {
    let time = Date(timeIntervalSince1970: 1_763_716_502.25)

    private func keys(of value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: WireCoder.encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }

    @Test func `encodes every key of a status, even if values are unknown`() throws {
        let camera = CameraReply(id: "a", name: "a", state: .searching)
        let status = StatusReply(
            version: "1", state: .starting, startedAt: time, cameras: [camera],
            disk: DiskReply(directory: "/d", freeBytes: 1, minFreeBytes: 1, guard: .ok))
        #expect(
            try keys(of: status).isSuperset(of: [
                "version", "state", "cameras", "session", "captures", "disk", "uploads", "conditions",
            ]))
        #expect(
            try keys(of: camera).isSuperset(of: [
                "id", "name", "maker", "model", "serial", "port", "state", "battery_percent", "shots_left",
                "last_capture", "clock_drift_seconds", "storages", "progress",
            ]))
        #expect(
            try keys(of: status.captures) == [
                "shots", "shots_today", "shots_per_minute", "total", "today", "bytes", "verify",
                "awaiting_reread",
            ])
        #expect(try keys(of: status.disk).isSuperset(of: ["free_bytes", "guard"]))
    }

    @Test func `encodes every key of a photo that was just detected`() throws {
        let capture = CaptureReply(
            id: 1, originalName: "A.JPG", size: 5, cameraID: "a", cameraName: "a", detectedAt: time,
            state: .receiving)
        #expect(
            try keys(of: capture) == [
                "id", "shot_id", "shot_state", "path", "original_name", "size", "sha256", "camera_id",
                "camera_name", "session", "captured_at", "detected_at", "saved_at", "state", "transfer_ms",
                "saved_ms", "problem", "cleared_at",
                "verified",
            ])
        let copy = try WireCoder.decode(CaptureReply.self, from: WireCoder.encode(capture))
        #expect(copy == capture)
    }

    @Test(arguments: [
        (SettingReply.Writable.yes, "yes", false), (.no, "no", true), (.unknown, "unknown", false),
    ])
    func `encodes every key of a setting and whether it can be changed`(
        writable: SettingReply.Writable, word: String, isReadOnly: Bool
    ) throws {
        let setting = SettingReply(
            key: "iso", name: "iso", value: nil, cameraValue: "Auto", writable: writable)
        #expect(
            try keys(of: setting) == [
                "key", "name", "value", "camera_value", "choices", "camera_choices", "range", "writable",
                "read_only",
            ])
        let json = String(decoding: try WireCoder.encode(setting), as: UTF8.self)
        #expect(json.contains(#""writable":"\#(word)""#) && json.contains(#""read_only":\#(isReadOnly)"#))
    }

    @Test func `encodes every key of a shot, but no path or camera serial`() throws {
        let shot = ShotReply(id: 1, capturedAt: time, cameraName: "a")
        #expect(
            try keys(of: shot) == [
                "id", "revision", "width", "height", "color", "stars", "pick", "flags", "captured_at",
                "camera_name", "session", "session_name", "files", "opinions",
            ])
        #expect(
            try keys(of: ShotChangeReply(id: 1)) == [
                "id", "files", "session", "revision", "width", "height", "color", "stars", "pick", "flags",
            ])
        #expect(
            try keys(of: OpinionReply(author: "a", role: .client, at: time)) == [
                "author", "role", "is_own", "stars", "pick", "comment", "at",
            ])
        let file = ShotFileReply(id: 1, name: "a.jpg", size: 3)
        #expect(try keys(of: file) == ["id", "name", "size", "is_damaged"])
        #expect(
            try keys(of: ShotsReply()) == [
                "ids", "revisions", "widths", "heights", "colors", "stars", "picks", "flags", "times",
                "cameras", "camera_names", "next_cursor",
            ])
    }

    @Test func `a page of 2,000 shots has fewer than 75 bytes a shot`() throws {
        var page = ShotsReply(nextCursor: 8_001)
        for number in (8_001...10_000).reversed() {
            page.ids.append(ShotID(rawValue: Int64(number)))
            page.revisions.append("9f86d081884c7d65")
            page.widths.append(6_000)
            page.heights.append(4_000)
            page.colors.append("#806040")
            page.stars.append(3)
            page.picks.append(nil)
            page.flags.append(19)
            page.times.append(1_763_716_502_250)
            page.cameras.append(0)
        }
        #expect(try WireCoder.encode(page).count < 75 * page.ids.count)
    }

    @Test(arguments: [
        (RatingRequest(), true), (RatingRequest(stars: 0), true), (RatingRequest(stars: 5), true),
        (RatingRequest(stars: 6), false), (RatingRequest(stars: -1), false),
        (RatingRequest(comment: String(repeating: "ü", count: 2_000)), true),
        (RatingRequest(comment: String(repeating: "ü", count: 2_001)), false),
        (RatingRequest(comment: "e" + String(repeating: "\u{301}", count: 2_000)), false),
    ])
    func `accepts 0 to 5 stars and a comment of up to 2,000 Unicode scalars`(
        request: RatingRequest, isValid: Bool
    ) {
        #expect(((try? request.checked()) == request) == isValid)
    }

    @Test func `preserves an unknown value from a newer daemon`() throws {
        let json = Data(
            #"{"code":"x","severity":"apocalypse","since":"2025-11-21T09:15:02Z","about":"moon","short":"s","sentence":"S."}"#
                .utf8)
        let condition = try WireCoder.decode(ConditionReply.self, from: json)
        #expect(condition.$severity.text == "apocalypse")
        #expect(condition.$about.text == "moon" && condition.nextStep == nil)
        #expect(String(decoding: try WireCoder.encode(condition), as: UTF8.self).contains(#""apocalypse""#))
    }

    @Test func `decodes an unknown kind of event without an error`() throws {
        let json = Data(#"{"seq":4,"at":"2025-11-21T09:15:02.250Z","kind":"teapot","teapot":1}"#.utf8)
        let event = try WireCoder.decode(EventReply.self, from: json)
        #expect(event == EventReply(seq: 4, at: time, body: .unknown(kind: "teapot")))
    }

    @Test(arguments: [
        ("2025-11-21T09:15:02.250Z", 1_763_716_502.25), ("2025-11-21T09:15:02Z", 1_763_716_502),
        ("1970-01-01T00:00:00.000Z", 0),
    ])
    func `parses times with and without a fraction`(text: String, seconds: Double) {
        #expect(WireTime.date(of: text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `formats times in UTC with milliseconds, and refuses other text`() {
        #expect(WireTime.text(of: time) == "2025-11-21T09:15:02.250Z")
        #expect(WireTime.date(of: "yesterday") == nil)
    }

    @Test(arguments: [
        ("22:00-06:00", true), ("00:00-23:59", true), ("22:00-22:00", true), ("24:00-06:00", false),
        ("22:60-06:00", false), ("22-06", false), ("2:00-6:00", true), ("+2:00-06:00", false), ("", false),
        ("22:00-06:00-07:00", false), ("nightly", false),
    ])
    func `accepts two times of day as an upload window`(text: String, isWindow: Bool) {
        #expect(ModeRequest.isWindow(text) == isWindow)
    }

    @Test func `every endpoint has a unique name and a unique pair of method and path`() {
        let rows = Endpoints.rows
        #expect(rows.count > 40)
        #expect(Set(rows.map { $0.method.rawValue + " " + $0.path }).count == rows.count)
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(rows.contains { $0.name == "camerasRename" && $0.path == "/v1/cameras/{id}/rename" })
        // Prometheus and compatible collectors request /metrics without a version.
        let versioned = rows.filter { $0.path != "/metrics" }
        #expect(versioned.count == rows.count - 1)
        #expect(versioned.allSatisfy { $0.path.hasPrefix(APIVersion.prefix + "/") })
        // Pictures require control, even if the status is public. Histograms describe photos, and the list of
        // devices contains names of people. Therefore both also require control.
        #expect(
            rows.allSatisfy { row in
                if case .picture = row.reply { return row.access == .control }
                if ["shotsHistogram", "webDevices"].contains(row.name) { return row.access == .control }
                return row.method != .get || row.access == .read
            })
        #expect(rows.allSatisfy { $0.takesPath == $0.path.contains("{id}") })
    }

    @Test func `encodes a query as parameters and omits missing values`() throws {
        let query = UploadsQuery(limit: 7, states: [.held, .queued], session: 3)
        let pairs = try QueryValue.pairs(of: query).map { "\($0.name)=\($0.value)" }
        #expect(pairs == ["limit=7", "session=3", "state=held,queued"])
        #expect(try QueryValue.pairs(of: UploadsQuery(camera: "5")).map(\.value) == ["5", "100"])
    }
}
