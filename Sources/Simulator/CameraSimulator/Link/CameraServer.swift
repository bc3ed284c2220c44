import FoundationEssentials
import Glibc
import PlainThreads
import Synchronization

/// The camera on the network: one listener for command and event connections, one live session at a time.
public final class CameraServer: CameraLink {
    /// How the link behaves.
    public struct Options: Hashable, Sendable {
        /// IPv4 address to listen on.
        public var address = "127.0.0.1"
        /// Port; 0 takes a free one.
        public var port: UInt16 = 15740
        /// Most payload bytes in one data packet.
        public var packetBytes = 1 << 20
        /// Speed of a slow link; `nil` for as fast as it goes.
        public var bytesPerSecond: Int?

        /// The usual options.
        public init() {}
    }

    struct Link {
        var command: LinkSocket?
        var events: EventOutlet?
        var connection: UInt32 = 0
        var listener: Int32 = -1
        var port: UInt16 = 0
        var isDown = false
        var isSilent = false
        var isStopped = false
    }

    private let camera: LiveCamera
    let link = Mutex(Link())
    let options: Options
    var bell: Bell { camera.bell }

    /// A camera that is not listening yet.
    init(_ camera: LiveCamera, options: Options = Options()) {
        self.camera = camera
        self.options = options
    }

    /// Starts listening, and says where.
    public func open() throws(SimulatorError) -> String {
        "listening on \(options.address):\(try start())"
    }

    /// Starts listening.
    ///
    /// - Returns: the port.
    /// - Throws: ``SimulatorError/socket(address:reason:)`` when the address cannot be used.
    public func start() throws(SimulatorError) -> UInt16 {
        let listener = try Listener.open(options.address, options.port)
        link.withLock {
            $0.listener = listener.descriptor
            $0.port = listener.port
        }
        PlainThread.startOrExit("accept") { [self] in acceptLoop() }
        return listener.port
    }

    /// Stops listening and ends every connection.
    public func stop() {
        link.withLock { $0.isStopped = true }
        cut(andListener: true)
        bell.ring()
    }

    /// Works on the camera; events that come of it go out at once.
    public func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result {
        let (result, events) = camera.work(body)
        post(events)
        return result
    }

    /// Whether a client has a session open and waits for photos.
    public var hasClient: Bool { link.withLock { $0.events != nil } && camera.isClientListening }

    /// Whether it was stopped.
    public var isStopped: Bool { link.withLock { $0.isStopped } }

    /// Takes the network away (both connections end, nobody can connect) or gives it back.
    public func setLink(down isDown: Bool) {
        link.withLock { $0.isDown = isDown }
        if isDown { cut(andListener: true) }
        bell.ring()
    }

    /// Lets the camera fall silent: connections stay open, nothing is answered.
    public func setSilent(_ isSilent: Bool) {
        link.withLock { $0.isSilent = isSilent }
        bell.ring()
    }

    /// There is no USB menu on the network.
    public func setMode(_ mode: USBMode) throws(SimulatorError) {
        throw .usage("cannot change the USB mode: this camera is on the network, not on --usb")
    }

    private func post(_ events: [PTPEvent]) {
        guard !events.isEmpty, let outlet = link.withLock({ $0.isSilent ? nil : $0.events }) else { return }
        outlet.post(
            events.map { event in
                switch event {
                case .event(let code, let parameters): LinkPacket.event(code: code, parameters: parameters)
                case .raw(let bytes): bytes
                case .close: []
                }
            })
    }

    func cut(andListener: Bool, byReset: Bool = false) {
        let (command, events) = link.withLock { link in
            // Waking the thread in accept(); it closes the descriptor itself.
            if andListener && link.listener >= 0 { shutdown(link.listener, Int32(SHUT_RDWR)) }
            return (link.command, link.events)
        }
        command?.end(byReset: byReset)
        events?.end(byReset: byReset)
    }

    private func acceptLoop() {
        /// The listener was shut: also where the network is back before that is noticed.
        var isShut = false
        while true {
            let (descriptor, isDown, isStopped) = link.withLock { ($0.listener, $0.isDown, $0.isStopped) }
            if isStopped || isDown || isShut {
                isShut = false
                close(descriptor)
                link.withLock { $0.listener = -1 }
                bell.wait { link.withLock { $0.isStopped || !$0.isDown } }
                guard !link.withLock({ $0.isStopped }) else { return }
                let port = link.withLock { $0.port }
                guard let listener = try? Listener.open(options.address, port) else { return }
                link.withLock { $0.listener = listener.descriptor }
                continue
            }
            let accepted = accept(descriptor, nil, nil)
            guard accepted >= 0 else {
                isShut = errno == EINVAL
                continue
            }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            let socket = LinkSocket(accepted)
            PlainThread.startOrExit("link") { [self] in serve(socket) }
        }
    }
}
