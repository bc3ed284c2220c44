/// A code that a person types or scans once to pair a device with the web page: `K7QM-4R2P`.
///
/// The code has 8 characters of Crockford's base 32, which are 40 random bits.
public struct PairingCode: Hashable, Sendable {
    /// The characters of Crockford's base 32. They do not include I, L, O and U.
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// The number of characters without the hyphen.
    static let length = 8

    /// The 8 characters without the hyphen.
    let characters: String

    /// Creates a code from the low 40 bits of a random number.
    ///
    /// - Parameter bits: Random bits of a cryptographic source.
    public init(randomBits bits: UInt64) {
        characters = String(
            (0..<Self.length).map { Self.alphabet[Int(truncatingIfNeeded: bits >> UInt64(5 * $0)) & 31] })
    }

    /// Parses a typed code, or returns `nil` if the text is not a code.
    ///
    /// Accepts lower case, and ignores hyphens and spaces. Reads O as 0, and I and L as 1.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * Self.length else { return nil }
        var characters = ""
        for character in text.uppercased() where character != "-" && character != " " {
            let read: Character =
                switch character {
                case "O": "0"
                case "I", "L": "1"
                default: character
                }
            guard Self.alphabet.contains(read) else { return nil }
            characters.append(read)
        }
        guard characters.count == Self.length else { return nil }
        self.characters = characters
    }

    /// The code as people read it, with a hyphen in the middle.
    public var text: String { "\(characters.prefix(Self.length / 2))-\(characters.suffix(Self.length / 2))" }

    /// The hash under which the service finds the code.
    public var digest: SecretDigest { SecretDigest(of: characters) }
}
