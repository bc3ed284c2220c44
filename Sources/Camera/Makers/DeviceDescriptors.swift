/// The descriptors of a USB device, which can be read without opening the device.
public struct DeviceDescriptors: Codable, Hashable, Sendable {
    /// An interface of the active configuration.
    public struct Interface: Codable, Hashable, Sendable {
        /// bInterfaceClass.
        public var interfaceClass: UInt8
        /// bInterfaceSubClass.
        public var interfaceSubclass: UInt8
        /// bInterfaceProtocol.
        public var interfaceProtocol: UInt8

        /// Creates an interface.
        public init(interfaceClass: UInt8, interfaceSubclass: UInt8, interfaceProtocol: UInt8) {
            self.interfaceClass = interfaceClass
            self.interfaceSubclass = interfaceSubclass
            self.interfaceProtocol = interfaceProtocol
        }

        /// Whether the interface is a still-image interface (PTP).
        var isPTP: Bool { matches(0x06, 0x01, 0x01) }

        func matches(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
            interfaceClass == first && interfaceSubclass == second && interfaceProtocol == third
        }
    }

    /// The interrupt endpoint of the PTP interface.
    public struct InterruptEndpoint: Codable, Hashable, Sendable {
        /// The maximum packet size, in bytes.
        public var maxPacket: Int
        /// The polling interval, as in the descriptor.
        public var interval: Int

        /// Creates an endpoint.
        public init(maxPacket: Int, interval: Int) {
            self.maxPacket = maxPacket
            self.interval = interval
        }
    }

    /// idVendor.
    public var vendorID: UInt16
    /// idProduct.
    public var productID: UInt16
    /// bDeviceClass.
    public var deviceClass: UInt8
    /// bNumConfigurations.
    public var configurationCount: Int
    /// The interfaces of the active configuration.
    public var interfaces: [Interface]
    /// The string descriptor of the manufacturer, or `nil` if it is missing.
    public var manufacturer: String?
    /// The string descriptor of the product, or `nil` if it is missing.
    public var product: String?
    /// The string descriptor of the serial number, or `nil` if it is missing.
    public var serial: String?
    /// The interrupt endpoint of the PTP interface, or `nil` if it was not read.
    public var interruptEndpoint: InterruptEndpoint?
    /// The udev properties.
    public var properties: [String: String]

    /// Creates descriptors.
    public init(
        vendorID: UInt16, productID: UInt16, deviceClass: UInt8 = 0, configurationCount: Int = 1,
        interfaces: [Interface], manufacturer: String? = nil, product: String? = nil, serial: String? = nil,
        interruptEndpoint: InterruptEndpoint? = nil, properties: [String: String] = [:]
    ) {
        self.vendorID = vendorID
        self.productID = productID
        self.deviceClass = deviceClass
        self.configurationCount = configurationCount
        self.interfaces = interfaces
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
        self.interruptEndpoint = interruptEndpoint
        self.properties = properties
    }

    /// The vendor and product number.
    public var identity: USBIdentity { USBIdentity(vendor: vendorID, product: productID) }

    var hasPTP: Bool { interfaces.contains(where: \.isPTP) }

    func hasOnly(_ classes: Set<UInt8>) -> Bool {
        !interfaces.isEmpty && interfaces.allSatisfy { classes.contains($0.interfaceClass) }
    }

    func has(_ classes: Set<UInt8>) -> Bool { interfaces.contains { classes.contains($0.interfaceClass) } }
}
