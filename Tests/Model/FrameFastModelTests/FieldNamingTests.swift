import Foundation
import Testing

@testable import FrameFastModel

/// Names that are made of fields, of how a photo was taken, and of parts of texts.
@Suite struct FieldNamingTests {
    private static func photo(_ fields: FieldTexts = [:], exif: PhotoExif? = nil) -> Photo {
        var photo = NamingTests.photo()
        photo.record.fields = fields
        photo.record.exif = exif
        return photo
    }

    private func path(_ template: String, _ photo: Photo, counter: Int = 7) throws -> String {
        try NamingTemplate(template).path(for: photo, counter: counter)
    }

    @Test(arguments: [
        ("{field:client}/{field:job}-{counter:03}.{ext}", "Studio Ä/4711-007.cr3"),
        ("{field:client:upper:8}-{field:nobody}.{ext}", "STUDIO Ä-none.cr3"),
        ("{camera:upper}-{model:lower:3}-{counter}.{ext:upper}", "STUDIO-A-eos-7.CR3"),
        ("{field:client:6}/{original:lower}.{ext}", "Studio/img_0007.cr3"),
        ("{iso}-{shutter}-f{aperture}-{focal_length}mm-{lens}.{ext}", "400-1-250-f2.8-85mm-85mm F1.8.cr3"),
        ("{session:upper}/{counter}.{ext}", "BANGKOK WEDDING/7.cr3"),
    ])
    func `fields, EXIF values and parts of texts make names`(template: String, path: String) throws {
        let photo = Self.photo(["client": "Studio Ä", "job": "4711"], exif: .example)
        #expect(try self.path(template, photo) == path)
    }

    @Test func `a photo whose file says nothing has a word in its place`() throws {
        let template = "{iso}-{shutter}-{aperture}-{focal_length}-{lens}.{ext}"
        let unknown = "unknown-unknown-unknown-unknown-unknown.cr3"
        #expect(try path(template, Self.photo()) == unknown)
        #expect(try path(template, Self.photo(exif: PhotoExif(iso: 64))) == "64" + unknown.dropFirst(7))
    }

    @Test(arguments: [
        (1.0 / 8000, "1-8000"), (1.0 / 60, "1-60"), (0.25, "1-4"), (0.3, "0.3"), (0.5, "0.5"), (1.0, "1"),
        (1.3, "1.3"), (30.0, "30"), (86_400.0, "86400"),
    ])
    func `exposure times are as cameras show them, without a slash`(seconds: Double, text: String) {
        #expect(PhotoExif(shutterSeconds: seconds).shutterText == text)
    }

    @Test(arguments: [
        ("{field}.{ext}", NamingTemplateError.badField("field")),
        ("{field:}.{ext}", .badField("field:")), ("{field:Job}.{ext}", .badField("field:Job")),
        ("{field:jöb}.{ext}", .badField("field:jöb")), ("{field:4711}.{ext}", .badField("field:4711")),
        ("{field:job:0}.{ext}", .badWidth("field:job:0")),
        ("{field:job:201}.{ext}", .badWidth("field:job:201")),
        ("{field:job:title}.{ext}", .badWidth("field:job:title")),
        ("{camera:upper:lower}.{ext}", .badWidth("camera:upper:lower")),
        ("{camera:5:6}.{ext}", .badWidth("camera:5:6")), ("{camera:-5}.{ext}", .badWidth("camera:-5")),
        ("{camera:٣}.{ext}", .badWidth("camera:٣")), ("{ext:2}", .badWidth("ext:2")),
        ("{iso:3}.{ext}", .badWidth("iso:3")), ("{date:upper}.{ext}", .badWidth("date:upper")),
        ("{counter:upper}.{ext}", .badWidth("counter:upper")),
    ])
    func `what a token does not take is refused`(template: String, error: NamingTemplateError) {
        #expect(throws: error) { try NamingTemplate(template) }
        #expect(!error.description.isEmpty)
    }

    static let hostile = [
        "", " ", "../../etc/passwd", "a/b\\c:d", "..", ".hidden", "-rf", "🙂👨‍👩‍👧‍👦", "\u{301}x", "x\u{202E}gpj",
        "CON", "a\u{0}b", String(repeating: "ä", count: 300), String(repeating: "👨‍👩‍👧‍👦", count: 300),
        String(repeating: "long ", count: 60),
    ]

    @Test(arguments: hostile)
    func `whatever a field holds, its name is one harmless part, and counters stay in it`(text: String) throws
    {
        let photo = Self.photo(["client": text, "job": text])
        let template = "{field:client}/{field:job}-{field:client}-{counter:05}.{ext}"
        let paths = try (1...20).map { try path(template, photo, counter: $0) }
        #expect(Set(paths).count == 20)
        for (index, path) in paths.enumerated() {
            let parts = path.utf8.split(separator: UInt8(ascii: "/"))
            #expect(parts.count == 2, "\(path)")
            #expect(parts.allSatisfy { (1...SafeName.maximumBytes).contains($0.count) }, "\(path)")
            #expect(!path.contains("\0") && !path.hasPrefix(".") && !path.hasPrefix("-"))
            #expect(
                path.hasSuffix(".cr3")
                    && path.contains(index + 1 < 10 ? "0000\(index + 1)" : "000\(index + 1)"))
        }
        // The folder is that of every photo with this client, however long the names in it are.
        #expect(
            try path("{field:client}/{counter}.{ext}", photo).split(separator: "/")[0]
                == paths[0].split(separator: "/")[0])
    }

    @Test(arguments: [
        ("job", true), ("client_2", true), (String(repeating: "a", count: 32), true), ("", false),
        ("Job", false),
        ("2nd", false), ("_a", false), ("a-b", false), ("a b", false), ("ä", false),
        (String(repeating: "a", count: 33), false),
    ])
    func `a field's name is a short word of small letters`(text: String, isName: Bool) {
        #expect((FieldName(given: text) != nil) == isName)
    }

    @Test func `manifests lie in the session's folder, whatever is done to its letters`() throws {
        #expect(try NamingTemplate("{session:upper}/{counter}.{ext}").folder(ofSession: "Ahoi") == "AHOI")
        #expect(try NamingTemplate("{session:2}/{counter}.{ext}").folder(ofSession: nil) == "un")
        #expect(try NamingTemplate("{field:job}/{session}/{counter}.{ext}").folder(ofSession: "A") == nil)
        #expect(try NamingTemplate("{session}-{counter}.{ext}").folder(ofSession: "A") == nil)
    }

    @Test func `programs get fields beside the facts of a photo`() {
        let photo = Self.photo(["job": "4711", "client_2": "Ä"])
        let named = Facts(photo, name: "a").byName(with: photo.record.fields)
        #expect(named["FIELD_JOB"] == "4711" && named["FIELD_CLIENT_2"] == "Ä" && named["NAME"] == "a")
    }
}
