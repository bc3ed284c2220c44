import FleetMessages
import FoundationEssentials
import FrameFastAPI
import FrameFastModel
import MQTT
import Synchronization

/// What a broker has told of the computers of a fleet: a value that another could make from the same messages.
struct FleetBoard: Sendable {
    /// Computers that are known at a time; strangers' words beyond that are left out.
    static let hostsMax = 1_000
    /// Cameras of one of them.
    static let camerasMax = 500
    /// Longest word of a computer on itself or a camera, in bytes: ours have 2 KB.
    static let bytesMax = 16 << 10
    /// A computer says something each minute; after three of them nobody knows how it is.
    static let silentSeconds: TimeInterval = 180

    private struct Host {
        var isOnline: Bool?
        var heardAt: Date?
        var status: FleetHostStatus?
        var byCamera: [String: FleetCameraStatus] = [:]
    }

    private let host: FleetHostName
    private var hosts: [FleetHostName: Host] = [:]

    init(host: FleetHostName) { self.host = host }

    /// Words of before count no more: the broker tells all of it again.
    mutating func connected() {
        for name in hosts.keys { hosts[name]?.byCamera = [:] }
    }

    /// Takes a word of a computer; nothing else changes anything.
    mutating func take(_ topic: FleetTopic, _ message: MQTTMessage, at now: Date) {
        switch topic {
        case .online(let name):
            note(name) { $0.isOnline = message.payload == Array("online".utf8) }
        case .status(let name):
            guard !message.payload.isEmpty else {
                hosts[name] = nil
                return
            }
            guard let status = Self.read(FleetHostStatus.self, message) else { return }
            note(name) { host in
                // What the broker had kept was said then, not now.
                host.heardAt = message.isRetained ? min(status.at, now) : now
                host.status = status
            }
        case .camera(let name, let camera):
            guard !message.payload.isEmpty else {
                hosts[name]?.byCamera[camera] = nil
                return
            }
            guard let status = Self.read(FleetCameraStatus.self, message) else { return }
            note(name) { host in
                guard host.byCamera[camera] != nil || host.byCamera.count < Self.camerasMax else { return }
                host.byCamera[camera] = status
            }
        default: break
        }
    }

    private mutating func note(_ name: FleetHostName, _ change: (inout Host) -> Void) {
        guard hosts[name] != nil || hosts.count < Self.hostsMax else { return }
        change(&hosts[name, default: Host()])
    }

    /// What the broker keeps of one computer's cameras.
    func cameras(of name: FleetHostName) -> Set<String> { Set(hosts[name]?.byCamera.keys ?? [:].keys) }

    /// The word by which computers of one name differ.
    func boot(of name: FleetHostName) -> String? { hosts[name]?.status?.boot }

    /// Whether the broker says that a computer is gone.
    func isGone(_ name: FleetHostName) -> Bool { hosts[name]?.isOnline == false }

    /// Computers that are there and have cameras in a group.
    func hosts(with group: GroupName) -> Set<FleetHostName> {
        Set(
            hosts.filter { $0.value.isOnline != false }
                .filter { $0.value.byCamera.values.contains { $0.groups.contains(group) } }.keys)
    }

    /// All of it.
    func replies(at now: Date) -> [FleetHostReply] {
        hosts.sorted { $0.key.rawValue < $1.key.rawValue }.map { name, one in
            let isFresh = one.heardAt.map { now.timeIntervalSince($0) < Self.silentSeconds } ?? false
            return FleetHostReply(
                name: name, isSelf: name == host,
                state: one.isOnline == false ? .offline : isFresh ? .online : .silent, heardAt: one.heardAt,
                status: one.status, cameras: one.byCamera.values.sorted { $0.name < $1.name })
        }
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ message: MQTTMessage) -> Value? {
        guard message.payload.count <= bytesMax else { return nil }
        return try? WireCoder.decode(type, from: Data(message.payload))
    }
}
