import FrameFastModel

/// A USB vendor or product id, written as four hex digits: `054c`.
public struct USBNumber: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number.
    public let value: UInt16

    /// Creates a number.
    public init(_ value: UInt16) { self.value = value }

    /// Parses four hex digits. Returns `nil` for any other text.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 4, hex.allSatisfy(\.isHexDigit), let value = UInt16(hex, radix: 16) else {
            return nil
        }
        self.value = value
    }

    /// The number as four hex digits, in lower case.
    public var description: String { Hex.text(value) }

    /// Decodes four hex digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Self(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not four hex digits")
        }
        self = number
    }

    /// Encodes the number as four hex digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A vendor id and a product id.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor id.
    public let vendor: UInt16
    /// The product id. The id may depend on the mode.
    public let product: UInt16
}
