public import FoundationEssentials

/// What is said of a photo in a JSON file beside it. The same for every try, so that it is known again.
public struct PhotoSidecar: Encodable, Sendable {
    /// The file's name is the photo's and this.
    public static let ending = ".json"

    private let facts: Facts
    private let fields: FieldTexts
    /// The photo's, without the folder that both are in.
    private let name: String
    /// The computer that saved it.
    private let host: FleetHostName
    /// The installation that sends it; `nil` where it is not sent.
    private let station: String?

    /// Of a photo by what is known of it.
    public init(
        _ facts: Facts, fields: FieldTexts, name: String, host: FleetHostName, station: String? = nil
    ) {
        self.facts = facts
        self.fields = fields
        self.name = name
        self.host = host
        self.station = station
    }

    private enum Key: String, CodingKey {
        case name, bytes, sha256, host, station, capture, camera, original, kind, session, shot, fields
        case capturedAt = "captured_at"
    }

    /// Writes its fields; what is not known is left out.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(host, forKey: .host)
        try fields.encodeIfPresent(station, forKey: .station)
        for (key, fact) in [(Key.bytes, FactName.bytes), (.capture, .capture), (.shot, .shot)] {
            try fields.encodeIfPresent(facts[fact].flatMap { Int64($0) }, forKey: key)
        }
        for (key, fact) in [
            (Key.sha256, FactName.sha256), (.camera, .camera), (.original, .original), (.kind, .kind),
            (.session, .session), (.capturedAt, .capturedAt),
        ] {
            try fields.encodeIfPresent(facts[fact], forKey: key)
        }
        if !self.fields.isEmpty { try fields.encode(self.fields.byName, forKey: .fields) }
    }

    /// One field a line, sorted, for people and for comparing.
    public var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
