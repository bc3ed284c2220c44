/// What the bus shows of a device without opening it.
public struct DeviceDescriptors: Codable, Hashable, Sendable {
    /// An interface of the active configuration.
    public struct Interface: Codable, Hashable, Sendable {
        /// bInterfaceClass.
        public var interfaceClass: UInt8
        /// bInterfaceSubClass.
        public var interfaceSubclass: UInt8
        /// bInterfaceProtocol.
        public var interfaceProtocol: UInt8
        /// The kernel driver that is bound, for example `usb-storage`; `nil` for none.
        public var driver: String?

        /// Creates an interface.
        public init(
            interfaceClass: UInt8, interfaceSubclass: UInt8, interfaceProtocol: UInt8, driver: String? = nil
        ) {
            self.interfaceClass = interfaceClass
            self.interfaceSubclass = interfaceSubclass
            self.interfaceProtocol = interfaceProtocol
            self.driver = driver
        }

        /// Still image capture: PTP.
        var isPTP: Bool { matches(0x06, 0x01, 0x01) }

        func matches(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
            interfaceClass == first && interfaceSubclass == second && interfaceProtocol == third
        }
    }

    /// The interrupt endpoint of the PTP interface.
    public struct InterruptEndpoint: Codable, Hashable, Sendable {
        /// Longest packet, in bytes.
        public var maxPacket: Int
        /// Polling interval, as in the descriptor.
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
    /// String descriptor of the maker; `nil` when there is none.
    public var manufacturer: String?
    /// String descriptor of the product.
    public var product: String?
    /// String descriptor of the serial number.
    public var serial: String?
    /// The interrupt endpoint of the PTP interface, where it was read.
    public var interruptEndpoint: InterruptEndpoint?
    /// udev properties.
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

    /// Vendor and product number.
    public var identity: USBIdentity { USBIdentity(vendor: vendorID, product: productID) }

    var hasPTP: Bool { interfaces.contains(where: \.isPTP) }

    func hasOnly(_ classes: Set<UInt8>) -> Bool {
        !interfaces.isEmpty && interfaces.allSatisfy { classes.contains($0.interfaceClass) }
    }

    func has(_ classes: Set<UInt8>) -> Bool { interfaces.contains { classes.contains($0.interfaceClass) } }
}
