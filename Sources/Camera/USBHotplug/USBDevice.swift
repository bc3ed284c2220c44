/// A USB device, as the kernel and udev describe it. The device itself is not asked.
public struct USBDevice: Hashable, Sendable {
    /// The number of the bus, 1 and up.
    public var bus: Int
    /// The number of the device on its bus, 1...127. It changes each time the device is plugged in.
    public var number: Int
    /// The port as the kernel spells it: `1-1.4`, or `usb1` for a root hub. It stays the same for a socket.
    public var portPath: String
    /// The vendor number, `idVendor`.
    public var vendorID: UInt16
    /// The product number, `idProduct`. For some makers it also shows the mode.
    public var productID: UInt16
    /// `bDeviceClass`; 0 means that each interface has its own class.
    public var deviceClass: UInt8
    /// The number of configurations. More than one is rare, and has a meaning for Sony.
    public var configurationCount: Int
    /// The device's own name of its maker, or `nil` if it has none.
    public var manufacturer: String?
    /// The device's own name of its model, or `nil` if it has none.
    public var product: String?
    /// The device's serial number, or `nil` if it has none.
    public var serial: String?
    /// The interfaces of the active configuration, by number; of the first one if none is active.
    public var interfaces: [USBInterface]
    /// The properties from udev's rules, for example `ID_MTP_DEVICE`; empty if udev does not run.
    public var properties: [String: String]

    /// Creates a description.
    public init(
        bus: Int, number: Int, portPath: String, vendorID: UInt16, productID: UInt16, deviceClass: UInt8 = 0,
        configurationCount: Int = 1, manufacturer: String? = nil, product: String? = nil,
        serial: String? = nil, interfaces: [USBInterface] = [], properties: [String: String] = [:]
    ) {
        self.bus = bus
        self.number = number
        self.portPath = portPath
        self.vendorID = vendorID
        self.productID = productID
        self.deviceClass = deviceClass
        self.configurationCount = configurationCount
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
        self.interfaces = interfaces
        self.properties = properties
    }

    /// The device node: `/dev/bus/usb/001/004`.
    public var nodePath: String { "/dev/bus/usb/\(padded(bus))/\(padded(number))" }

    /// The port as libgphoto2 spells it: `usb:001,004`.
    public var driverPort: String { "usb:\(padded(bus)),\(padded(number))" }

    /// The interrupt endpoint of the still-image interface, or of the first interface that has one.
    public var interruptEndpoint: USBInterruptEndpoint? {
        (interfaces.first { $0.isStillImage && $0.interruptEndpoint != nil }
            ?? interfaces.first { $0.interruptEndpoint != nil })?.interruptEndpoint
    }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}

/// A function of a USB device, for example a camera's PTP, its card or its webcam.
public struct USBInterface: Hashable, Sendable {
    /// `bInterfaceNumber`.
    public var number: Int
    /// `bInterfaceClass`: 6 is still image, 8 mass storage, 14 video, 255 vendor-specific.
    public var classCode: UInt8
    /// `bInterfaceSubClass`.
    public var subclassCode: UInt8
    /// `bInterfaceProtocol`.
    public var protocolCode: UInt8
    /// The kernel driver at the time of the description: `usb-storage`, or `usbfs` for a program; `nil` if it
    /// was free.
    public var driver: String?
    /// The interrupt endpoint to the computer, or `nil` if missing.
    public var interruptEndpoint: USBInterruptEndpoint?

    /// Creates a description.
    public init(
        number: Int = 0, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8, driver: String? = nil,
        interruptEndpoint: USBInterruptEndpoint? = nil
    ) {
        self.number = number
        self.classCode = classCode
        self.subclassCode = subclassCode
        self.protocolCode = protocolCode
        self.driver = driver
        self.interruptEndpoint = interruptEndpoint
    }

    /// Whether the interface is `06/01/01`: still image capture, PTP.
    public var isStillImage: Bool { (classCode, subclassCode, protocolCode) == (6, 1, 1) }
}

/// An interrupt endpoint. It is the only sign of the mode on some Fujifilm cameras.
public struct USBInterruptEndpoint: Hashable, Sendable {
    /// `wMaxPacketSize`, in bytes.
    public var maxPacketBytes: Int
    /// `bInterval`, in the unit of the device's speed.
    public var interval: Int

    /// Creates a description.
    public init(maxPacketBytes: Int, interval: Int) {
        self.maxPacketBytes = maxPacketBytes
        self.interval = interval
    }
}
