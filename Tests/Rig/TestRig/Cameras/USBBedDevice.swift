import Foundation
import Repository

/// A device for the USB bed: an entry of `Tests/Rig/USBBed/zoo.json`, and what the bed needs beside it.
public struct USBBedDevice: Codable, Hashable, Sendable {
    /// One function of the device.
    public struct Interface: Codable, Hashable, Sendable {
        /// `bInterfaceClass`.
        public var `class`: Int
        /// `bInterfaceSubClass`.
        public var subclass: Int
        /// `bInterfaceProtocol`.
        public var `protocol`: Int
        /// Driver of the kernel's that takes it.
        public var driver: String?
        /// Interrupt endpoint: packet in bytes, interval.
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

    /// For the test's name.
    public var name: String?
    /// In hex, four digits.
    public var vendor: String
    /// In hex, four digits.
    public var product: String
    /// The maker's name by the device itself.
    public var manufacturer: String?
    /// The model's name by the device itself.
    public var productName: String?
    /// The serial number by the device itself.
    public var serial: String?
    /// `bDeviceClass`.
    public var deviceClass: Int?
    /// How many; 1 when not given.
    public var configurations: Int?
    /// Its functions.
    public var interfaces: [Interface]
    /// udev properties beside the usual ones.
    public var properties: [String: String]?
    /// Where its simulator listens: `127.0.0.1:15740`.
    public var camera: String?
    /// Permissions of its node in octal; `0660` when not given.
    public var mode: String?
    /// Letter of the disk that the kernel makes of it, `c` for `/dev/sdc` and `/dev/sg2`; none when not given.
    public var disk: String?

    /// Creates a device with one still-image interface when nothing else is said.
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

    /// Every device of the zoo. What is expected of each is not in here.
    public static func zoo() throws -> [USBBedDevice] {
        let file = Repository.file("Tests/Rig/USBBed/zoo.json")
        return try JSONDecoder().decode([USBBedDevice].self, from: Data(contentsOf: file))
    }

    /// On one line, for the bed's control socket.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
