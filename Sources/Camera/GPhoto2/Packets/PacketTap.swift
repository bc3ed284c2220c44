import CGPhoto2
import Glibc
import Synchronization

/// Sees every packet between the driver and its camera; there is one in a process.
///
/// libgphoto2 shows each packet to its log function; ours (PacketTap.c) passes it here instead of formatting a hex
/// dump. The tap notes when the link was last alive, leaves a trace of the last request for whoever finds this
/// process dead, and keeps quarantined objects away from the driver.
///
/// It changes bytes in place. That is allowed by no one but possible for a plain reason: they are the driver's own
/// heap memory, just read from the camera and about to be parsed. There is no other way to go on with the rest of a
/// card: libgphoto2 2.5.30 copies object names into a fixed buffer of 128 bytes and aborts the process.
public final class PacketTap: @unchecked Sendable {
    // Packets are shown on the thread that drives the camera and nowhere else; other threads read only the atomics.

    private let lastPacket = Atomic<UInt64>(0)
    /// Monotonic time of the last packet in nanoseconds; `nil` before the process' first. For any thread.
    public var lastPacketNanoseconds: UInt64? {
        let time = lastPacket.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }

    var dialogue = PTPDialogue()
    /// When the last request went out, and when the first byte of its reply came, in monotonic nanoseconds.
    private(set) var requestedAt: UInt64 = 0
    private(set) var answeredAt: UInt64 = 0
    /// Called when the driver asks for a photo in the camera's memory, before the request goes out where the carrier allows:
    /// the camera forgets the photo when it has sent it. For the thread that drives the camera.
    public var beforeMemoryRead: () -> Void = {}
    /// Bytes that the driver has lost to our own questions in this session.
    var censusLoss = 0
    /// Whether a call failed on the link in this session while the tap is off: the next reply may belong to another request.
    /// For the thread that drives the camera.
    var hasFailedOnLink = false
    private var network = NetworkFraming()
    private var usb = USBFraming()
    private let trace: RequestTrace?
    private let off = Atomic<Bool>(false)
    /// Whether the tap looks at no packets in this session, because the library shows them in a form that it does not know.
    /// For any thread.
    public var isOff: Bool { off.load(ordering: .relaxed) }

    /// Puts a tap in place for the rest of the process' life.
    ///
    /// - Parameter trace: where each request is noted, or `nil`.
    public init(trace: RequestTrace? = nil) {
        self.trace = trace
        installed.store(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), ordering: .releasing)
        framefast_set_tap_listener { kind, bytes, count in
            guard let me = UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)), let bytes
            else { return }
            Unmanaged<PacketTap>.fromOpaque(me).takeUnretainedValue()
                .take(kind, UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Whether the libraries call our log function; when not, there is no tap.
    public static var isInPlace: Bool { framefast_tap_is_in_place() != 0 }

    /// Whether the tap has seen a whole exchange in this session, as the opening of one is: a request, its data and
    /// the answer. When not, the library words its log in another way, and nothing is guarded here.
    var isGuarding: Bool { Self.isInPlace && dialogue.hasSeenExchange }

    /// Stops looking at packets until the next session: a part of what goes over the link must not pass for the whole.
    func turnOff() {
        off.store(true, ordering: .relaxed)
        lastPacket.store(0, ordering: .relaxed)
        dialogue = PTPDialogue()
    }

    /// Notes that the camera sent something, where the tap is off.
    func noteSignOfLife() {
        if isOff { lastPacket.store(monotonicNanoseconds(), ordering: .relaxed) }
    }

    /// Forgets everything about the last session.
    ///
    /// - Parameter quarantined: handles that the driver must not hear of in the next one.
    func begin(quarantined: [UInt32]) {
        off.store(false, ordering: .relaxed)
        hasFailedOnLink = false
        dialogue = PTPDialogue()
        censusLoss = 0
        dialogue.handles.quarantined = Set(quarantined)
        network = NetworkFraming()
        usb = USBFraming()
    }

    /// The driver begins another session with the same camera.
    func renew(hidingPieces: Bool) {
        dialogue.hidesPieces = hidingPieces
        dialogue.handles.beginSession()
        dialogue.polled.beginSession()
        network = NetworkFraming()
        usb = USBFraming()
    }

    private func take(_ kind: framefast_tap_kind, _ bytes: UnsafeMutableRawBufferPointer) {
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
            trace?.note(
                operation: UInt32(dialogue.request.operation), parameter: dialogue.request.parameters.0,
                requests: dialogue.requests)
        }
    }
}

/// Address of the tap that C calls, which is never freed; 0 before there is one.
private let installed = Atomic<UInt>(0)

/// Time that never steps, in nanoseconds since some moment before this process.
public func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
