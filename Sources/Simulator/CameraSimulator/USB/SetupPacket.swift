/// The first eight bytes of a control transfer (USB 2.0, table 9-2).
struct SetupPacket: Hashable, Sendable {
    var requestType: UInt8
    var request: UInt8
    var value: UInt16
    var index: UInt16
    var length: UInt16

    init(_ requestType: UInt8, _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, length: UInt16 = 0) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.length = length
    }

    /// Parses a packet, or returns `nil` if there are fewer than eight bytes.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(bytes)
        guard let requestType = reader.u8(), let request = reader.u8(), let value = reader.u16(),
            let index = reader.u16(), let length = reader.u16()
        else { return nil }
        self.init(requestType, request, value: value, index: index, length: length)
    }

    /// The meaning of a control request in the USB standard and in the two supported classes.
    enum Meaning: Hashable, Sendable {
        case getDescriptor(type: UInt8, index: UInt8)
        case getStatus(endpoint: UInt8?)
        case clearHalt(endpoint: UInt8), setHalt(endpoint: UInt8)
        case getConfiguration, setConfiguration(UInt8), getInterface, setInterface, setAddress
        /// Still Image class, chapter 5.2.
        case cancel, deviceReset, deviceStatus
        /// Mass storage, bulk-only transport, chapter 3.
        case maxUnit, diskReset
        case unknown
    }

    var meaning: Meaning {
        switch (requestType, request) {
        case (0x80, 0x06): .getDescriptor(type: UInt8(value >> 8), index: UInt8(truncatingIfNeeded: value))
        case (0x80, 0x00), (0x81, 0x00): .getStatus(endpoint: nil)
        case (0x82, 0x00): .getStatus(endpoint: UInt8(truncatingIfNeeded: index))
        case (0x02, 0x01) where value == 0: .clearHalt(endpoint: UInt8(truncatingIfNeeded: index))
        case (0x02, 0x03) where value == 0: .setHalt(endpoint: UInt8(truncatingIfNeeded: index))
        case (0x80, 0x08): .getConfiguration
        case (0x00, 0x09): .setConfiguration(UInt8(truncatingIfNeeded: value))
        case (0x81, 0x0A): .getInterface
        case (0x01, 0x0B): .setInterface
        case (0x00, 0x05): .setAddress
        case (0x21, 0x64): .cancel
        case (0x21, 0x66): .deviceReset
        case (0xA1, 0x67): .deviceStatus
        case (0xA1, 0xFE): .maxUnit
        case (0x21, 0xFF): .diskReset
        default: .unknown
        }
    }
}
