/// The devices that are plugged in.
///
/// The kernel drops events of udev if their buffer is full (ENOBUFS; reported in osquery#7758 and
/// usbguard#349). libusb does not report this error. Therefore, each arrival also reports the departures
/// that libusb missed.
struct PresentDevices {
    private var devices: [Int: USBDevice] = [:]

    /// All devices, in no particular order.
    var all: [USBDevice] { Array(devices.values) }

    /// Adds a device that has arrived.
    ///
    /// - Parameter hasLeft: Returns whether sysfs no longer has a device.
    /// - Returns: The changes to report: the departures of devices that have left, and the arrival. Empty if
    ///   the device is already present.
    mutating func insert(_ device: USBDevice, hasLeft: (USBDevice) -> Bool) -> [USBChange] {
        let key = Self.key(bus: device.bus, number: device.number)
        guard devices[key]?.portPath != device.portPath else { return [] }
        let departed = devices.filter {
            $0.key == key || $0.value.portPath == device.portPath || hasLeft($0.value)
        }
        for key in departed.keys { devices[key] = nil }
        devices[key] = device
        return departed.values.map(USBChange.left) + [.arrived(device)]
    }

    /// Removes a device that has left.
    ///
    /// - Returns: The change to report, or `nil` if the device is not present.
    mutating func remove(bus: Int, number: Int) -> USBChange? {
        devices.removeValue(forKey: Self.key(bus: bus, number: number)).map(USBChange.left)
    }

    private static func key(bus: Int, number: Int) -> Int { bus << 8 | number }
}
