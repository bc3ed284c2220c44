import USBTopology

extension USBDevice {
    /// Describes the device at a port from sysfs and udev's database, without opening its node.
    ///
    /// The kernel makes the attributes and the `descriptors` file before it announces a device, and udev announces it
    /// after its rules ran. Folders of the interfaces come later, when the device is configured: they are asked for
    /// nothing but the driver.
    ///
    /// - Returns: `nil` when the device is gone, or another one is there by now.
    static func described(portPath: String, bus: Int, number: Int) -> USBDevice? {
        let folder = "/sys/bus/usb/devices/\(portPath)"
        guard let bytes = SystemFiles.bytes(folder + "/descriptors"),
            let descriptors = DescriptorReader(bytes)
        else { return nil }
        let configuration = SystemFiles.text(folder + "/bConfigurationValue").flatMap { UInt8($0) }
        var device = USBDevice(
            bus: bus, number: number, portPath: portPath, vendorID: descriptors.vendorID,
            productID: descriptors.productID, deviceClass: descriptors.deviceClass,
            configurationCount: descriptors.configurationCount,
            manufacturer: SystemFiles.text(folder + "/manufacturer"),
            product: SystemFiles.text(folder + "/product"), serial: SystemFiles.text(folder + "/serial"),
            interfaces: descriptors.interfaces(configuration: configuration))
        for index in device.interfaces.indices {
            device.interfaces[index].driver = device.currentDriver(of: device.interfaces[index])
        }
        device.properties = udevProperties(of: folder)
        // A cable pulled and another one put in while reading would mix two devices.
        guard SystemFiles.text(folder + "/devnum").flatMap({ Int($0) }) == number else { return nil }
        return device
    }

    /// Driver that has the whole device now: `usb` as a rule.
    var currentDriver: String? { SystemFiles.targetName("/sys/bus/usb/devices/\(portPath)/driver") }

    /// Driver that has an interface now: `usbfs` when a program claimed it; `nil` when nobody has it.
    func currentDriver(of interface: USBInterface) -> String? {
        let configuration =
            SystemFiles.text("/sys/bus/usb/devices/\(portPath)/bConfigurationValue").flatMap { Int($0) } ?? 1
        let name = portPath.hasPrefix("usb") ? "\(bus)-0" : portPath
        return SystemFiles.targetName(
            "/sys/bus/usb/devices/\(portPath)/\(name):\(configuration).\(interface.number)/driver")
    }

    /// What udev says of a device, put together as libudev does it: what the kernel announced, then what the rules
    /// found out, which is kept in `/run/udev/data/cMAJOR:MINOR`.
    private static func udevProperties(of folder: String) -> [String: String] {
        var properties = udevProperties(text: SystemFiles.text(folder + "/uevent") ?? "", prefix: "")
        if let numbers = SystemFiles.text(folder + "/dev"),
            let database = SystemFiles.text("/run/udev/data/c\(numbers)")
        {
            properties.merge(udevProperties(text: database, prefix: "E:")) { $1 }
        }
        return properties
    }

    /// Lines `NAME=value` that begin with `prefix`; other lines are for udev itself.
    static func udevProperties(text: String, prefix: String) -> [String: String] {
        var properties: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix(prefix) {
            let parts = line.dropFirst(prefix.count)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }
}
