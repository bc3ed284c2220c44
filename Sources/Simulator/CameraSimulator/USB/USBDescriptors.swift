/// The USB descriptors of the device (USB 2.0, chapter 9.6).
struct USBDescriptors: Hashable, Sendable {
    /// The size of a bulk packet at high speed, in bytes.
    static let bulkPacketBytes = 512
    /// The size of an interrupt packet, in bytes. The largest event is smaller.
    static let interruptPacketBytes = 64

    /// The endpoint numbers, which are the same in all modes.
    enum Endpoint {
        static let bulkIn: UInt8 = 1
        static let bulkOut: UInt8 = 2
        static let interruptIn: UInt8 = 3
    }

    private enum Kind {
        static let device: UInt8 = 1
        static let configuration: UInt8 = 2
        static let string: UInt8 = 3
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    private enum Transfer {
        static let bulk: UInt8 = 2
        static let interrupt: UInt8 = 3
    }

    var numbers: USBNumbers
    var mode: USBMode
    var manufacturer: String
    var product: String
    var serial: String

    /// - Parameter numbers: The vendor and product numbers, or `nil` for the numbers of the maker's simulated
    ///   model in this mode.
    init(_ identity: CameraIdentity, mode: USBMode, numbers: USBNumbers? = nil) {
        self.numbers = numbers ?? USBNumbers(of: identity.maker, in: mode)
        self.mode = mode
        manufacturer = identity.maker == .sony ? "Sony" : identity.manufacturer
        product =
            switch identity.maker {
            case .canon: "Canon Digital Camera"
            case .nikon: "NIKON DSC \(identity.model)"
            case .fuji: "USB PTP Camera"
            case .generic, .sony: identity.model
            }
        serial = identity.serial
    }

    /// Returns a descriptor by type and index, or `nil` if it does not exist.
    func descriptor(type: UInt8, index: UInt8) -> [UInt8]? {
        switch type {
        case Kind.device: device
        case Kind.configuration: index == 0 ? configuration : nil
        case Kind.string: string(index)
        default: nil
        }
    }

    var device: [UInt8] {
        var out = ByteWriter(capacity: 18)
        out.raw([18, Kind.device])
        out.u16(0x0200)  // USB 2.0
        out.raw([0, 0, 0, 64])  // the interface defines the class
        out.u16(numbers.vendor)
        out.u16(numbers.product)
        out.u16(0x0100)
        out.raw([1, 2, 3, 1])  // strings, and one configuration
        return out.bytes
    }

    var configuration: [UInt8] {
        var endpoints: [[UInt8]] = []
        let bulk = UInt16(Self.bulkPacketBytes)
        if mode != .charging {
            endpoints.append(Self.endpoint(0x80 | Endpoint.bulkIn, Transfer.bulk, bulk, interval: 0))
            endpoints.append(Self.endpoint(Endpoint.bulkOut, Transfer.bulk, bulk, interval: 0))
        }
        if mode.isCamera {
            let bytes = UInt16(Self.interruptPacketBytes)
            endpoints.append(
                Self.endpoint(0x80 | Endpoint.interruptIn, Transfer.interrupt, bytes, interval: 4))
        }
        let interface = mode.interface
        var out = ByteWriter(capacity: 64)
        out.raw([9, Kind.configuration])
        out.u16(UInt16(18 + endpoints.joined().count))
        out.raw([1, 1, 0, 0xC0, 1])  // one interface; self-powered, 2 mA
        out.raw([9, Kind.interface, 0, 0, UInt8(endpoints.count)])
        out.raw([interface.class, interface.subclass, interface.protocol, 0])
        out.raw(endpoints.joined())
        return out.bytes
    }

    private func string(_ index: UInt8) -> [UInt8]? {
        let text: String
        switch index {
        case 0: return [4, Kind.string, 0x09, 0x04]  // English (United States)
        case 1: text = manufacturer
        case 2: text = product
        case 3: text = serial
        default: return nil
        }
        let units = text.utf16.prefix(126)
        var out = ByteWriter(capacity: 2 + units.count * 2)
        out.raw([UInt8(2 + units.count * 2), Kind.string])
        for unit in units { out.u16(unit) }
        return out.bytes
    }

    private static func endpoint(_ address: UInt8, _ kind: UInt8, _ bytes: UInt16, interval: UInt8) -> [UInt8]
    {
        var out = ByteWriter(capacity: 7)
        out.raw([7, Kind.endpoint, address, kind])
        out.u16(bytes)
        out.u8(interval)
        return out.bytes
    }
}
