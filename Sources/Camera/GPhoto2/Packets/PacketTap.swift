import CGPhoto2
import Synchronization
import SystemIO

/// A tap for all packets between the driver and its camera. A process has one tap.
///
/// libgphoto2 passes each packet to its log function. PacketTap.c forwards the packet to this class instead
/// of formatting a hex dump. The tap records when the link was last active, and hides quarantined objects
/// from the driver. The tap also writes the last request to a trace, which the daemon reads if this process
/// crashes.
///
/// The tap changes bytes in place. libgphoto2 does not officially allow these changes. The changes work
/// because the bytes are in the driver's own heap memory, and the driver has not parsed the bytes yet.
/// Without these changes, a single object with a long name would block the rest of its card, because
/// libgphoto2 2.5.30 copies object names into a fixed buffer of 128 bytes and aborts.
public final class PacketTap: @unchecked Sendable {
    // Packets arrive only on the thread that calls the driver. Other threads use only the atomics.

    private let lastPacket = Atomic<UInt64>(0)
    /// The monotonic time of the last packet in nanoseconds, or `nil` before the first packet of the process.
    /// Any thread may read this property.
    public var lastPacketNanoseconds: UInt64? {
        let time = lastPacket.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }

    /// The time since the last packet, in milliseconds, or 0 before the first packet of the process.
    var silentMs: Int { lastPacketNanoseconds.map { Int((SystemTime.monotonicNs - $0) / 1_000_000) } ?? 0 }

    var dialogue = PTPDialogue()
    /// The times of the last request and of the first byte of its response, in monotonic nanoseconds.
    private(set) var requestedAt: UInt64 = 0
    private(set) var respondedAt: UInt64 = 0
    /// Called when the driver requests a photo in the camera's memory. The camera deletes the photo after the
    /// transfer. On PTP/IP, the call happens before the request is sent. Used on the thread that calls the
    /// driver.
    public var beforeMemoryRead: () -> Void = {}
    /// The number of bytes that the driver has leaked for FrameFast's own requests in this connection.
    var leakedBytes = 0
    /// Whether a call failed on the link in this connection while the tap is off. The next response may then
    /// belong to another request. Used on the thread that calls the driver.
    var hasFailedOnLink = false
    private var network = NetworkFraming()
    private var usb = USBFraming()
    private let trace: RequestTrace?
    private let off = Atomic<Bool>(false)
    /// Whether the tap ignores packets in this connection, because the library logs them in an unknown
    /// format. Any thread may read this property.
    public var isOff: Bool { off.load(ordering: .relaxed) }

    /// Installs a tap until the process ends.
    ///
    /// - Parameter trace: The trace to which each request is written, or `nil` for no trace.
    public init(trace: RequestTrace? = nil) {
        self.trace = trace
        installed.store(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), ordering: .releasing)
        framefast_set_tap_listener { kind, bytes, count in
            guard let me = UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)), let bytes
            else { return }
            Unmanaged<PacketTap>.fromOpaque(me).takeUnretainedValue()
                .handlePacket(kind, UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Whether the libraries call the tap's log function. If not, the tap receives no packets.
    public static var isInPlace: Bool { framefast_tap_is_in_place() != 0 }

    /// Whether the tap has seen a complete exchange in this connection: a request, its data and the response.
    /// The opening of a connection contains a complete exchange. If `false`, the library uses another log
    /// format, and the tap can't check requests.
    var isGuarding: Bool { Self.isInPlace && dialogue.hasSeenExchange }

    /// Ignores packets until the next connection, because partial traffic must not be mistaken for all
    /// traffic.
    func turnOff() {
        off.store(true, ordering: .relaxed)
        lastPacket.store(0, ordering: .relaxed)
        dialogue = PTPDialogue()
    }

    /// Records that the camera has sent data while the tap is off.
    func recordReceivedData() {
        if isOff { lastPacket.store(SystemTime.monotonicNs, ordering: .relaxed) }
    }

    /// Clears the state of the last connection.
    ///
    /// - Parameter quarantined: The handles that are hidden from the driver in the next connection.
    func startSession(quarantined: [UInt32]) {
        off.store(false, ordering: .relaxed)
        hasFailedOnLink = false
        dialogue = PTPDialogue()
        leakedBytes = 0
        dialogue.handles.quarantined = Set(quarantined)
        network = NetworkFraming()
        usb = USBFraming()
    }

    /// Prepares the tap for the driver's next connection to the same camera.
    func reopen(hidingPartialTransfers: Bool) {
        dialogue.hidesPartialTransfers = hidingPartialTransfers
        dialogue.handles.beginSession()
        dialogue.polled.beginSession()
        network = NetworkFraming()
        usb = USBFraming()
    }

    private func handlePacket(_ kind: framefast_tap_kind, _ bytes: UnsafeMutableRawBufferPointer) {
        guard !isOff else { return }
        let now = SystemTime.monotonicNs
        lastPacket.store(now, ordering: .relaxed)
        let before = dialogue.requests
        switch kind {
        case FRAMEFAST_TAP_NETWORK_GREETING: dialogue.greeting = .unanswered
        case FRAMEFAST_TAP_NETWORK_REQUEST: network.request(bytes, to: &dialogue)
        case FRAMEFAST_TAP_NETWORK_HEADER: network.header(bytes, to: dialogue)
        case FRAMEFAST_TAP_NETWORK_BODY: network.body(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_WRITE: usb.write(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_READ: usb.read(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_INTERRUPT: usb.interrupt(bytes, to: &dialogue)
        default: break
        }
        if dialogue.requests == before {
            if respondedAt < requestedAt, kind != FRAMEFAST_TAP_USB_INTERRUPT { respondedAt = now }
        } else {
            if dialogue.request.isMemoryRead { beforeMemoryRead() }
            requestedAt = now
            trace?.record(
                operation: UInt32(dialogue.request.operation), parameter: dialogue.request.parameters.0,
                requests: dialogue.requests)
        }
    }
}

/// The pointer to the tap for the C callback, or 0 before a tap is installed. The tap is never freed.
private let installed = Atomic<UInt>(0)
