import Foundation
import Repository

/// A device for the virtual USB bus: an entry of `Tests/Rig/USBBed/zoo.json` with further properties.
public struct USBBedDevice: Codable, Hashable, Sendable {
    /// An interface of the device.
    public struct Interface: Codable, Hashable, Sendable {
        /// `bInterfaceClass`.
        public var `class`: Int
        /// `bInterfaceSubClass`.
        public var subclass: Int
        /// `bInterfaceProtocol`.
        public var `protocol`: Int
        /// The kernel driver that binds to the interface, or `nil`.
        public var driver: String?
        /// The interrupt endpoint as packet size in bytes and interval, or `nil`.
        public var interrupt: [Int]?

        /// Creates an interface.
        public init(
            _ class: Int, _ subclass: Int, _ protocol: Int, driver: String? = nil, interrupt: [Int]? = nil
        ) {
            self.class = `class`
            self.subclass = subclass
            self.protocol = `protocol`
            self.driver = driver
            self.interrupt = interrupt
        }
    }

    /// The name of the device in test names.
    public var name: String?
    /// The vendor number, as four hexadecimal digits.
    public var vendor: String
    /// The product number, as four hexadecimal digits.
    public var product: String
    /// The maker's name in the device's descriptors.
    public var manufacturer: String?
    /// The product name in the device's descriptors.
    public var productName: String?
    /// The serial number in the device's descriptors.
    public var serial: String?
    /// `bDeviceClass`.
    public var deviceClass: Int?
    /// The number of configurations, or `nil` for 1.
    public var configurations: Int?
    /// The interfaces.
    public var interfaces: [Interface]
    /// Additional udev properties.
    public var properties: [String: String]?
    /// The address of the device's simulator, for example `127.0.0.1:15740`, or `nil`.
    public var camera: String?
    /// The octal permissions of the device node, or `nil` for `0660`.
    public var mode: String?
    /// The letter of the disk that the kernel creates for the device: `c` for `/dev/sdc` and `/dev/sg2`.
    /// `nil` for no disk.
    public var disk: String?
    /// The device number on the bus, or `nil` for the next free number. The kernel reuses a number after a
    /// restart, or after 127 devices.
    public var number: Int?

    /// Creates a device, by default with one still-image interface.
    public init(
        name: String? = nil, vendor: String, product: String, manufacturer: String? = nil,
        productName: String? = nil, serial: String? = nil, configurations: Int? = nil,
        interfaces: [Interface] = [Interface(6, 1, 1)], properties: [String: String]? = nil,
        camera: Simulator? = nil, mode: String? = nil, disk: String? = nil
    ) {
        self.name = name
        self.vendor = vendor
        self.product = product
        self.manufacturer = manufacturer
        self.productName = productName
        self.serial = serial
        self.configurations = configurations
        self.interfaces = interfaces
        self.properties = properties
        self.camera = camera.map { "127.0.0.1:\($0.port)" }
        self.mode = mode
        self.disk = disk
    }

    /// Returns all devices of `zoo.json`, without their expected results.
    public static func zoo() throws -> [USBBedDevice] {
        let file = Repository.file("Tests/Rig/USBBed/zoo.json")
        return try JSONDecoder().decode([USBBedDevice].self, from: Data(contentsOf: file))
    }

    /// Returns the JSON of the device on one line, for the control socket.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
