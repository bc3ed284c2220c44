import Foundation
import Glibc
import Synchronization

/// The camera on the network: one listener for command and event connections, one live session at a time.
public final class CameraServer: Sendable {
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
        var isListening = false
    }

    private let camera: Mutex<Camera>
    let link = Mutex(Link())
    let options: Options
    let bell = Bell()

    private let onPhotos: @Sendable ([TakenPhoto]) -> Void

    /// A camera that is not listening yet.
    ///
    /// - Parameter onPhotos: hears of every new file before the client does.
    public init(
        _ camera: Camera, options: Options = Options(),
        onPhotos: @escaping @Sendable ([TakenPhoto]) -> Void = { _ in }
    ) {
        self.onPhotos = onPhotos
        self.camera = Mutex(camera)
        self.options = options
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
        Thread.detachNewThread { [self] in acceptLoop() }
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
        let (result, events, photos, isListening) = camera.withLock { camera in
            let result = body(&camera)
            return (result, camera.takeEvents(), camera.takePhotos(), camera.isClientListening)
        }
        // Before the client hears of them.
        if !photos.isEmpty { onPhotos(photos) }
        if link.withLock({ link in
            defer { link.isListening = isListening }
            return link.isListening != isListening
        }) {
            bell.ring()
        }
        post(events)
        return result
    }

    /// Whether a client has a session open and waits for photos.
    public var hasClient: Bool {
        link.withLock { $0.events != nil } && camera.withLock { $0.isClientListening }
    }

    /// Sessions opened so far.
    var sessionCount: Int { camera.withLock { $0.statistics.sessions } }

    /// Whether every shot that is still on the card has been read to the end.
    var isEveryShotFetched: Bool { camera.withLock { $0.isEveryShotFetched } }

    var isStopped: Bool { link.withLock { $0.isStopped } }

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

    /// The host's time in its own zone.
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var seconds = time.tv_sec
        var local = tm()
        localtime_r(&seconds, &local)
        return WallTime(
            hostMs: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            offsetSeconds: local.tm_gmtoff)
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
        while true {
            let (descriptor, isDown, isStopped) = link.withLock { ($0.listener, $0.isDown, $0.isStopped) }
            if isStopped || isDown {
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
            guard accepted >= 0 else { continue }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            let socket = LinkSocket(accepted)
            Thread.detachNewThread { [self] in serve(socket) }
        }
    }
}
