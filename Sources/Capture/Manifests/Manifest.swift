import Foundation
import TextForms

/// Who made a manifest.
public struct ManifestCreator: Hashable, Sendable {
    /// Name of the computer.
    public var host: String
    /// Version of this program.
    public var version: String
    /// Who tethers; `nil` when nobody is named.
    public var author: String?

    /// Creates one.
    public init(host: String, version: String, author: String?) {
        self.host = host
        self.version = version
        self.author = author
    }
}

/// One generation of a folder's history: what an ASC MHL manifest says.
struct Manifest: Hashable, Sendable {
    /// How the files came to be where they are.
    enum Process: String, Sendable {
        /// They were copied, from the camera.
        case transfer
        /// They were read where they are.
        case inPlace = "in-place"
    }

    /// What the hash of a file is.
    enum Action: String, Sendable {
        /// The first one.
        case original
        /// The same as the first one.
        case verified
        /// Another one than the first.
        case failed
    }

    /// A file.
    struct Record: Hashable, Sendable {
        /// Its path below the folder.
        var path: String
        /// In bytes.
        var size: UInt64?
        /// When the file was changed last.
        var modifiedAt: Date?
        /// XXH128, lower-case hex; `nil` when only other hashes are given.
        var xxh128: String?
        /// The one to check where another tool gave no XXH128; `nil` when that gave none that is known.
        var other: ManifestHash?
        /// `nil` when it is not given.
        var action: Action?
        /// When the hash was made.
        var hashedAt: Date?

        /// The hash to check; `nil` when none is known.
        var hash: ManifestHash? { xxh128.map { ManifestHash(.xxh128, $0) } ?? other }
    }

    /// What is no photo of ours and may lie among them, as gitignore says it. Stands in each manifest and holds for whoever
    /// verifies.
    static let ignored = [
        ".DS_Store", "ascmhl", "ascmhl/", ".framefast/", "*.xmp", "*.json", "CaptureOne/", "@eaDir/",
    ]
    /// The name that manifests have for this program.
    static let tool = "framefast"
    /// What the author does.
    static let role = "tether"
    /// The namespace of manifests.
    static let namespace = "urn:ASC:MHL:v2.0"
    /// The version that the schema asks for.
    static let version = "2.0"

    var creator: ManifestCreator
    var createdAt: Date
    var comment: String?
    var process: Process
    var records: [Record]

    /// Its text, in the order of elements that the schema has.
    var xml: [UInt8] {
        var xml = XMLWriter()
        xml.open("hashlist", [("version", Self.version), ("xmlns", Self.namespace)])
        xml.open("creatorinfo")
        xml.element("creationdate", Self.time(createdAt))
        xml.element("hostname", creator.host)
        xml.element("tool", creator.version.isEmpty ? [] : [("version", creator.version)], Self.tool)
        if let author = creator.author { xml.element("author", [("role", Self.role)], author) }
        if let comment { xml.element("comment", comment) }
        xml.close("creatorinfo")
        xml.open("processinfo")
        xml.element("process", process.rawValue)
        xml.open("ignore")
        for pattern in Self.ignored { xml.element("pattern", pattern) }
        xml.close("ignore")
        xml.close("processinfo")
        xml.open("hashes")
        for record in records {
            xml.open("hash")
            xml.element(
                "path",
                [
                    ("size", record.size.map { String($0) }),
                    ("lastmodificationdate", record.modifiedAt.map(Self.time)),
                ]
                .compactMap { name, value in value.map { (name, $0) } },
                record.path)
            if let hash = record.xxh128 {
                xml.element(
                    "xxh128",
                    [("action", record.action?.rawValue), ("hashdate", record.hashedAt.map(Self.time))]
                        .compactMap { name, value in value.map { (name, $0) } },
                    hash)
            }
            xml.close("hash")
        }
        xml.close("hashes")
        xml.close("hashlist")
        return xml.bytes
    }

    /// Name of a generation's file.
    static func fileName(generation: Int, folder: String, at date: Date) -> String {
        let number = String(generation)
        let digits = String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
        // 2026-11-26T22:55:46Z
        let time = Self.time(date).replacing(":", with: "").replacing("T", with: "_")
        return "\(digits)_\(folder)_\(time)\(fileEnding)"
    }

    /// How the names of manifests end.
    static let fileEnding = ".mhl"

    /// The generation that a file's name gives; `nil` for any other file.
    static func generation(ofFile name: String) -> Int? {
        guard name.hasSuffix(fileEnding) else { return nil }
        let digits = name.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (4...9).contains(digits.count),
            name.utf8.dropFirst(digits.count).first.map({ $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
            )
                ?? false
        else { return nil }
        return Int(Substring(digits))
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
