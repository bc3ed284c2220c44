import Glibc

/// The kernel's virtual USB host controller (vhci-hcd). Programs attach simulated devices to its ports.
struct VirtualHub {
    /// The path of the controller's sysfs folder.
    var directory = "/sys/devices/platform/vhci_hcd.0"

    /// The status of a free port (VDEV_ST_NULL in drivers/usb/usbip/usbip_common.h).
    private static let free = 4
    /// The value of USB_SPEED_HIGH.
    private static let highSpeed = 3

    /// Returns the free high-speed ports in the text of the `status` file. The lines of the file have this
    /// format: `hs  0000 004 000 00000000 000000 0-0`.
    static func freePorts(in status: String) -> [Int] {
        status.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 2, words[0] == "hs", Int(words[2]) == free else { return nil }
            return Int(words[1])
        }
    }

    /// Returns the text for the `attach` file: port, descriptor, device number and speed.
    static func attachment(port: Int, descriptor: Int32) -> String {
        "\(port) \(descriptor) \(1 << 16 | (port + 1)) \(highSpeed)"
    }

    /// Returns whether a port is free.
    func isFree(_ port: Int) -> Bool {
        (try? status()).map { Self.freePorts(in: $0).contains(port) } ?? false
    }

    /// Attaches a device. The kernel then sends requests for the device over the socket.
    ///
    /// - Parameter preferred: The port to use if it is free.
    /// - Returns: The port.
    /// - Throws: ``SimulatorError/usb(reason:)`` with the next step.
    func attach(_ descriptor: Int32, preferred: Int?) throws(SimulatorError) -> Int {
        guard access(directory, F_OK) == 0 else {
            throw .usb(reason: "the kernel's virtual USB is missing; load it with modprobe vhci-hcd")
        }
        guard geteuid() == 0 else {
            throw .usb(reason: "virtual USB requires root; run framefast-simcam with sudo")
        }
        let ports = Self.freePorts(in: try status())
        for port in ports.sorted(by: { $0 == preferred && $1 != preferred }) {
            do throws(SimulatorError) {
                try write(Self.attachment(port: port, descriptor: descriptor))
                return port
            } catch {
                // Another program may have attached a device to the port first.
                if isFree(port) { throw error }
            }
        }
        throw .usb(reason: "all ports of the kernel's virtual USB are in use")
    }

    private func status() throws(SimulatorError) -> String {
        let path = directory + "/status"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func write(_ text: String) throws(SimulatorError) {
        let path = directory + "/attach"
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw failure(path) }
    }

    private func failure(_ path: String) -> SimulatorError {
        .usb(reason: "\(path): \(String(cString: strerror(errno)))")
    }
}
