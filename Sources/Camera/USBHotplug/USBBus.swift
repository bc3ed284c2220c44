import CLibUSB
import Dispatch

/// The USB of this computer: arrivals, departures, the holder of a device, and a reset.
///
/// One thread waits for the bus; ``close()`` ends it. Devices are described from sysfs. Only ``reset(_:)``
/// opens one.
public final class USBBus: Sendable {
    /// Arrivals and departures for one reader, starting with the devices that are already plugged in. Ends
    /// after ``close()``.
    ///
    /// A device that arrives and leaves before its arrival was read is omitted.
    public let changes: AsyncStream<USBChange>

    private let queue: ChangeQueue
    private let thread: USBEventThread
    /// A queue for blocking calls, which keeps them out of Swift's cooperative thread pool.
    private let calls = DispatchQueue(label: "usb-calls")

    /// Starts to watch the bus. This takes a few milliseconds.
    ///
    /// - Throws: ``USBError/noUSB`` if the computer has no USB.
    public init() throws(USBError) {
        let queue = ChangeQueue()
        self.queue = queue
        thread = try USBEventThread(queue: queue)
        changes = AsyncStream(unfolding: { await queue.next() }, onCancel: { queue.finish() })
    }

    deinit { close() }

    /// The devices that are plugged in now, in no particular order.
    public var present: [USBDevice] { thread.present }

    /// Stops watching. libusb's thread, descriptors and memory are released when this returns.
    public func close() {
        // A running reset must not lose its context.
        calls.sync { thread.stop() }
        queue.finish()
    }

    /// Returns the holder of a device: a kernel driver, or a program.
    ///
    /// - Parameter excluded: Processes to ignore, for example the daemon's own workers.
    /// - Returns: `nil` if the device is free, as far as this process can see.
    public func holder(of device: USBDevice, excluding excluded: Set<Int32> = []) async -> USBHolder? {
        await withCheckedContinuation { continuation in
            calls.async { continuation.resume(returning: USBHolder.find(device, excluding: excluded)) }
        }
    }

    /// Returns whether this process may open a device. This needs two system calls and does not open the
    /// node.
    public func access(to device: USBDevice) -> USBAccess { USBAccess(node: device.nodePath) }

    /// Returns the owner of a device's node, to explain why another user may not open it.
    public func denial(of device: USBDevice) -> USBAccess { USBAccess(denialOf: device.nodePath) }

    /// Resets a device as if it had been plugged in again. It may leave and arrive again.
    ///
    /// - Throws: ``USBError/gone(_:)``, ``USBError/denied(_:)``, or libusb's error.
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
        // The device returned with other descriptors and a new number: the reset succeeded, too.
        guard status == 0 || status == LIBUSB_ERROR_NOT_FOUND.rawValue else {
            throw USBError(status, action: "reset \(device.nodePath)", device: device)
        }
    }
}
