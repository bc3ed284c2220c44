import FleetMessages
import FrameFastAPI
import FrameFastModel

/// This computer as a device of Home Assistant: one retained message that says what can be read of it where.
///
/// The fields are those of Home Assistant's device discovery (components/mqtt/discovery.py, 2024.11 and later).
struct HomeAssistantDevice: Encodable, Hashable {
    /// What it is shown as.
    struct Device: Encodable, Hashable {
        var identifiers: [String]
        var name: String
        var manufacturer = "FrameFast"
        var model = "FrameFast for Linux"
        var swVersion: String
    }

    /// Who says so; required.
    struct Origin: Encodable, Hashable {
        var name = "FrameFast"
        var swVersion: String
    }

    /// One thing that is shown or can be pressed.
    struct Component: Encodable, Hashable {
        var platform: String
        var uniqueId: String
        var name: String
        var icon: String?
        var stateTopic: String?
        var valueTemplate: String?
        var deviceClass: String?
        var unitOfMeasurement: String?
        var stateClass: String?
        var eventTypes: [String]?
        var commandTopic: String?
        var commandTemplate: String?
        var qos: Int?
    }

    var device: Device
    var origin: Origin
    var availabilityTopic: String
    var components: [String: Component]

    /// The topic of its message.
    static func topic(of host: FleetHostName) -> String {
        "homeassistant/device/\(FleetTopic.level(host.rawValue))/config"
    }
    /// Where Home Assistant says that it has started.
    static let started = "homeassistant/status"

    init(host: FleetHostName, version: String, cameras: [FleetCameraStatus], groups: [GroupName]) {
        let id = "framefast_" + FleetTopic.level(host.rawValue)
        let status = FleetTopic.status(host).text
        device = Device(identifiers: [id], name: "FrameFast \(host)", swVersion: version)
        origin = Origin(swVersion: version)
        availabilityTopic = FleetTopic.online(host).text
        func sensor(
            _ key: String, _ name: String, _ value: String, icon: String? = nil, deviceClass: String? = nil,
            unit: String? = nil, state: String = "measurement", topic: String? = nil
        ) -> (String, Component) {
            (
                key,
                Component(
                    platform: "sensor", uniqueId: "\(id)_\(key)", name: name, icon: icon,
                    stateTopic: topic ?? status, valueTemplate: "{{ value_json.\(value) }}",
                    deviceClass: deviceClass, unitOfMeasurement: unit, stateClass: state)
            )
        }
        var components: [(String, Component)] = [
            sensor(
                "shots_today", "Photos today", "shots_today", icon: "mdi:camera", state: "total_increasing"),
            sensor("cameras_ready", "Cameras ready", "cameras_ready", icon: "mdi:camera-wireless"),
            sensor("uploads_waiting", "Uploads waiting", "uploads_waiting", icon: "mdi:cloud-upload"),
            sensor("disk_free", "Disk free", "disk_free_bytes", deviceClass: "data_size", unit: "B"),
            (
                "problem",
                Component(
                    platform: "binary_sensor", uniqueId: "\(id)_problem", name: "Problem", stateTopic: status,
                    valueTemplate:
                        "{{ 'ON' if value_json.conditions | rejectattr('severity', 'eq', 'info') | list else 'OFF' }}",
                    deviceClass: "problem")
            ),
            (
                "event",
                Component(
                    platform: "event", uniqueId: "\(id)_event", name: "Event", icon: "mdi:image-plus",
                    stateTopic: FleetTopic.event(host).text,
                    valueTemplate:
                        "{{ dict(event_type=value_json.kind, number=value_json.seq, **value_json.facts) | tojson }}",
                    eventTypes: FleetEventKind.allCases.map(\.rawValue))
            ),
        ]
        for camera in cameras where camera.batteryPercent != nil {
            let level = FleetTopic.level(camera.name)
            components.append(
                sensor(
                    "battery_\(level)", "\(camera.name) battery", "battery_percent", deviceClass: "battery",
                    unit: "%", topic: FleetTopic.camera(host, camera.name).text))
        }
        for group in groups {
            components.append(
                (
                    "shoot_\(FleetTopic.level(group.rawValue))",
                    Component(
                        platform: "button", uniqueId: "\(id)_shoot_\(FleetTopic.level(group.rawValue))",
                        name: "Shoot \(group)", icon: "mdi:camera-iris",
                        commandTopic: FleetTopic.hostOrder(host, verb: FleetVerb.shoot.rawValue).text,
                        commandTemplate: Self.order(group), qos: 1)
                ))
        }
        self.components = Dictionary(components) { first, _ in first }
    }

    /// An order as Home Assistant's templates write it: its clock gives the times.
    private static func order(_ group: GroupName) -> String {
        let format = "strftime('%Y-%m-%dT%H:%M:%S.000Z')"
        return """
            {{ dict(id='ha-' ~ (utcnow().timestamp() * 1000) | int, issued_at=utcnow().\(format), \
            expires_at=(utcnow() + timedelta(seconds=10)).\(format), by='Home Assistant', \
            group=\(quoted(group.rawValue))) | tojson }}
            """
    }

    /// A text in a template: whatever a group is called, it is a text and nothing else.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("{", with: "\\x7b")
            + "'"
    }
}

/// What happens on a computer of the fleet.
public enum FleetEventKind: String, CaseIterable, Sendable {
    case saved, delivered
    case sessionStarted = "session-started"
    case sessionStopped = "session-stopped"
}
