public import FrameFastSystem
import Glibc
import SystemIO

/// A search for cameras that announce themselves on the host's networks. The search uses multicast DNS
/// (Nikon, Canon and others, as `_ptp._tcp`) and SSDP (Canon's EOS Utility mode).
///
/// An announcement is only a hint. The search records the sender's address. The PTP/IP handshake verifies
/// that the sender is a camera.
public struct AnnouncementBrowse: Sendable {
    /// The default listening time. Devices respond within ``ServiceSearch/responseSeconds``. One second is
    /// added for transmission.
    public static let defaultTime = Duration.seconds(3)
    /// The time limit for fetching a device description.
    static let descriptionTime = Duration.seconds(2)
    /// The delay before the queries are sent a second time. Wi-Fi does not resend lost multicast packets.
    static let repeatAfter = Duration.seconds(1)
    /// The maximum number of networks to search. A host with containers has many networks without cameras.
    static let networksMax = 16
    /// The maximum number of descriptions to read in one search.
    static let descriptionsMax = 32
    /// The maximum number of addresses that one search returns.
    static let addressesMax = 64

    private let services: [String]
    private let isMaker: @Sendable (String) -> Bool
    private let time: Duration
    private let clock: HostClock

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - services: UPnP services that only cameras offer. If a device offers one of these services, the
    ///     search accepts the device without reading its description.
    ///   - isMaker: Whether a manufacturer name from a description is a camera maker.
    ///   - time: The listening time.
    ///   - clock: The clock of the listening time.
    public init(
        services: [String], isMaker: @escaping @Sendable (String) -> Bool, time: Duration = defaultTime,
        clock: HostClock = .system
    ) {
        self.services = services
        self.isMaker = isMaker
        self.time = time
        self.clock = clock
    }

    /// Returns the addresses of devices that announced themselves, in order of arrival. Returns early if the
    /// task is cancelled.
    public func addresses(on host: HostNetworks) async -> [NetworkAddress] {
        await NetworkThread.run("announcements", ifNone: []) { listen(on: host, until: $0) }
    }

    /// Blocks until the listening time ends or the stop signal arrives.
    private func listen(on host: HostNetworks, until stop: WakeDescriptor) -> [NetworkAddress] {
        let sockets = host.networks.prefix(Self.networksMax).flatMap { network in
            [AnnouncementSocket.Kind.multicastDNS, .serviceSearch].compactMap {
                AnnouncementSocket($0, on: network)
            }
        }
        var queryTimes = [clock.uptime(), clock.deadline(after: Self.repeatAfter)]
        var endsAt = clock.deadline(after: time)
        var found = FoundAddresses()
        var described: Set<NetworkAddress> = []
        var readings: [DescriptionReading] = []
        while true {
            let now = clock.uptime()
            if let due = queryTimes.first, due <= now {
                queryTimes.removeFirst()
                sockets.forEach(sendQueries)
            }
            readings.removeAll { reading in
                guard let outcome = reading.outcome(at: now) else { return false }
                if case .maker(let name) = outcome, isMaker(name) { found.insert(reading.camera) }
                return true
            }
            if now >= endsAt {
                if readings.isEmpty { return found.addresses }
                // Waits for the descriptions that are being read. Responses in this time also count.
                endsAt = readings.map(\.endsAt).max() ?? now
            }
            var entries = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
            entries += sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            entries += readings.map(\.interest)
            let wakes = readings.map(\.endsAt).reduce(min(endsAt, queryTimes.first ?? endsAt), min)
            _ = poll(&entries, nfds_t(entries.count), ProbeLoop.milliseconds(until: [wakes], clock))
            if entries[0].revents != 0 { return found.addresses }
            for (reading, entry) in zip(readings, entries.dropFirst(1 + sockets.count))
            where entry.revents != 0 { reading.handleEvents(entry) }
            for (socket, entry) in zip(sockets, entries.dropFirst()) where entry.revents != 0 {
                // Receives one datagram in each pass, so the search ends on time while devices send many.
                guard let (bytes, sender) = socket.receive(), sender.isHost, host.network(of: sender) != nil
                else { continue }
                switch socket.kind {
                case .multicastDNS:
                    for port in MulticastDNS.ports(inResponse: bytes) {
                        found.insert(NetworkAddress(host: sender, port: port ?? NetworkAddress.usualPort))
                    }
                case .serviceSearch:
                    guard let response = ServiceSearch.response(bytes, from: sender) else { continue }
                    if services.contains(response.target) {
                        found.insert(NetworkAddress(host: sender))
                    } else if described.count < Self.descriptionsMax,
                        described.insert(NetworkAddress(host: sender, port: response.port)).inserted
                    {
                        readings.append(
                            DescriptionReading(
                                response, at: sender, endsAt: clock.deadline(after: Self.descriptionTime)))
                    }
                }
            }
        }
    }

    private func sendQueries(on socket: AnnouncementSocket) {
        switch socket.kind {
        case .multicastDNS: socket.send(MulticastDNS.query)
        case .serviceSearch:
            for target in services + [ServiceSearch.anyDevice] { socket.send(ServiceSearch.query(target)) }
        }
    }
}

/// The addresses that a search has found, in order of arrival. A device may respond several times, but its
/// address is stored only once.
struct FoundAddresses {
    private(set) var addresses: [NetworkAddress] = []

    /// Adds an address. Ignores a known address, and a new address after
    /// ``AnnouncementBrowse/addressesMax`` addresses.
    mutating func insert(_ address: NetworkAddress) {
        guard addresses.count < AnnouncementBrowse.addressesMax, !addresses.contains(address) else { return }
        addresses.append(address)
    }
}

/// A device description that is being fetched.
private final class DescriptionReading {
    enum Outcome { case maker(String), nothing }

    let camera: NetworkAddress
    /// The uptime at which the time limit expires, in seconds.
    let endsAt: Double
    private let request: [UInt8]
    private var socket: ProbeSocket?
    private var bytes: [UInt8] = []

    init(_ response: ServiceSearch.Response, at host: IPv4Address, endsAt: Double) {
        camera = NetworkAddress(host: host)
        self.endsAt = endsAt
        request = DeviceDescription.request(response, at: host)
        socket = try? ProbeSocket.connect(to: NetworkAddress(host: host, port: response.port)).get()
    }

    deinit { closeSocket() }

    var interest: pollfd {
        pollfd(fd: socket?.descriptor ?? -1, events: socket?.interest ?? 0, revents: 0)
    }

    /// Returns the result, or `nil` while the description is still being read.
    func outcome(at now: Double) -> Outcome? {
        if let maker = DeviceDescription.manufacturer(inResponse: bytes) { return .maker(maker) }
        return socket == nil || now >= endsAt ? .nothing : nil
    }

    /// Processes the events that `poll` reported.
    func handleEvents(_ entry: pollfd) {
        guard socket != nil else { return }
        if socket?.isConnecting == true {
            if socket?.finishConnecting() == 0 { socket?.send(request) } else { closeSocket() }
            return
        }
        if entry.revents & Int16(POLLOUT) != 0 { socket?.flush() }
        guard entry.revents & ~Int16(POLLOUT) != 0 else { return }
        switch socket?.read() {
        case .bytes(let more) where bytes.count + more.count <= DeviceDescription.bytesMax: bytes += more
        case .nothing: return
        default: closeSocket()
        }
    }

    private func closeSocket() {
        if let socket { close(socket.descriptor) }
        socket = nil
    }
}
