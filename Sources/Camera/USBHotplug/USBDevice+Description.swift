import Glibc

extension USBDevice {
    /// Describes the device at a port from sysfs and udev's database. Does not open the device's node.
    ///
    /// The kernel creates the attributes and the `descriptors` file before it announces a device. udev
    /// announces the device after its rules have run. The folders of the interfaces appear only when the
    /// device is configured. This function therefore uses these folders only to read the driver.
    ///
    /// - Returns: The device, or `nil` if the device was removed or another device is now at the port.
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
        // If the device was replaced during the reads, the description would mix two devices.
        guard SystemFiles.text(folder + "/devnum").flatMap({ Int($0) }) == number else { return nil }
        return device
    }

    /// The driver of the whole device, usually `usb`.
    var currentDriver: String? { SystemFiles.targetName("/sys/bus/usb/devices/\(portPath)/driver") }

    /// Returns the driver of an interface, or `nil` if no driver is bound. The driver is `usbfs` if a program
    /// has claimed the interface.
    func currentDriver(of interface: USBInterface) -> String? {
        let configuration =
            SystemFiles.text("/sys/bus/usb/devices/\(portPath)/bConfigurationValue").flatMap { Int($0) } ?? 1
        let name = portPath.hasPrefix("usb") ? "\(bus)-0" : portPath
        return SystemFiles.targetName(
            "/sys/bus/usb/devices/\(portPath)/\(name):\(configuration).\(interface.number)/driver")
    }

    /// Returns whether a configuration of the device is active, or `true` if the state can't be read.
    ///
    /// Without an active configuration, the device has no interfaces that a program can claim. The kernel
    /// leaves it unconfigured if the port supplies too little power ("rejected 1 configuration due to
    /// insufficient available bus power"), if the controller has no resources left (openstf/stf#489), or if
    /// the device is not authorized.
    ///
    /// Returns `true` if the device is exported with USB/IP. The kernel removes the configuration when
    /// `usbip-host` replaces the driver `usb` (usb_generic_driver_disconnect in drivers/usb/core/generic.c).
    ///
    /// - Parameter devices: The folder of USB devices in sysfs.
    public func isConfigured(in devices: String = "/sys/bus/usb/devices") -> Bool {
        let folder = "\(devices)/\(portPath)"
        return SystemFiles.bytes(folder + "/bConfigurationValue")?.isEmpty != true
            || SystemFiles.targetName(folder + "/driver") == "usbip-host"
    }

    /// Returns whether the device has left its port, or `false` if the state can't be read.
    ///
    /// - Parameter devices: The folder of USB devices in sysfs.
    func hasLeft(in devices: String = "/sys/bus/usb/devices") -> Bool {
        let folder = "\(devices)/\(portPath)"
        let current = SystemFiles.text(folder + "/devnum").flatMap { Int($0) }
        if let current { return current != number }
        return access(folder, F_OK) != 0 && errno == ENOENT
    }

    /// Returns the udev properties of a device, combined in the same way as by libudev: the kernel's uevent,
    /// then the results of the rules from `/run/udev/data/cMAJOR:MINOR`.
    private static func udevProperties(of folder: String) -> [String: String] {
        var properties = udevProperties(text: SystemFiles.text(folder + "/uevent") ?? "", prefix: "")
        if let numbers = SystemFiles.text(folder + "/dev"),
            let database = SystemFiles.text("/run/udev/data/c\(numbers)")
        {
            properties.merge(udevProperties(text: database, prefix: "E:")) { $1 }
        }
        return properties
    }

    /// Parses lines of the form `NAME=value` after the given prefix. Ignores other lines, which udev uses
    /// internally.
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
