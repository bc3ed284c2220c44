/// A device on the USB, as the kernel and udev describe it. Nothing of it was asked of the device itself.
public struct USBDevice: Hashable, Sendable {
    /// Number of the bus, 1 and up.
    public var bus: Int
    /// Number of the device on its bus, 1...127; another one each time that it is plugged in.
    public var number: Int
    /// Where it is plugged in, as the kernel spells it: `1-1.4`, or `usb1` for a root hub. Stays the same for a socket.
    public var portPath: String
    /// The maker's number, `idVendor`.
    public var vendorID: UInt16
    /// The maker's number for the model, and for some makers the mode: `idProduct`.
    public var productID: UInt16
    /// `bDeviceClass`; 0 means that the interfaces say it.
    public var deviceClass: UInt8
    /// How many configurations it has; more than one is rare and means something for Sony.
    public var configurationCount: Int
    /// The maker's name by the device itself; `nil` when it has none.
    public var manufacturer: String?
    /// The model's name by the device itself; `nil` when it has none.
    public var product: String?
    /// The serial number by the device itself; `nil` when it has none.
    public var serial: String?
    /// Interfaces of the configuration in use, by number; of the first one while none is in use.
    public var interfaces: [USBInterface]
    /// What udev's rules say of it, for example `ID_MTP_DEVICE`; empty when udev does not run.
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

/// One function of a USB device: a camera's PTP, its card, its webcam.
public struct USBInterface: Hashable, Sendable {
    /// `bInterfaceNumber`.
    public var number: Int
    /// `bInterfaceClass`: 6 is still image, 8 mass storage, 14 video, 255 the maker's own.
    public var classCode: UInt8
    /// `bInterfaceSubClass`.
    public var subclassCode: UInt8
    /// `bInterfaceProtocol`.
    public var protocolCode: UInt8
    /// Driver in the kernel that had it when it was described: `usb-storage`; `usbfs` for a program. `nil` when free.
    public var driver: String?
    /// Its interrupt endpoint towards the computer, if it has one.
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

    /// Whether it is `06/01/01`: still image capture, PTP.
    public var isStillImage: Bool { (classCode, subclassCode, protocolCode) == (6, 1, 1) }
}

/// An interrupt endpoint. Some Fujifilm bodies show their mode by nothing else.
public struct USBInterruptEndpoint: Hashable, Sendable {
    /// `wMaxPacketSize` in bytes.
    public var maxPacketBytes: Int
    /// `bInterval`, in the unit of the device's speed.
    public var interval: Int

    /// Creates a description.
    public init(maxPacketBytes: Int, interval: Int) {
        self.maxPacketBytes = maxPacketBytes
        self.interval = interval
    }
}
