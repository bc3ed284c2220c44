/// Vendor and product number, as `lsusb` writes them: `04a9:32f4`.
public struct USBNumbers: Hashable, Sendable, CustomStringConvertible {
    /// The maker's number.
    public var vendor: UInt16
    /// The product's number.
    public var product: UInt16

    /// Numbers as they are.
    public init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }

    /// Reads `04a9:32f4`; `nil` when it is not two numbers of four hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 4 }),
            let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
        else { return nil }
        self.init(vendor: vendor, product: product)
    }

    /// The numbers of the body that a maker's simulated camera plays, as libgphoto2 knows it.
    ///
    /// A generic camera has pid.codes' number for private tests, which no product has.
    public init(of maker: Maker, in mode: USBMode) {
        switch maker {
        case .generic: self.init(vendor: 0x1209, product: 0x0001)
        case .canon: self.init(vendor: 0x04A9, product: 0x32F4)  // EOS R5
        case .nikon: self.init(vendor: 0x04B0, product: 0x044C)  // Z 6II
        case .fuji: self.init(vendor: 0x04CB, product: 0x02E6)  // X-T4
        case .sony:  // A7 III: a number for each mode
            let product: UInt16 =
                switch mode {
                case .ptp: 0x0C34
                case .mtp: 0x0C03
                case .storage: 0x0C02
                case .charging: 0x0994
                }
            self.init(vendor: 0x054C, product: product)
        }
    }

    /// As it is read.
    public var description: String { "\(Self.digits(vendor)):\(Self.digits(product))" }

    private static func digits(_ value: UInt16) -> String {
        String(String(0x1_0000 + UInt32(value), radix: 16).dropFirst())
    }
}
