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
        if let numbers = SystemFiles.text(folder + "/dev") {
            device.properties = udevProperties(numbers)
        }
        // A cable pulled and another one put in while reading would mix two devices.
        guard SystemFiles.text(folder + "/devnum").flatMap({ Int($0) }) == number else { return nil }
        return device
    }

    /// Driver that has an interface now: `usbfs` when a program claimed it; `nil` when nobody has it.
    func currentDriver(of interface: USBInterface) -> String? {
        let configuration =
            SystemFiles.text("/sys/bus/usb/devices/\(portPath)/bConfigurationValue").flatMap { Int($0) } ?? 1
        let name = portPath.hasPrefix("usb") ? "\(bus)-0" : portPath
        return SystemFiles.targetName(
            "/sys/bus/usb/devices/\(portPath)/\(name):\(configuration).\(interface.number)/driver")
    }

    /// What udev keeps of a character device: lines `E:NAME=value` of `/run/udev/data/cMAJOR:MINOR`.
    private static func udevProperties(_ numbers: String) -> [String: String] {
        var properties: [String: String] = [:]
        for line in SystemFiles.text("/run/udev/data/c\(numbers)")?.split(separator: "\n") ?? []
        where line.hasPrefix("E:") {
            let parts = line.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }
}
