/// A parser for the `descriptors` file in sysfs: the device descriptor, followed by each configuration as the
/// device sent it.
///
/// See USB 2.0, chapter 9.6. The bytes come from an untrusted device. The parser therefore checks every
/// length against the file.
struct DescriptorReader {
    var vendorID: UInt16
    var productID: UInt16
    var deviceClass: UInt8
    var configurationCount: Int
    /// The interfaces of each configuration, with the configuration's number.
    private var configurations: [(value: UInt8, interfaces: [USBInterface])] = []
    /// Whether the current interface descriptor is an alternate setting. Its endpoints are then skipped.
    private var isAlternateSetting = false

    private enum Kind {
        static let device: UInt8 = 1
        static let configuration: UInt8 = 2
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    /// Parses the descriptors. Returns `nil` if the device descriptor is incomplete.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 18, bytes[0] >= 18, bytes[1] == Kind.device else { return nil }
        vendorID = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        productID = UInt16(bytes[10]) | UInt16(bytes[11]) << 8
        deviceClass = bytes[4]
        configurationCount = Int(bytes[17])
        var rest = bytes.dropFirst(Int(bytes[0]))
        while rest.count >= 2, let length = rest.first, length >= 2, rest.count >= Int(length) {
            parse(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
    }

    /// Returns the interfaces of a configuration. If `configuration` is `nil` or unknown, returns the
    /// interfaces of the first configuration.
    func interfaces(configuration: UInt8?) -> [USBInterface] {
        (configurations.first { $0.value == configuration } ?? configurations.first)?.interfaces ?? []
    }

    private mutating func parse(_ descriptor: [UInt8]) {
        switch descriptor[1] {
        case Kind.configuration where descriptor.count >= 9:
            configurations.append((descriptor[5], []))
        case Kind.interface where descriptor.count >= 9 && !configurations.isEmpty:
            let number = Int(descriptor[2])
            let last = configurations.count - 1
            // Alternate settings belong to the same function but have other endpoints. The first setting is
            // active after plugging in.
            isAlternateSetting = configurations[last].interfaces.contains { $0.number == number }
            guard !isAlternateSetting else { return }
            configurations[last].interfaces.append(
                USBInterface(
                    number: number, classCode: descriptor[5], subclassCode: descriptor[6],
                    protocolCode: descriptor[7]))
        case Kind.endpoint where descriptor.count >= 7 && !configurations.isEmpty:
            let isInterruptIn = descriptor[2] & 0x80 != 0 && descriptor[3] & 3 == 3
            let last = configurations.count - 1
            let interface = configurations[last].interfaces.count - 1
            guard isInterruptIn, !isAlternateSetting, interface >= 0,
                configurations[last].interfaces[interface].interruptEndpoint == nil
            else { return }
            configurations[last].interfaces[interface].interruptEndpoint = USBInterruptEndpoint(
                maxPacketBytes: Int(descriptor[4]) | Int(descriptor[5] & 7) << 8, interval: Int(descriptor[6])
            )
        default:
            return
        }
    }
}
