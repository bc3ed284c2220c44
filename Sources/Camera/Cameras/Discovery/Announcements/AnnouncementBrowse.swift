import Glibc

/// Asks the host's networks which cameras announce themselves: by multicast DNS (Nikon, Canon and others, as
/// `_ptp._tcp`) and by SSDP (Canon's EOS Utility mode).
///
/// An announcement is a hint. What it names is an address, always its sender's, and the PTP/IP greeting decides.
public struct AnnouncementBrowse: Sendable {
    /// How long is listened: devices answer within ``ServiceSearch/answerSeconds``, and a second for the way.
    public static let usualTime = Duration.seconds(3)
    /// How long a device may take for its description.
    static let descriptionTime = Duration.seconds(2)
    /// After this the questions are asked once more: multicast over Wi-Fi is not repeated when it is lost.
    static let repeatAfter = Duration.seconds(1)
    /// Networks that are asked; a host with containers has many, and none of those has a camera.
    static let networksMax = 16
    /// Descriptions that are read in one search.
    static let descriptionsMax = 32
    /// Addresses that one search may bring.
    static let addressesMax = 64

    private let services: [String]
    private let isMaker: @Sendable (String) -> Bool
    private let time: Duration

    /// Creates a browse.
    ///
    /// - Parameters:
    ///   - services: UPnP services that only cameras have. Who has one is not asked for its description.
    ///   - isMaker: Whether a description's manufacturer makes cameras.
    ///   - time: How long is listened.
    public init(
        services: [String], isMaker: @escaping @Sendable (String) -> Bool, time: Duration = usualTime
    ) {
        self.services = services
        self.isMaker = isMaker
        self.time = time
    }

    /// The addresses of those that announced themselves, first come first; early when the task is cancelled.
    public func addresses(on host: HostNetworks) async -> [NetworkAddress] {
        await NetworkThread.run("announcements", ifNone: []) { listen(on: host, until: $0) }
    }

    /// Blocks until the time is up or the signal came.
    private func listen(on host: HostNetworks, until stop: StopSignal) -> [NetworkAddress] {
        let sockets = host.networks.prefix(Self.networksMax).flatMap { network in
            [AnnouncementSocket.Kind.multicastDNS, .serviceSearch].compactMap {
                AnnouncementSocket($0, on: network)
            }
        }
        let start = ContinuousClock.now
        var (asksAt, endsAt) = ([start, start + Self.repeatAfter], start + time)
        var found: [NetworkAddress] = []
        var described: Set<NetworkAddress> = []
        var readings: [DescriptionReading] = []
        while true {
            let now = ContinuousClock.now
            if let due = asksAt.first, due <= now {
                asksAt.removeFirst()
                sockets.forEach(ask)
            }
            readings.removeAll { reading in
                guard let outcome = reading.outcome(at: now) else { return false }
                if case .maker(let name) = outcome, isMaker(name) { found.append(reading.camera) }
                return true
            }
            if now >= endsAt {
                if readings.isEmpty { return Self.unique(found) }
                // Late answers are not waited for, begun descriptions are.
                endsAt = readings.map(\.endsAt).max() ?? now
            }
            var entries = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
            entries += sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            entries += readings.map(\.interest)
            let wakes = ([endsAt] + asksAt.prefix(1) + readings.map(\.endsAt)).min() ?? endsAt
            _ = poll(&entries, nfds_t(entries.count), ProbeLoop.milliseconds(until: [wakes]))
            if entries[0].revents != 0 { return Self.unique(found) }
            for (reading, entry) in zip(readings, entries.dropFirst(1 + sockets.count))
            where entry.revents != 0 { reading.ready(entry) }
            for (socket, entry) in zip(sockets, entries.dropFirst()) where entry.revents != 0 {
                while found.count < Self.addressesMax, let (bytes, sender) = socket.receive() {
                    guard sender.isHost, host.network(of: sender) != nil else { continue }
                    switch socket.kind {
                    case .multicastDNS:
                        found += MulticastDNS.ports(inAnswer: bytes).map {
                            NetworkAddress(host: sender, port: $0 ?? NetworkAddress.usualPort)
                        }
                    case .serviceSearch:
                        guard let answer = ServiceSearch.answer(bytes, from: sender) else { continue }
                        if services.contains(answer.target) {
                            found.append(NetworkAddress(host: sender))
                        } else if described.count < Self.descriptionsMax,
                            described.insert(NetworkAddress(host: sender, port: answer.port)).inserted
                        {
                            readings.append(DescriptionReading(answer, at: sender))
                        }
                    }
                }
            }
        }
    }

    private func ask(_ socket: AnnouncementSocket) {
        switch socket.kind {
        case .multicastDNS: socket.ask(MulticastDNS.query)
        case .serviceSearch:
            for target in services + [ServiceSearch.anyDevice] { socket.ask(ServiceSearch.query(target)) }
        }
    }

    private static func unique(_ addresses: [NetworkAddress]) -> [NetworkAddress] {
        var seen: Set<NetworkAddress> = []
        return Array(addresses.filter { seen.insert($0).inserted }.prefix(addressesMax))
    }
}

/// One description being fetched.
private final class DescriptionReading {
    enum Outcome { case maker(String), nothing }

    let camera: NetworkAddress
    let endsAt = ContinuousClock.now + AnnouncementBrowse.descriptionTime
    private let request: [UInt8]
    private var socket: ProbeSocket?
    private var bytes: [UInt8] = []

    init(_ answer: ServiceSearch.Answer, at host: IPv4Address) {
        camera = NetworkAddress(host: host)
        request = DeviceDescription.request(answer, at: host)
        socket = try? ProbeSocket.connect(to: NetworkAddress(host: host, port: answer.port)).get()
    }

    deinit { end() }

    var interest: pollfd {
        pollfd(fd: socket?.descriptor ?? -1, events: socket?.interest ?? 0, revents: 0)
    }

    /// What came of it; `nil` as long as nothing did.
    func outcome(at now: ContinuousClock.Instant) -> Outcome? {
        if let maker = DeviceDescription.manufacturer(inAnswer: bytes) { return .maker(maker) }
        return socket == nil || now >= endsAt ? .nothing : nil
    }

    /// Takes what `poll` said.
    func ready(_ entry: pollfd) {
        guard socket != nil else { return }
        if socket?.isConnecting == true {
            if socket?.finishConnecting() == 0 { socket?.send(request) } else { end() }
            return
        }
        if entry.revents & Int16(POLLOUT) != 0 { socket?.flush() }
        guard entry.revents & ~Int16(POLLOUT) != 0 else { return }
        switch socket?.read() {
        case .bytes(let more) where bytes.count + more.count <= DeviceDescription.bytesMax: bytes += more
        case .nothing: return
        default: end()
        }
    }

    private func end() {
        if let socket { close(socket.descriptor) }
        socket = nil
    }
}
