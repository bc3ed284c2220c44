import Glibc
import SystemIO

/// The driver's own connections to the camera, found among the descriptors of this process.
///
/// On PTP/IP, `gp_camera_wait_for_event` waits one millisecond for an event, regardless of its timeout
/// (ptp_ptpip_event). Waiting with this call would therefore be polling. The driver does not expose its
/// sockets. They are found by their peer: no other descriptor of this process is connected to the camera's
/// address. With these descriptors, a thread can wait in `poll` until the camera sends data, and detects a
/// closed connection immediately. Only the driver consumes the data.
///
/// Over USB, the descriptor is the device's node. The kernel makes the descriptor writable when a finished
/// transfer can be reaped, for example an event on the interrupt endpoint. The kernel reports an error after
/// the device was unplugged (usbdev_poll in drivers/usb/core/devio.c). libusb waits in the same way.
public struct LinkSockets: Sendable {
    /// The descriptors, in the order in which the driver opened them: commands, events. Over USB, the
    /// device's node. If the list is empty, the descriptors were not found, and the camera must be polled.
    public let descriptors: [Int32]
    /// Whether the descriptors are network connections.
    public let isNetwork: Bool

    /// The upper bound of the descriptors to search. Equal to the descriptor limit of the process.
    static let descriptorLimit: Int32 = 64
    /// The idle time before TCP sends the first keep-alive probe, in seconds.
    static let keepAliveIdleSeconds: Int32 = 5
    /// The interval between keep-alive probes, in seconds.
    static let keepAliveIntervalSeconds: Int32 = 2
    /// The number of keep-alive probes without a response after which the connection is closed.
    static let keepAliveCount: Int32 = 3

    /// Finds the descriptors for a port path: `ptpip:` with an address, or `usb:` with bus and device.
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

    /// Closes all network connections to the camera of a port path. Does nothing for a USB path.
    ///
    /// If a step after the TCP connections fails, the driver leaves both connections open (ptp_ptpip_connect
    /// and camera_init in libgphoto2 2.5.30 to 2.5.34). The camera would refuse the next connection, because
    /// it serves one client at a time.
    static func closeConnections(of port: String) {
        let abandoned = LinkSockets(port: port)
        guard abandoned.isNetwork else { return }
        for descriptor in abandoned.descriptors { close(descriptor) }
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

    /// - Parameter device: The bus and the device, for example `001,004`.
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

    /// Sets the options of a network connection.
    ///
    /// A camera that loses power or leaves the network does not close the connection. TCP keep-alive detects
    /// the loss. The driver writes a request with data in three packets. Without TCP_NODELAY, the second and
    /// third packet would wait up to 40 ms for the acknowledgement of the previous packet.
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

    /// The reasons why a wait ended.
    public struct Wake: Sendable {
        /// Whether the caller's descriptor is readable.
        public var isCalled = false
        /// Whether the camera has sent data.
        public var hasTraffic = false
        /// Whether a connection is closed or broken and has no unread data.
        public var isClosed = false
    }

    /// Waits until the camera sends data, a connection is closed, or `descriptor` becomes readable.
    ///
    /// - Parameter timeoutMs: The maximum wait in milliseconds. −1 waits without a limit, and 0 does not
    ///   wait.
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

    /// Returns whether the network connections have unread data. While no request is running and all events
    /// were read, such data is unsolicited.
    ///
    /// - Parameter onlyReplies: Whether to ignore the event connection, on which events may be waiting.
    public func hasUnsolicitedData(onlyReplies: Bool) -> Bool {
        guard isNetwork else { return false }
        let checkedDescriptors = onlyReplies ? descriptors.prefix(1) : descriptors[...]
        return Self.wait(on: checkedDescriptors, or: -1, timeoutMs: 0, isNetwork: true).hasTraffic
    }

    /// Whether any connection is closed or broken.
    public var isClosed: Bool { wait(or: -1, timeoutMs: 0).isClosed }

    /// Returns whether a connection has ended. A closed connection with unread data has not ended, because
    /// the data may contain an event.
    private static func isOver(_ entry: pollfd, isNetwork: Bool) -> Bool {
        guard isNetwork else { return entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
        var byte: [UInt8] = [0]
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        do throws(SystemCallFailure) {
            return try IO.receive(from: entry.fd, into: &byte, flags: flags) == 0
        } catch { return error.number != EAGAIN }
    }
}
