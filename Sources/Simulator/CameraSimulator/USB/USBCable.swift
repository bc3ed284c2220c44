import FoundationEssentials
import Glibc
import Synchronization
import SystemIO

/// A simulated camera on a cable: a USB device of the kernel's virtual host controller.
public final class USBCable: CameraLink {
    /// The options of the device and the cable.
    public struct Options: Hashable, Sendable {
        /// The setting of the camera's USB menu.
        public var mode = USBMode.ptp
        /// The vendor and product numbers, or `nil` for the numbers of the maker's simulated model in this
        /// mode.
        public var numbers: USBNumbers?
        /// The speed of a slow cable, in bytes per second, or `nil` for full speed.
        public var bytesPerSecond: Int?

        /// Creates the default options.
        public init() {}
    }

    struct State {
        var device: USBDevice
        var socket: LinkSocket?
        var port: Int?
        /// A complete request that the camera has not started yet, or `nil`.
        var request: PTPRequest?
        /// A counter of the requests that the host has sent or cancelled. A reply to an older request is
        /// discarded.
        var generation = 0
        var isSilent = false
        var isStopped = false
    }

    let state: Mutex<State>
    let options: Options
    private let camera: SharedCamera
    private let hub = VirtualHub()
    private let identity: CameraIdentity
    /// A mutex that serializes plugging and unplugging.
    private let plugMutex = Mutex(())
    var stateChange: ConditionVariable { camera.stateChange }

    /// The longest wait until the kernel releases a port, in seconds.
    private static let releaseSeconds = 10.0

    /// Creates a camera that is not plugged in yet.
    init(_ camera: SharedCamera, identity: CameraIdentity, options: Options) {
        self.camera = camera
        self.identity = identity
        self.options = options
        let descriptors = USBDescriptors(identity, mode: options.mode, numbers: options.numbers)
        state = Mutex(State(device: USBDevice(descriptors, maker: identity.maker)))
    }

    /// Plugs the camera in and returns its port as text.
    func open() throws(SimulatorError) -> String {
        let port = try plug(mode: options.mode)
        PlainThread.startOrExit("requests") { [self] in answerRequests() }
        let numbers = state.withLock { $0.device.descriptors.numbers }
        return "plugged in as \(numbers) (\(options.mode.rawValue)) on virtual port \(port)"
    }

    /// Unplugs the camera permanently.
    func stop() {
        state.withLock { $0.isStopped = true }
        unplug()
        stateChange.broadcast()
    }

    /// Unplugs the camera or plugs it in.
    func setLink(down isDown: Bool) throws(SimulatorError) {
        if isDown { return unplug() }
        guard !isPluggedIn else { return }
        _ = try plug(mode: state.withLock { $0.device.descriptors.mode })
    }

    /// Unplugs the camera, and plugs the camera in again with the given USB mode.
    func setMode(_ mode: USBMode) throws(SimulatorError) {
        unplug()
        _ = try plug(mode: mode)
    }

    /// Makes the camera unresponsive or responsive. An unresponsive camera replies to control requests and
    /// postpones PTP requests.
    func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
        stateChange.broadcast()
    }

    func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result {
        let (result, events) = camera.withExclusiveAccess(body)
        for event in events { announce(event) }
        return result
    }

    var hasClient: Bool { isPluggedIn && camera.isClientListening }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    private var isPluggedIn: Bool { state.withLock { $0.socket != nil } }

    /// Writes replies to the socket. The caller holds the mutex of the state, so replies keep their order.
    func send(_ replies: [USBIPReply], _ state: borrowing State) {
        guard let socket = state.socket else { return }
        for reply in replies {
            var rope = ByteRope(reply.header)
            rope.append(reply.data)
            var vector = rope.pieces.map {
                iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.start), iov_len: $0.count)
            }
            guard withExtendedLifetime(rope, { socket.write(&vector) }) else { return }
        }
    }

    private func announce(_ event: PTPEvent) {
        state.withLock { state in
            guard !state.isSilent, state.device.descriptors.mode.isCamera else { return }
            switch event {
            case .event(let code, let parameters):
                send(state.device.announce(PTPContainer.event(code: code, parameters: parameters)), state)
            case .raw(let bytes): send(state.device.announce(ByteRope(bytes)), state)
            case .close: send(state.device.haltEvents(), state)
            }
        }
    }

    private func plug(mode: USBMode) throws(SimulatorError) -> Int {
        let outcome: Result<Int, SimulatorError> = plugMutex.withLock { _ in
            do throws(SimulatorError) { return .success(try plugWhileLocked(mode)) } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func plugWhileLocked(_ mode: USBMode) throws(SimulatorError) -> Int {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .usb(reason: String(cString: strerror(errno)))
        }
        // The kernel keeps its own reference to this end of the socket pair.
        defer { close(ends[1]) }
        let socket = LinkSocket(ends[0])
        // The kernel may send requests before the write to `attach` returns.
        let before = state.withLock { state in
            let descriptors = USBDescriptors(identity, mode: mode, numbers: options.numbers)
            state.device = USBDevice(descriptors, maker: identity.maker)
            state.socket = socket
            state.request = nil
            state.generation += 1
            return state.port
        }
        do throws(SimulatorError) {
            let port = try hub.attach(ends[1], preferred: before)
            state.withLock { $0.port = port }
            PlainThread.startOrExit("transfers") { [self] in
                answerTransfers(socket)
                detach(socket)
            }
            return port
        } catch {
            state.withLock { $0.socket = nil }
            throw error
        }
    }

    private func unplug() {
        plugMutex.withLock { _ in
            let (socket, port) = state.withLock { ($0.socket, $0.port) }
            guard let socket else { return }
            socket.disconnect()
            detach(socket)
            guard let port else { return }
            // Waits until the kernel has freed the port. The next plug-in can then use the same port.
            let deadline = Date(timeIntervalSinceNow: Self.releaseSeconds)
            while !hub.isFree(port), Date() < deadline { usleep(10_000) }
        }
    }

    /// Ends the client's session after the device has disappeared.
    private func detach(_ socket: LinkSocket) {
        let wasConnected = state.withLock { state in
            guard state.socket === socket else { return false }
            state.socket = nil
            state.request = nil
            state.generation += 1
            return true
        }
        if wasConnected { withCamera { $0.handleLinkClosed() } }
        stateChange.broadcast()
    }
}
