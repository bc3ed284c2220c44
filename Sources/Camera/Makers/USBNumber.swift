import FrameFastModel

/// A vendor or product number, written as four hex digits: `054c`.
public struct USBNumber: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number.
    public let value: UInt16

    /// A number.
    public init(_ value: UInt16) { self.value = value }

    /// Reads four hex digits; `nil` when there is anything else.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 4, let value = UInt16(hex, radix: 16) else { return nil }
        self.value = value
    }

    /// Four hex digits, in lower case.
    public var description: String { Hex.text(value) }

    /// Reads four hex digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Self(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not four hex digits")
        }
        self = number
    }

    /// Writes four hex digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A vendor and product number together, as the bus has them.
public struct USBIdentity: Hashable, Sendable {
    /// Who made it.
    public let vendor: UInt16
    /// What it is, in this mode.
    public let product: UInt16

    /// Creates an identity.
    public init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }
}
