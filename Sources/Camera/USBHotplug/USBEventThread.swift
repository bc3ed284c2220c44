import CLibUSB
import Glibc
import Synchronization
import SystemIO

/// The thread that waits for events of the bus. The thread owns a libusb context for its whole lifetime.
final class USBEventThread: Sendable {
    /// A libusb context.
    struct Context: @unchecked Sendable {
        // libusb locks its contexts internally, and this context outlives all its users (see `stop()`).
        let raw: OpaquePointer
    }

    private struct State {
        var thread: PlainThread?
        var context: Context?
        var failure: USBError?
        var present = PresentDevices()
        /// Whether the start has succeeded or failed. After a failed start, ``failure`` is set.
        var isStarted = false
    }

    private let queue: ChangeQueue
    private let state = Mutex(State())
    private let isStopping = Atomic(false)
    private let startMonitor = Monitor()

    /// Starts to watch the bus. When the initializer returns, `queue` contains all present devices.
    init(queue: ChangeQueue) throws(USBError) {
        self.queue = queue
        let thread: PlainThread
        do { thread = try PlainThread.startJoinable("usb-events") { [self] in run() } } catch {
            throw .library(action: "start a thread for USB", reason: error.reason)
        }
        _ = startMonitor.wait { state.withLock { $0.isStarted ? true : nil } }
        if let failure = state.withLock({ $0.failure }) {
            thread.join()
            throw failure
        }
        state.withLock { $0.thread = thread }
    }

    /// The devices that are plugged in.
    var present: [USBDevice] { state.withLock { $0.present.all } }

    /// The context for calls that end before ``stop()``, or `nil` afterwards.
    var context: Context? { state.withLock { $0.context } }

    /// Ends the thread and releases all resources before it returns.
    func stop() {
        let (thread, context) = state.withLock { state in
            defer { (state.thread, state.context) = (nil, nil) }
            return (state.thread, state.context)
        }
        guard let thread, let context else { return }
        isStopping.store(true, ordering: .releasing)
        libusb_interrupt_event_handler(context.raw)
        thread.join()
    }

    private func run() {
        var raw: OpaquePointer?
        let status = libusb_init(&raw)
        guard status == 0, let raw else {
            // The Linux backend returns LIBUSB_ERROR_OTHER if `/dev/bus/usb` is missing or udev's monitor
            // does not start.
            report(
                status == LIBUSB_ERROR_OTHER.rawValue
                    ? .noUSB : USBError(status, action: "listen to USB events")
            )
            return
        }
        defer { libusb_exit(raw) }
        var handle: libusb_hotplug_callback_handle = 0
        let registered = libusb_hotplug_register_callback(
            raw,
            Int32(LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED.rawValue | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT.rawValue),
            Int32(LIBUSB_HOTPLUG_ENUMERATE.rawValue), LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
            LIBUSB_HOTPLUG_MATCH_ANY,
            { _, device, event, me in
                guard let device, let me else { return 0 }
                let thread = Unmanaged<USBEventThread>.fromOpaque(me).takeUnretainedValue()
                thread.handleChange(device, hasArrived: event == LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque(), &handle)
        guard registered == 0 else {
            report(USBError(registered, action: "listen to USB events"))
            return
        }
        let context = Context(raw: raw)
        recordStart { $0.context = context }
        while !isStopping.load(ordering: .acquiring) {
            // Waits for the next event. `stop()` interrupts the wait.
            libusb_handle_events_completed(raw, nil)
        }
        libusb_hotplug_deregister_callback(raw, handle)
    }

    private func report(_ failure: USBError) {
        recordStart { $0.failure = failure }
    }

    private func recordStart(_ change: (inout State) -> Void) {
        startMonitor.withLockAndNotify {
            state.withLock { state in
                change(&state)
                state.isStarted = true
            }
        }
    }

    /// Handles a change. libusb calls this method on this thread. A device that arrives during the initial
    /// listing may be reported twice.
    private func handleChange(_ device: OpaquePointer, hasArrived: Bool) {
        let bus = Int(libusb_get_bus_number(device))
        let number = Int(libusb_get_device_address(device))
        guard hasArrived else {
            if let change = state.withLock({ $0.present.remove(bus: bus, number: number) }) {
                queue.enqueue(change)
            }
            return
        }
        guard let described = USBDevice.described(portPath: Self.portPath(device), bus: bus, number: number)
        else { return }
        let changes = state.withLock { $0.present.insert(described, hasLeft: { $0.hasLeft() }) }
        for change in changes { queue.enqueue(change) }
    }

    /// Returns the name of the device's folder in sysfs.
    private static func portPath(_ device: OpaquePointer) -> String {
        let bus = libusb_get_bus_number(device)
        // USB permits seven levels.
        var ports = [UInt8](repeating: 0, count: 7)
        let count = Int(libusb_get_port_numbers(device, &ports, Int32(ports.count)))
        guard count > 0 else { return "usb\(bus)" }
        return "\(bus)-" + ports[..<count].map { String($0) }.joined(separator: ".")
    }
}
