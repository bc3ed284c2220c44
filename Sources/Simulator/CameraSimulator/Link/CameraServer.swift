import FoundationEssentials
import Glibc
import Synchronization
import SystemIO

/// A simulated camera on the network. One listener accepts command and event connections of one session at a
/// time.
public final class CameraServer: CameraLink {
    /// The options of the link.
    public struct Options: Hashable, Sendable {
        /// The IPv4 address to listen on.
        public var address = "127.0.0.1"
        /// The port, or 0 for any free port.
        public var port: UInt16 = 15740
        /// The maximum payload of a data packet, in bytes.
        public var packetBytes = 1 << 20
        /// The speed of a slow link, in bytes per second, or `nil` for full speed.
        public var bytesPerSecond: Int?
    }

    struct Link {
        var command: LinkSocket?
        var events: EventSender?
        var connection: UInt32 = 0
        var listener: Int32 = -1
        var port: UInt16 = 0
        var isDown = false
        var isSilent = false
        var isStopped = false
    }

    private let camera: SharedCamera
    private let onFailure: @Sendable (SimulatorError) -> Void
    let link = Mutex(Link())
    let options: Options
    var stateChange: ConditionVariable { camera.stateChange }

    /// Creates a server that is not listening yet.
    ///
    /// - Parameter onFailure: Called if the server cannot listen again after the network was down.
    init(
        _ camera: SharedCamera, options: Options = Options(),
        onFailure: @escaping @Sendable (SimulatorError) -> Void = { $0.report() }
    ) {
        self.camera = camera
        self.options = options
        self.onFailure = onFailure
    }

    func open() throws(SimulatorError) -> String {
        "listening on \(options.address):\(try start())"
    }

    /// Starts listening.
    ///
    /// - Returns: The port.
    /// - Throws: ``SimulatorError/socket(address:reason:)`` if the address cannot be used.
    func start() throws(SimulatorError) -> UInt16 {
        let listener = try Listener.open(options.address, options.port)
        link.withLock {
            $0.listener = listener.descriptor
            $0.port = listener.port
        }
        PlainThread.startOrExit("accept") { [self] in acceptLoop() }
        return listener.port
    }

    func stop() {
        link.withLock { $0.isStopped = true }
        disconnectClients(andListener: true)
        stateChange.broadcast()
    }

    func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result {
        let (result, events) = camera.withExclusiveAccess(body)
        post(events)
        return result
    }

    var hasClient: Bool { link.withLock { $0.events != nil } && camera.isClientListening }

    var isStopped: Bool { link.withLock { $0.isStopped } }

    /// Disconnects or reconnects the network. A disconnection closes both connections and the listener.
    func setLink(down isDown: Bool) {
        link.withLock { $0.isDown = isDown }
        if isDown { disconnectClients(andListener: true) }
        stateChange.broadcast()
    }

    /// Makes the camera unresponsive or responsive. While the camera is unresponsive, connections stay open
    /// and requests wait.
    func setSilent(_ isSilent: Bool) {
        link.withLock { $0.isSilent = isSilent }
        stateChange.broadcast()
    }

    /// Throws, because a camera on the network has no USB menu.
    func setMode(_ mode: USBMode) throws(SimulatorError) {
        throw .usage("cannot change the USB mode: this camera is on the network, not on --usb")
    }

    private func post(_ events: [PTPEvent]) {
        guard !events.isEmpty, let sender = link.withLock({ $0.isSilent ? nil : $0.events }) else { return }
        sender.post(
            events.map { event in
                switch event {
                case .event(let code, let parameters): LinkPacket.event(code: code, parameters: parameters)
                case .raw(let bytes): bytes
                case .close: []
                }
            })
    }

    func disconnectClients(andListener: Bool, byReset: Bool = false) {
        let (command, events) = link.withLock { link in
            // Wakes the thread in accept(). That thread closes the descriptor.
            if andListener && link.listener >= 0 { shutdown(link.listener, Int32(SHUT_RDWR)) }
            return (link.command, link.events)
        }
        command?.disconnect(byReset: byReset)
        events?.disconnect(byReset: byReset)
    }

    /// The pause between two attempts to listen or to accept a connection, in seconds. Attempts fail while
    /// descriptors or memory are used up, or while the port is in use.
    private static let retryPauseSeconds = 0.1

    private func acceptLoop() {
        /// Whether the listener was shut down. The network may be up again before the loop detects the
        /// shutdown.
        var isShutDown = false
        while true {
            let (descriptor, isDown, isStopped) = link.withLock { ($0.listener, $0.isDown, $0.isStopped) }
            if isStopped || isDown || isShutDown {
                isShutDown = false
                close(descriptor)
                link.withLock { $0.listener = -1 }
                guard listenAgain() else { return }
                continue
            }
            let accepted: Int32
            do throws(SystemCallFailure) { accepted = try IO.accept(on: descriptor) } catch {
                isShutDown = error.number == EINVAL
                if error.isShortage {
                    stateChange.wait(seconds: Self.retryPauseSeconds) { link.withLock { $0.isStopped } }
                }
                continue
            }
            let socket = LinkSocket(accepted)
            PlainThread.startOrExit("link") { [self] in serve(socket) }
        }
    }

    /// Listens on the same port again as soon as the network is up and the port is free. Reports the first
    /// failure.
    ///
    /// - Returns: `false` if the server was stopped.
    private func listenAgain() -> Bool {
        var hasFailed = false
        while true {
            stateChange.wait { link.withLock { $0.isStopped || !$0.isDown } }
            let (port, isStopped) = link.withLock { ($0.port, $0.isStopped) }
            guard !isStopped else { return false }
            do throws(SimulatorError) {
                let listener = try Listener.open(options.address, port)
                link.withLock { $0.listener = listener.descriptor }
                return true
            } catch {
                if !hasFailed { onFailure(error) }
                hasFailed = true
                stateChange.wait(seconds: Self.retryPauseSeconds) { link.withLock { $0.isStopped } }
            }
        }
    }
}
