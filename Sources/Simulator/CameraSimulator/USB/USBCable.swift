import FoundationEssentials
import Glibc
import PlainThreads
import Synchronization

/// The camera on a cable: a USB device of the kernel's virtual host controller, one at a time.
public final class USBCable: CameraLink {
    /// What is plugged in.
    public struct Options: Hashable, Sendable {
        /// What the camera's USB menu says.
        public var mode = USBMode.ptp
        /// Vendor and product number; `nil` for those of the maker's body in that mode.
        public var numbers: USBNumbers?
        /// Bytes per second of a slow cable; `nil` for as fast as it goes.
        public var bytesPerSecond: Int?

        /// The usual options.
        public init() {}
    }

    struct State {
        var device: USBDevice
        var socket: LinkSocket?
        var port: Int?
        /// A whole request that the camera has not looked at yet.
        var request: PTPRequest?
        /// Counts what the host has begun or given up: an answer to something older is not wanted.
        var turn = 0
        var isSilent = false
        var isStopped = false
    }

    let state: Mutex<State>
    let options: Options
    private let camera: LiveCamera
    private let hub = VirtualHub()
    private let identity: CameraIdentity
    /// One plugs or unplugs at a time.
    private let hand = Mutex(())
    var bell: Bell { camera.bell }

    /// How long the kernel may take to let a port go, in seconds.
    private static let releaseSeconds = 10.0

    /// A camera that is not plugged in yet.
    init(_ camera: LiveCamera, identity: CameraIdentity, options: Options) {
        self.camera = camera
        self.identity = identity
        self.options = options
        let descriptors = USBDescriptors(identity, mode: options.mode, numbers: options.numbers)
        state = Mutex(State(device: USBDevice(descriptors, maker: identity.maker)))
    }

    /// Plugs the camera in, and says where.
    public func open() throws(SimulatorError) -> String {
        let port = try plug(mode: options.mode)
        PlainThread.startOrExit("requests") { [self] in answerRequests() }
        let numbers = state.withLock { $0.device.descriptors.numbers }
        return "plugged in as \(numbers) (\(options.mode.rawValue)) on virtual port \(port)"
    }

    /// Pulls the cable for good.
    public func stop() {
        state.withLock { $0.isStopped = true }
        unplug()
        bell.ring()
    }

    /// Pulls the cable or plugs it in.
    public func setLink(down isDown: Bool) throws(SimulatorError) {
        if isDown { return unplug() }
        guard !isPluggedIn else { return }
        _ = try plug(mode: state.withLock { $0.device.descriptors.mode })
    }

    /// The camera goes and comes back as something else.
    public func setMode(_ mode: USBMode) throws(SimulatorError) {
        unplug()
        _ = try plug(mode: mode)
    }

    /// Lets the camera fall silent: control requests are answered, the camera's are not.
    public func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
        bell.ring()
    }

    /// Works on the camera; events that come of it go out at once.
    public func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result {
        let (result, events) = camera.work(body)
        for event in events { announce(event) }
        return result
    }

    /// Whether a client has a session open and waits for photos.
    public var hasClient: Bool { isPluggedIn && camera.isClientListening }

    /// Whether it was stopped.
    public var isStopped: Bool { state.withLock { $0.isStopped } }

    private var isPluggedIn: Bool { state.withLock { $0.socket != nil } }

    /// Puts replies on the socket; their order is that of the calls, which hold the state.
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
        let outcome: Result<Int, SimulatorError> = hand.withLock { _ in
            do throws(SimulatorError) { return .success(try plugAlone(mode)) } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func plugAlone(_ mode: USBMode) throws(SimulatorError) -> Int {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .usb(reason: String(cString: strerror(errno)))
        }
        // The kernel holds its end by itself.
        defer { close(ends[1]) }
        let socket = LinkSocket(ends[0])
        // The kernel may ask before the write to its file returns.
        let before = state.withLock { state in
            let descriptors = USBDescriptors(identity, mode: mode, numbers: options.numbers)
            state.device = USBDevice(descriptors, maker: identity.maker)
            state.socket = socket
            state.request = nil
            state.turn += 1
            return state.port
        }
        do throws(SimulatorError) {
            let port = try hub.attach(ends[1], preferred: before)
            state.withLock { $0.port = port }
            PlainThread.startOrExit("transfers") { [self] in
                answerTransfers(socket)
                forget(socket)
            }
            return port
        } catch {
            state.withLock { $0.socket = nil }
            throw error
        }
    }

    private func unplug() {
        hand.withLock { _ in
            let (socket, port) = state.withLock { ($0.socket, $0.port) }
            guard let socket else { return }
            socket.end()
            forget(socket)
            guard let port else { return }
            // The next plug shall find the same port, as the same socket of a computer.
            let deadline = Date(timeIntervalSinceNow: Self.releaseSeconds)
            while !hub.isFree(port), Date() < deadline { usleep(10_000) }
        }
    }

    /// The device is gone: the client's session with it.
    private func forget(_ socket: LinkSocket) {
        let wasOurs = state.withLock { state in
            guard state.socket === socket else { return false }
            state.socket = nil
            state.request = nil
            state.turn += 1
            return true
        }
        if wasOurs { withCamera { $0.linkClosed() } }
        bell.ring()
    }
}
