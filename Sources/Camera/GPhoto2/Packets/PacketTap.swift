import CGPhoto2
import Glibc
import Synchronization

/// A tap that sees every packet between the driver and its camera. A process has one tap.
///
/// libgphoto2 passes each packet to its log function; PacketTap.c forwards it to this class instead of
/// formatting a hex dump. The tap records when the link was last active. It also leaves a trace of the last
/// request for the daemon in case this process crashes, and hides quarantined objects from the driver.
///
/// The tap changes bytes in place. libgphoto2 does not allow this, but it works: the bytes are the driver's
/// own heap memory, just read from the camera and not yet parsed. There is no other way to continue with the
/// rest of a card: libgphoto2 2.5.30 copies object names into a fixed buffer of 128 bytes and aborts.
public final class PacketTap: @unchecked Sendable {
    // Packets arrive only on the thread that calls the driver. Other threads read only the atomics.

    private let lastPacket = Atomic<UInt64>(0)
    /// The monotonic time of the last packet in nanoseconds, or `nil` before the first packet of the process.
    /// Any thread may read it.
    public var lastPacketNanoseconds: UInt64? {
        let time = lastPacket.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }

    var dialogue = PTPDialogue()
    /// The times of the last request and of the first byte of its reply, in monotonic nanoseconds.
    private(set) var requestedAt: UInt64 = 0
    private(set) var answeredAt: UInt64 = 0
    /// Called when the driver requests a photo in the camera's memory; on PTP/IP before the request is sent.
    /// The camera deletes the photo after it has sent it. Used on the thread that calls the driver.
    public var beforeMemoryRead: () -> Void = {}
    /// The number of bytes that the driver has leaked for FrameFast's own requests in this session.
    var leakedBytes = 0
    /// Whether a call failed on the link in this session while the tap is off: the next reply may belong to
    /// another request. Used on the thread that calls the driver.
    var hasFailedOnLink = false
    private var network = NetworkFraming()
    private var usb = USBFraming()
    private let trace: RequestTrace?
    private let off = Atomic<Bool>(false)
    /// Whether the tap ignores packets in this session, because the library shows them in an unknown form.
    /// Any thread may read it.
    public var isOff: Bool { off.load(ordering: .relaxed) }

    /// Installs a tap for the rest of the process's life.
    ///
    /// - Parameter trace: The trace to which each request is written, or `nil`.
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

    /// Whether the libraries call the tap's log function. If not, there is no tap.
    public static var isInPlace: Bool { framefast_tap_is_in_place() != 0 }

    /// Whether the tap has seen a complete exchange in this session: a request, its data and the response.
    /// Opening a session contains one. If not, the library has another log format, and nothing is guarded.
    var isGuarding: Bool { Self.isInPlace && dialogue.hasSeenExchange }

    /// Ignores packets until the next session, so that a part of the traffic is not mistaken for all of it.
    func turnOff() {
        off.store(true, ordering: .relaxed)
        lastPacket.store(0, ordering: .relaxed)
        dialogue = PTPDialogue()
    }

    /// Records that the camera sent something while the tap is off.
    func recordSignOfLife() {
        if isOff { lastPacket.store(monotonicNanoseconds(), ordering: .relaxed) }
    }

    /// Clears the state of the last session.
    ///
    /// - Parameter quarantined: The handles that the driver must not receive in the next session.
    func startSession(quarantined: [UInt32]) {
        off.store(false, ordering: .relaxed)
        hasFailedOnLink = false
        dialogue = PTPDialogue()
        leakedBytes = 0
        dialogue.handles.quarantined = Set(quarantined)
        network = NetworkFraming()
        usb = USBFraming()
    }

    /// Prepares for another session of the driver with the same camera.
    func reopen(hidingPartialTransfers: Bool) {
        dialogue.hidesPartialTransfers = hidingPartialTransfers
        dialogue.handles.beginSession()
        dialogue.polled.beginSession()
        network = NetworkFraming()
        usb = USBFraming()
    }

    private func handlePacket(_ kind: framefast_tap_kind, _ bytes: UnsafeMutableRawBufferPointer) {
        guard !isOff else { return }
        let now = monotonicNanoseconds()
        lastPacket.store(now, ordering: .relaxed)
        let before = dialogue.requests
        switch kind {
        case FRAMEFAST_TAP_NETWORK_REQUEST: network.request(bytes, to: &dialogue)
        case FRAMEFAST_TAP_NETWORK_HEADER: network.header(bytes, to: dialogue)
        case FRAMEFAST_TAP_NETWORK_BODY: network.body(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_WRITE: usb.write(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_READ: usb.read(bytes, to: &dialogue)
        case FRAMEFAST_TAP_USB_INTERRUPT: usb.interrupt(bytes, to: &dialogue)
        default: break
        }
        if dialogue.requests == before {
            if answeredAt < requestedAt, kind != FRAMEFAST_TAP_USB_INTERRUPT { answeredAt = now }
        } else {
            if dialogue.request.isMemoryRead { beforeMemoryRead() }
            requestedAt = now
            trace?.record(
                operation: UInt32(dialogue.request.operation), parameter: dialogue.request.parameters.0,
                requests: dialogue.requests)
        }
    }
}

/// The address of the tap for the C callback, which is never freed; 0 before a tap is installed.
private let installed = Atomic<UInt>(0)

/// Returns a monotonic time in nanoseconds since a fixed moment before the start of this process.
public func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
