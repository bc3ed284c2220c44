import Glibc

/// The driver's own connections to the camera, found from outside.
///
/// `gp_camera_wait_for_event` on PTP/IP looks for an event for one millisecond whatever time-out it is given
/// (ptp_ptpip_event), so waiting with it means polling. The driver tells nobody its sockets; but they are the only
/// descriptors of this process that are connected to the camera's address. With them one can sleep in `poll` until
/// the camera speaks, and see at once when it hangs up. They are only looked at: reading is the driver's business.
///
/// Over USB it is the device's node. The kernel makes it writable while a finished transfer waits to be reaped, an
/// event on the interrupt endpoint is one, and reports an error once the device is unplugged (usbdev_poll in
/// drivers/usb/core/devio.c; libusb waits in the same way).
public struct LinkSockets: Sendable {
    /// Descriptors in the order in which the driver opened them: commands, events; over USB the device's node. Empty
    /// when they were not found: then there is nothing to wait for, and the camera must be asked.
    public let descriptors: [Int32]
    /// Whether they are network connections.
    public let isNetwork: Bool

    /// Highest descriptor looked at; the process is limited to as many.
    static let descriptorLimit: Int32 = 64
    /// A camera that says nothing at all is asked for a sign of life by TCP after this time, in seconds …
    static let keepAliveIdleSeconds: Int32 = 5
    /// … this often …
    static let keepAliveIntervalSeconds: Int32 = 2
    /// … and given up after this many unanswered questions.
    static let keepAliveCount: Int32 = 3

    /// Finds the descriptors that lead to a port: `ptpip:` with an address, or `usb:` with bus and device.
    init(port: String) {
        let parts = port.split(separator: ":")
        isNetwork = parts.first == "ptpip"
        guard parts.count >= 2 else {
            descriptors = []
            return
        }
        descriptors = isNetwork ? Self.sockets(to: String(parts[1])) : Self.node(of: String(parts[1]))
        if isNetwork { descriptors.forEach(Self.prepare) }
    }

    private static func sockets(to host: String) -> [Int32] {
        var address = in_addr()
        guard inet_aton(host, &address) != 0 else { return [] }
        return (3..<descriptorLimit).filter { descriptor in
            var peer = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &peer) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
            }
            return status == 0 && peer.sin_family == sa_family_t(AF_INET)
                && peer.sin_addr.s_addr == address.s_addr
        }
    }

    /// - Parameter device: bus and device as in `001,004`.
    private static func node(of device: String) -> [Int32] {
        var node = stat()
        let path = "/dev/bus/usb/" + device.replacing(",", with: "/")
        guard stat(path, &node) == 0 else { return [] }
        let open = (3..<descriptorLimit).first { descriptor in
            var other = stat()
            return fstat(descriptor, &other) == 0 && other.st_ino == node.st_ino
                && other.st_dev == node.st_dev
        }
        return open.map { [$0] } ?? []
    }

    /// A camera that lost power or left the network sends no farewell: TCP has to ask. And a request with data is three
    /// packets that the driver writes one by one: each but the first would be held back until the camera has acknowledged
    /// the one before, up to 40 ms.
    private static func prepare(_ descriptor: Int32) {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, keepAliveIdleSeconds)
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, keepAliveIntervalSeconds)
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, keepAliveCount)
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    /// What ended a wait.
    public struct Wake: Sendable {
        /// The extra descriptor is readable.
        public var isCalled = false
        /// The camera sent something.
        public var hasTraffic = false
        /// A connection is closed or broken, and nothing is left to read on it.
        public var isClosed = false
    }

    /// Sleeps until the camera sends something, hangs up, or `descriptor` becomes readable.
    ///
    /// - Parameter timeoutMs: longest sleep; −1 for no limit, 0 to only look.
    public func wait(or descriptor: Int32, timeoutMs: Int32) -> Wake {
        Self.wait(on: descriptors[...], or: descriptor, timeoutMs: timeoutMs, isNetwork: isNetwork)
    }

    private static func wait(
        on descriptors: ArraySlice<Int32>, or descriptor: Int32, timeoutMs: Int32, isNetwork: Bool
    ) -> Wake {
        var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        let events = isNetwork ? Int16(POLLIN) | 0x2000 /* POLLRDHUP */ : Int16(POLLOUT)
        for descriptor in descriptors { polled.append(pollfd(fd: descriptor, events: events, revents: 0)) }
        var wake = Wake()
        guard poll(&polled, nfds_t(polled.count), timeoutMs) > 0 else { return wake }
        wake.isCalled = polled[0].revents != 0
        for entry in polled.dropFirst() where entry.revents != 0 {
            if isOver(entry, isNetwork: isNetwork) { wake.isClosed = true } else { wake.hasTraffic = true }
        }
        return wake
    }

    /// Whether there are bytes on the network that are neither an event nor an answer: nobody asked for anything.
    ///
    /// - Parameter onlyReplies: whether events may wait on their connection.
    public func hasUnasked(onlyReplies: Bool) -> Bool {
        guard isNetwork else { return false }
        let looked = onlyReplies ? descriptors.prefix(1) : descriptors[...]
        return Self.wait(on: looked, or: -1, timeoutMs: 0, isNetwork: true).hasTraffic
    }

    /// Whether any connection is closed or broken by now.
    public var isClosed: Bool { wait(or: -1, timeoutMs: 0).isClosed }

    /// A closed connection with unread bytes is not at its end yet: there may be an event among them.
    private static func isOver(_ entry: pollfd, isNetwork: Bool) -> Bool {
        guard isNetwork else { return entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
        var byte: UInt8 = 0
        let count = recv(entry.fd, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
