/// A vendor and a product number, in the format of `lsusb`: `04a9:32f4`.
public struct USBNumbers: Hashable, Sendable, CustomStringConvertible {
    var vendor: UInt16
    var product: UInt16

    init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }

    /// Parses `04a9:32f4`, or returns `nil` if the text is not two numbers of four hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 4 }),
            let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
        else { return nil }
        self.init(vendor: vendor, product: product)
    }

    /// Creates the numbers of the maker's simulated model, from libgphoto2's table.
    ///
    /// A generic camera has pid.codes' number for private testing, which no product uses.
    init(of maker: Maker, in mode: USBMode) {
        switch maker {
        case .generic: self.init(vendor: 0x1209, product: 0x0001)
        case .canon: self.init(vendor: 0x04A9, product: 0x32F4)  // EOS R5
        case .nikon: self.init(vendor: 0x04B0, product: 0x044C)  // Z 6II
        case .fuji: self.init(vendor: 0x04CB, product: 0x02E6)  // X-T4
        case .sony:  // A7R III: a number for each mode
            let product: UInt16 =
                switch mode {
                case .ptp: 0x0C33
                case .mtp: 0x0C00
                case .storage: 0x0BFF
                case .charging: 0x0994
                }
            self.init(vendor: 0x054C, product: product)
        }
    }

    /// The numbers in the format of `lsusb`.
    public var description: String { "\(Self.digits(vendor)):\(Self.digits(product))" }

    private static func digits(_ value: UInt16) -> String {
        String(String(0x1_0000 + UInt32(value), radix: 16).dropFirst())
    }
}
