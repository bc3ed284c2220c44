import CLibUSB
import Dispatch

/// The USB of this computer: who arrives, who leaves, who holds a device, and a reset.
///
/// One thread waits for the bus; ``close()`` ends it. Devices are described from sysfs; only ``reset(_:)`` opens one.
public final class USBBus: Sendable {
    /// Arrivals and departures for one reader, beginning with the devices that are there. Ends after ``close()``.
    ///
    /// A device that came and went before it was read is left out.
    public let changes: AsyncStream<USBChange>

    private let queue: ChangeQueue
    private let thread: USBEventThread
    /// For calls that block, away from Swift's cooperative pool.
    private let calls = DispatchQueue(label: "usb-calls")

    /// Listens to the bus. Takes some milliseconds.
    ///
    /// - Throws: ``USBError/noUSB`` where there is none.
    public init() throws(USBError) {
        let queue = ChangeQueue()
        self.queue = queue
        thread = try USBEventThread(queue: queue)
        changes = AsyncStream(unfolding: { await queue.next() }, onCancel: { queue.finish() })
    }

    deinit { close() }

    /// Devices that are plugged in now, in no order.
    public var present: [USBDevice] { thread.present }

    /// Stops listening. No thread, descriptor or memory of libusb is left when this returns.
    public func close() {
        // A reset that runs must not lose its context.
        calls.sync { thread.stop() }
        queue.finish()
    }

    /// Who holds a device: a driver in the kernel, or a program.
    ///
    /// - Parameter excluded: Processes that do not count, for example the workers of one's own.
    /// - Returns: `nil` when nobody has it, as far as this process may see.
    public func holder(of device: USBDevice, excluding excluded: Set<Int32> = []) async -> USBHolder? {
        await withCheckedContinuation { continuation in
            calls.async { continuation.resume(returning: USBHolder.find(device, excluding: excluded)) }
        }
    }

    /// Whether this process may open a device. Two system calls; the node is not opened.
    public func access(to device: USBDevice) -> USBAccess { USBAccess(node: device.nodePath) }

    /// Whose a device's node is: for saying why another user may not open it.
    public func denial(of device: USBDevice) -> USBAccess { USBAccess(denialOf: device.nodePath) }

    /// Resets a device as if it had been plugged in again. It may leave and arrive.
    ///
    /// - Throws: ``USBError/gone(_:)``, ``USBError/denied(_:)``, or what libusb says.
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
        guard count >= 0, let list else { throw USBError(Int32(count), action: "list the USB") }
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
        // The device came back with other descriptors, under a new number: that is a reset, too.
        guard status == 0 || status == LIBUSB_ERROR_NOT_FOUND.rawValue else {
            throw USBError(status, action: "reset \(device.nodePath)", device: device)
        }
    }
}
