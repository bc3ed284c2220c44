import CLibUSB
import Dispatch

/// The computer's USB. The bus reports arrivals and departures, finds the program that uses a device, and
/// resets devices.
///
/// One thread waits for events of the bus until ``close()`` is called. Devices are described from sysfs. Only
/// ``reset(_:)`` opens a device.
public final class USBBus: Sendable {
    /// Arrivals and departures, starting with the devices that are already plugged in. The stream supports
    /// one reader and ends after ``close()``.
    ///
    /// The stream omits a device that leaves before its arrival was read.
    public let changes: AsyncStream<USBChange>

    private let queue: ChangeQueue
    private let thread: USBEventThread
    /// A queue for blocking calls. The queue keeps these calls out of Swift's cooperative thread pool.
    private let calls = DispatchQueue(label: "usb-calls")

    /// Starts to watch the bus, which takes a few milliseconds.
    ///
    /// - Throws: ``USBError/noUSB`` if the computer has no USB.
    public init() throws(USBError) {
        let queue = ChangeQueue()
        self.queue = queue
        thread = try USBEventThread(queue: queue)
        changes = AsyncStream(unfolding: { await queue.next() }, onCancel: { queue.finish() })
    }

    deinit { close() }

    /// The devices that are currently plugged in, in no particular order.
    public var present: [USBDevice] { thread.present }

    /// Stops watching, and releases libusb's thread, descriptors and memory before it returns.
    public func close() {
        // Waits for a running reset, which needs the context.
        calls.sync { thread.stop() }
        queue.finish()
    }

    /// Returns the kernel driver or program that uses a device.
    ///
    /// - Parameter excluded: The processes to ignore, for example the daemon's own workers.
    /// - Returns: The holder, or `nil` if this process sees no holder.
    public func holder(of device: USBDevice, excluding excluded: Set<Int32> = []) async -> USBHolder? {
        await withCheckedContinuation { continuation in
            calls.async { continuation.resume(returning: USBHolder.find(device, excluding: excluded)) }
        }
    }

    /// Returns whether this process may open a device. Uses a few system calls and does not open the node.
    public func access(to device: USBDevice) -> USBAccess { USBAccess(node: device.nodePath) }

    /// Returns the owner and permissions of a device's node. Used to explain why another user cannot open the
    /// node.
    public func denial(of device: USBDevice) -> USBAccess { USBAccess(denialOf: device.nodePath) }

    /// Resets a device as if it had been plugged in again. The device may leave and arrive again.
    ///
    /// - Throws: ``USBError/gone(_:)``, ``USBError/denied(_:)``, ``USBError/closed``, or libusb's error.
    public func reset(_ device: USBDevice) async throws(USBError) {
        let result: Result<Void, USBError> = await withCheckedContinuation { continuation in
            calls.async { [thread] in
                guard let context = thread.context else {
                    return continuation.resume(returning: .failure(.closed))
                }
                continuation.resume(
                    returning: Result { () throws(USBError) in try Self.reset(device, in: context) })
            }
        }
        try result.get()
    }

    private static func reset(_ device: USBDevice, in context: USBEventThread.Context) throws(USBError) {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(context.raw, &list)
        guard count >= 0, let list else { throw USBError(Int32(count), action: "list USB devices") }
        defer { libusb_free_device_list(list, 1) }
        let found = (0..<count).compactMap { list[$0] }.first {
            Int(libusb_get_bus_number($0)) == device.bus
                && Int(libusb_get_device_address($0)) == device.number
        }
        guard let found else { throw .gone(device.portPath) }
        var handle: OpaquePointer?
        let opened = libusb_open(found, &handle)
        guard opened == 0, let handle else {
            throw USBError(opened, action: "open \(device.nodePath)", device: device)
        }
        defer { libusb_close(handle) }
        let status = libusb_reset_device(handle)
        // LIBUSB_ERROR_NOT_FOUND means that the device has returned with other descriptors and a new number.
        // The reset therefore succeeded.
        guard status == 0 || status == LIBUSB_ERROR_NOT_FOUND.rawValue else {
            throw USBError(status, action: "reset \(device.nodePath)", device: device)
        }
    }
}
