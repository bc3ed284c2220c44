public import FoundationEssentials
import TextForms

/// What is said of a photo in an XMP file beside it, for programs that read photos (ISO 16684-1).
///
/// A person's words and the camera's go in the places that such programs look at; what only the ledger knows has a
/// namespace of its own.
public struct XMPSidecar: Hashable, Sendable {
    /// The photo.
    public var photo: Photo
    /// What camera and people say of its shot.
    public var words: ShotWords
    /// Where it was taken; `nil` when that is not known.
    public var position: GeoPosition?
    /// When these words were put together.
    public var madeAt: Date

    /// The namespace of what only the ledger knows.
    public static let namespace = "urn:framefast:photo:1.0#"
    /// How a shot is labelled that is picked: the word that Bridge begins with.
    static let pickLabel = "Select"

    /// Creates a sidecar.
    public init(_ photo: Photo, _ words: ShotWords, position: GeoPosition? = nil, madeAt: Date) {
        self.photo = photo
        self.words = words
        self.position = position
        self.madeAt = madeAt
    }

    private static let namespaces = [
        ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("exif", "http://ns.adobe.com/exif/1.0/"),
        ("tiff", "http://ns.adobe.com/tiff/1.0/"),
        ("exifEX", "http://cipa.jp/exif/1.0/"),
        ("aux", "http://ns.adobe.com/exif/1.0/aux/"),
        ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
        ("Iptc4xmpExt", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"),
        ("framefast", namespace),
    ]

    /// Its text, the same for the same words.
    public var bytes: [UInt8] {
        var xml = XMLWriter()
        xml.open("x:xmpmeta", [("xmlns:x", "adobe:ns:meta/"), ("x:xmptk", "FrameFast")])
        xml.open("rdf:RDF", [("xmlns:rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")])
        xml.open(
            "rdf:Description", [("rdf:about", "")] + Self.namespaces.map { ("xmlns:\($0)", $1) })
        for (name, text) in ofShot + ofCamera + ofLedger + ofFields where !text.isEmpty {
            xml.element(name, text)
        }
        if let session = photo.session { add(session, to: &xml) }
        xml.close("rdf:Description")
        xml.close("rdf:RDF")
        xml.close("x:xmpmeta")
        return xml.bytes
    }

    private var ofShot: [(String, String)] {
        var texts = [("xmp:MetadataDate", madeAt.formatted(.iso8601))]
        // None is what a reader takes for 0, and an old darktable takes a 0 for one star.
        if let stars = words.stars, stars != 0 { texts.append(("xmp:Rating", String(stars))) }
        if words.isPicked { texts.append(("xmp:Label", Self.pickLabel)) }
        texts.append(("exif:DateTimeOriginal", takenText))
        if let position {
            texts += [
                ("exif:GPSLatitude", position.xmpLatitude), ("exif:GPSLongitude", position.xmpLongitude),
            ]
        }
        return texts
    }

    private var ofCamera: [(String, String)] {
        let camera = photo.camera
        return [
            ("tiff:Make", camera.maker), ("tiff:Model", camera.model),
            ("exifEX:BodySerialNumber", camera.serial), ("aux:SerialNumber", camera.serial),
        ]
    }

    private var ofLedger: [(String, String)] {
        [
            ("framefast:Camera", photo.camera.name), ("framefast:Original", photo.record.object.name),
            ("framefast:SHA256", photo.record.sha256 ?? ""), ("framefast:Capture", photo.id.description),
        ]
    }

    /// A job number is what picture desks file by (IPTC's Job Identifier).
    private var ofFields: [(String, String)] {
        [("photoshop:TransmissionReference", photo.record.fields["job"] ?? "")]
    }

    /// What a session says of its photos.
    private func add(_ session: PhotoSession, to xml: inout XMLWriter) {
        guard !session.name.isEmpty else { return }
        xml.open("Iptc4xmpExt:Event")
        xml.open("rdf:Alt")
        xml.element("rdf:li", [("xml:lang", "x-default")], session.name)
        xml.close("rdf:Alt")
        xml.close("Iptc4xmpExt:Event")
    }

    /// The camera's clock with its zone: `2026-11-21T14:25:30+01:00`. Where the camera gives no time, what it should have
    /// shown, with thousandths.
    private var takenText: String {
        let taken = photo.taken
        let moment = photo.takenAt.timeIntervalSince1970
        let offset = Int((Double(taken.seconds) - moment.rounded(.down)) / 60)
        let thousandths = Int((moment - moment.rounded(.down)) * 1_000)
        let fraction = thousandths == 0 ? "" : "." + thousandths.digits(3)
        let date = "\(taken.year.digits(4))-\(taken.month.digits(2))-\(taken.day.digits(2))"
        let time = "\(taken.hour.digits(2)):\(taken.minute.digits(2)):\(taken.second.digits(2))"
        let zone = "\((abs(offset) / 60).digits(2)):\((abs(offset) % 60).digits(2))"
        return "\(date)T\(time)\(fraction)\(offset < 0 ? "-" : "+")\(zone)"
    }
}
