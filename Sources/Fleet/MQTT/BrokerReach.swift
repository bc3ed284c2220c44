import Glibc

/// Whether a broker takes connections: libmosquitto would wait for the system's patience, which is minutes.
enum BrokerReach {
    /// Longest wait for a connection, in milliseconds.
    static let patienceMs: Int32 = 10_000

    /// Connects and closes again.
    static func check(host: String, port: UInt16) throws(MQTTLoss) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &found)
        guard code == 0, let found else {
            throw MQTTLoss("cannot find \(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        var reason = "no address"
        var next: UnsafeMutablePointer<addrinfo>? = found
        while let address = next?.pointee {
            guard let refusal = refusal(of: address) else { return }
            reason = refusal
            next = address.ai_next
        }
        throw MQTTLoss("cannot reach \(host) port \(port): \(reason)")
    }

    /// `nil` when it takes a connection.
    private static func refusal(of address: addrinfo) -> String? {
        let descriptor = socket(
            address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
            address.ai_protocol)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&watched, 1, patienceMs) > 0 else { return "it does not answer" }
        var (number, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        return number == 0 ? nil : String(cString: strerror(number))
    }
}
