import Foundation
import FrameFastModel
import Testing

/// What stands in sidecars, and what they are called.
@Suite struct SidecarTests {
    private static let made = Date(timeIntervalSince1970: 1_795_271_130)

    private func xmp(_ photo: Photo, _ words: ShotWords = ShotWords(), _ position: GeoPosition? = nil)
        -> String
    {
        String(
            decoding: XMPSidecar(photo, words, position: position, madeAt: Self.made).bytes, as: UTF8.self)
    }

    @Test func `a photo's facts and words stand where programs look for them`() throws {
        var photo = Photo.sample(
            "IMG_1.CR3", session: "Anna & Ben", cameraTime: 1_795_271_130,
            zone: try #require(TimeZone(identifier: "Asia/Kathmandu")),
            camera: PhotoCamera(
                id: "left-1", name: "left", maker: "Canon", model: "EOS R5", serial: "0123", zone: .gmt))
        photo.record.sha256 = "ab12"
        #expect(
            xmp(photo, ShotWords(stars: 4, isPicked: true), GeoPosition("52.5163, -13.3777")) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="FrameFast">
                  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
                xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
                xmlns:exifEX="http://cipa.jp/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" \
                xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
                xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
                xmlns:framefast="urn:framefast:photo:1.0#">
                      <xmp:MetadataDate>2026-11-21T14:25:30Z</xmp:MetadataDate>
                      <xmp:Rating>4</xmp:Rating>
                      <xmp:Label>Select</xmp:Label>
                      <exif:DateTimeOriginal>2026-11-21T14:25:30+05:45</exif:DateTimeOriginal>
                      <exif:GPSLatitude>52,30.978000N</exif:GPSLatitude>
                      <exif:GPSLongitude>13,22.662000W</exif:GPSLongitude>
                      <tiff:Make>Canon</tiff:Make>
                      <tiff:Model>EOS R5</tiff:Model>
                      <exifEX:BodySerialNumber>0123</exifEX:BodySerialNumber>
                      <aux:SerialNumber>0123</aux:SerialNumber>
                      <framefast:Camera>left</framefast:Camera>
                      <framefast:Original>IMG_1.CR3</framefast:Original>
                      <framefast:SHA256>ab12</framefast:SHA256>
                      <framefast:Capture>7</framefast:Capture>
                      <Iptc4xmpExt:Event>
                        <rdf:Alt>
                          <rdf:li xml:lang="x-default">Anna &amp; Ben</rdf:li>
                        </rdf:Alt>
                      </Iptc4xmpExt:Event>
                    </rdf:Description>
                  </rdf:RDF>
                </x:xmpmeta>

                """)
    }

    @Test func `the job is where picture desks look for it, and the JSON has every field`() throws {
        var photo = Photo.sample(session: nil)
        #expect(!xmp(photo).contains("TransmissionReference"))
        photo.record.fields = ["job": "A<4711>", "client": "Studio Ä"]
        #expect(xmp(photo).contains("<photoshop:TransmissionReference>A&lt;4711&gt;</"))
        let json = try PhotoSidecar(
            Facts(photo, name: "a.jpg"), fields: photo.record.fields, name: "a.jpg",
            host: FleetHostName(rawValue: "rig")
        ).json
        #expect(String(decoding: json, as: UTF8.self).contains("\"client\" : \"Studio Ä\""))
    }

    @Test(
        arguments: [(nil, ""), (0, ""), (-1, "<xmp:Rating>-1<"), (5, "<xmp:Rating>5<")] as [(Int?, String)])
    func `no stars are not written, a rejection is`(stars: Int?, expected: String) {
        let text = xmp(.sample(session: nil), ShotWords(stars: stars))
        #expect(
            text.contains("xmp:Rating") == !expected.isEmpty && (expected.isEmpty || text.contains(expected)))
        #expect(!text.contains("Iptc4xmpExt:Event"))
    }

    @Test(arguments: [
        (TimeZone(secondsFromGMT: -12_600), "1969-12-31T20:46:40.250-03:30"),
        (TimeZone.gmt, "1970-01-01T00:16:40.250+00:00"),
    ])
    func `a camera without a time was heard of at a fraction of a second`(zone: TimeZone?, expected: String)
        throws
    {
        var photo = Photo.sample(cameraTime: nil, zone: try #require(zone))
        photo.record.detectedAt = Date(timeIntervalSince1970: 1_000.25)
        #expect(xmp(photo).contains("<exif:DateTimeOriginal>\(expected)<"))
    }

    @Test func `any name can be written`() throws {
        let camera = PhotoCamera(id: "x", name: "a\u{1}<b>\n]]>&\"'é e\u{301} 🎞\u{FFFF}", zone: .gmt)
        let text = xmp(.sample(session: "\t", camera: camera))
        #expect(
            text.contains(
                "<framefast:Camera>a\u{FFFD}&lt;b&gt;&#10;]]&gt;&amp;&quot;'é e\u{301} 🎞\u{FFFD}</framefast:Camera>"
            ))
        #expect(text.contains(">&#9;</rdf:li>"))
    }

    @Test(
        arguments: [
            (XMPNaming.name, "a/b.1/IMG 1.CR3", "a/b.1/IMG 1.xmp"), (.name, "IMG.JPG", nil),
            (.name, "M.MOV", nil),
            (.nameAndExtension, "a.b/IMG.JPG", "a.b/IMG.JPG.xmp"), (.nameAndExtension, "M.MOV", "M.MOV.xmp"),
            (.nameAndExtension, "S.WAV", nil), (.off, "IMG.CR3", nil),
        ] as [(XMPNaming, String, String?)])
    func `a sidecar's name is made of the photo's`(form: XMPNaming, photo: String, sidecar: String?) {
        #expect(form.path(beside: photo, of: MediaKind(fileName: photo)) == sidecar)
    }

    @Test(arguments: [
        ("52.5163, 13.3777", true), ("-90,180", true), (" 0 , 0 ", true), ("91, 0", false),
        ("0, -180.1", false),
        ("52.5", false), ("1,2,3", false), ("nan, 0", false), ("52° N, 13° E", false), ("", false),
    ])
    func `a position is two numbers within their bounds`(text: String, isGood: Bool) {
        #expect((GeoPosition(text) != nil) == isGood)
    }

    @Test func `what the file says and what people say count together, the owner's rejection first`() {
        func rating(_ stars: Int?, _ pick: Bool? = nil, isOwner: Bool = false) -> ShotRating {
            ShotRating(
                rater: .init(id: isOwner ? "" : "d", name: "d", isOwner: isOwner), stars: stars, pick: pick,
                givenAt: Self.made)
        }
        #expect(ShotWords(fileRating: nil, ratings: []) == ShotWords())
        #expect(ShotWords(fileRating: 3, ratings: [rating(2, true)]) == ShotWords(stars: 3, isPicked: true))
        #expect(
            ShotWords(fileRating: 5, ratings: [rating(nil, false, isOwner: true)]) == ShotWords(stars: -1))
    }
}
