import Foundation
import FrameFastModel
import Testing

@Suite struct NamingTests {
    static let taken = WallClock(seconds: 1_795_271_130)  // 2026-11-21 14:25:30

    static func photo(session: String? = "Bangkok Wedding", original: String = "IMG_0007.CR3") -> Photo {
        .sample(
            original, session: session, cameraTime: taken.seconds,
            camera: PhotoCamera(
                id: "canon-1", name: "studio-a", maker: "Canon", model: "EOS R6", serial: "0123", zone: .gmt))
    }

    @Test(arguments: [
        (0, [1970, 1, 1, 0, 0, 0]), (-1, [1969, 12, 31, 23, 59, 59]), (951_782_400, [2000, 2, 29, 0, 0, 0]),
        (1_795_271_130, [2026, 11, 21, 14, 25, 30]), (4_102_444_800, [2100, 1, 1, 0, 0, 0]),
        (.min, [1, 1, 1, 0, 0, 0]), (-62_135_596_800, [1, 1, 1, 0, 0, 0]),
        (.max, [9999, 12, 31, 23, 59, 59]), (253_402_300_799, [9999, 12, 31, 23, 59, 59]),
    ])
    func `a wall clock returns date and time components`(seconds: Int, parts: [Int]) {
        let clock = WallClock(seconds: Int64(seconds))
        #expect(
            [clock.year, clock.month, clock.day, clock.hour, clock.minute, clock.second].elementsEqual(parts))
    }

    @Test(arguments: [
        (NamingTemplate.standardSource, "Bangkok Wedding/2026-11-21/studio-a-00007.cr3"),
        ("{year}/{month}/{day}/{original}.{ext}", "2026/11/21/IMG_0007.cr3"),
        ("{maker}-{model}-{serial}_{time}_{counter}.{ext}", "Canon-EOS R6-0123_142530_7.cr3"),
        ("a//b/{counter:12}.{ext}", "a/b/000000000007.cr3"),
    ])
    func `converts a template and a photo to a path`(template: String, path: String) throws {
        #expect(try NamingTemplate(template).path(for: Self.photo(), counter: 7) == path)
    }

    @Test(arguments: [
        ("", NamingTemplateError.empty), ("/x.{ext}", .absolute), ("{date.{ext}", .unknownToken("date.{ext")),
        ("}{ext}", .unbalanced), ("{ext", .unbalanced), ("../{ext}", .leavesFolder), ("{date}", .noExtension),
        ("{jpg}.{ext}", .unknownToken("jpg")), ("{counter:0}.{ext}", .badWidth("counter:0")),
        ("{date:5}.{ext}", .badWidth("date:5")), ("{counter:99}.{ext}", .badWidth("counter:99")),
    ])
    func `an invalid template throws the error for its problem`(
        template: String, error: NamingTemplateError
    ) {
        #expect(throws: error) { try NamingTemplate(template) }
        #expect(!error.description.isEmpty)
    }

    @Test func `a session name with slashes and dots stays one folder`() throws {
        let photo = Self.photo(session: "../../etc/cron.d")
        #expect(
            try NamingTemplate("{session}/{counter}.{ext}").path(for: photo, counter: 7)
                == "_._.._etc_cron.d/7.cr3")
    }

    @Test(arguments: [
        ("../../etc/x", "_._.._etc_x"), ("/abs", "_abs"), ("", "unnamed"), ("..", "unnamed"),
        (" . ", "unnamed"),
        ("-rf.jpg", "_rf.jpg"), (".hidden", "_hidden"), ("a\nb\u{1B}[31m.jpg", "a_b_[31m.jpg"),
        ("con?.jpg", "con_.jpg"), ("\u{202E}gpj.exe", "_gpj.exe"), ("ภาพ 1.jpg", "ภาพ 1.jpg"), ("~x", "_x"),
        // A combining mark forms one `Character` with the ".", "-" or "~" before the mark. This `Character`
        // starts with the byte of ".", "-" or "~", but is not equal to it. At the start or end of a name, a
        // mark would form one `Character` with the adjacent "/".
        (".\u{301}x.jpg", "_\u{301}x.jpg"), ("-\u{FE0F}rf.jpg", "_\u{FE0F}rf.jpg"),
        (" ~\u{301}", "_\u{301}"), ("\u{301}x.jpg", "_x.jpg"), ("x\u{D4E}", "x_"),
    ])
    func `converts an unsafe name into one safe path component`(raw: String, clean: String) {
        #expect(SafeName.component(raw) == clean)
    }

    @Test(arguments: ["\u{301}a.JPG", "a\u{D4E}.JPG", "\u{D4E}.JPG"])
    func `a value with a combining mark stays one path component`(original: String) throws {
        let photo = Self.photo(original: original)
        let path = try NamingTemplate("x/{original}/\u{301}y.{ext}").path(for: photo, counter: 7)
        #expect(path.split(separator: "/").count == 3)
        #expect(path.utf8.split(separator: UInt8(ascii: "/")).count == 3)
    }

    @Test(arguments: [300, 255, 201])
    func `truncates long names and keeps the extension`(length: Int) throws {
        let photo = Self.photo(original: String(repeating: "é", count: length) + ".JPG")
        let path = try NamingTemplate("{original}.{ext}").path(for: photo, counter: 7)
        #expect(path.utf8.count <= SafeName.maximumBytes)
        #expect(path.hasSuffix("é.jpg"))
    }

    @Test(arguments: [
        ("a/b.jpg", 2, "a/b-2.jpg"), ("b", 3, "b-3"), ("a.b/c", 2, "a.b/c-2"),
        ("a/B.Jpg", 12, "a/B-12.Jpg"),
    ])
    func `adds a number before the extension of an existing name`(path: String, suffix: Int, expected: String)
    {
        #expect(NamingTemplate.path(path, suffix: suffix) == expected)
    }
}
