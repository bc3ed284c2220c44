/// Which field of photos: a name that people choose, such as `job` or `client`. Like a destination, its name is its id.
public struct FieldName: Identity, ExpressibleByStringLiteral {
    /// Most fields that a session may have: more than the columns of a list that people read.
    public static let countMax = 16
    /// Longest name in characters.
    public static let lengthMax = 32
    /// Longest text of a field in characters: no barcode has as many.
    public static let textLengthMax = 300

    /// The name.
    public let rawValue: String
    /// Takes the name of the ledger or the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// A name that a person gives; `nil` for one that is none: it has small letters of ASCII, digits and `_`, and begins with
    /// a letter.
    public init?(given text: some StringProtocol) {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= Self.lengthMax,
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.init(rawValue: String(text))
    }

    /// What a name is made of, for sentences.
    public static let rule =
        "small letters, digits and '_', a letter first, at most \(lengthMax) characters"
}

/// What photos are given of a session: a text under each name.
public typealias FieldTexts = [FieldName: String]

extension FieldTexts {
    /// As JSON and the wire have them.
    public init(byName texts: [String: String]) {
        self.init(uniqueKeysWithValues: texts.map { (FieldName(rawValue: $0.key), $0.value) })
    }

    /// As JSON and the wire have them.
    public var byName: [String: String] {
        .init(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
    }
}
