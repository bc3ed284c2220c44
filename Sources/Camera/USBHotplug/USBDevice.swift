/// A USB device, as described by the kernel and udev. No request is sent to the device.
public struct USBDevice: Hashable, Sendable {
    /// The number of the bus, starting at 1.
    public var bus: Int
    /// The number of the device on its bus, 1 to 127. The number changes each time the device is plugged in.
    public var number: Int
    /// The port in the kernel's format: `1-1.4`, or `usb1` for a root hub. Each physical port has a fixed
    /// port path.
    public var portPath: String
    /// The vendor id, `idVendor`.
    public var vendorID: UInt16
    /// The product id, `idProduct`. For some makers, the id also indicates the mode.
    public var productID: UInt16
    /// `bDeviceClass`. 0 means that each interface defines its own class.
    public var deviceClass: UInt8 = 0
    /// The number of configurations. Most devices have one configuration. On a Sony, the number distinguishes
    /// USB modes.
    public var configurationCount = 1
    /// The manufacturer string of the device, or `nil` if it is missing.
    public var manufacturer: String?
    /// The product string of the device, or `nil` if it is missing.
    public var product: String?
    /// The serial number of the device, or `nil` if it is missing.
    public var serial: String?
    /// The interfaces of the active configuration, by number. If no configuration is active, the interfaces
    /// of the first configuration.
    public var interfaces: [USBInterface] = []
    /// The properties from udev's rules, for example `ID_MTP_DEVICE`. Empty if udev is not running.
    public var properties: [String: String] = [:]

    /// The device node: `/dev/bus/usb/001/004`.
    public var nodePath: String { "/dev/bus/usb/\(padded(bus))/\(padded(number))" }

    /// The port in libgphoto2's format: `usb:001,004`.
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
