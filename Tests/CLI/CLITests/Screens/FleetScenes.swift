import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// What is printed of other computers: of none, of a fleet in which something is wrong, and without a broker.
enum FleetScenes {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private static func host(
        _ name: String, _ state: FleetHostReply.State, heard: TimeInterval? = 4, ready: Int = 20,
        session: String? = "Wedding", conditions: [FleetHostStatus.Trouble] = [],
        clock: FleetHostStatus.Clock = .init(isKept: true, errorMs: 0.44), cameras: [FleetCameraStatus] = []
    ) -> FleetHostReply {
        .init(
            name: .init(rawValue: name), isSelf: name == "host-a", state: state,
            heardAt: heard.map { now - $0 },
            status: heard.map { _ in
                .init(
                    version: "1.0", boot: "b", startedAt: now - 9_000, at: now - 4, seq: 12,
                    sessionName: session,
                    camerasReady: ready, cameras: 20, shots: 12_804, shotsToday: 310,
                    diskFreeBytes: 812_000_000_000, diskGuard: .ok, uploadsWaiting: 14, uploadsFailed: 0,
                    clock: clock, conditions: conditions)
            }, cameras: cameras)
    }

    private static func camera(
        _ name: String, _ state: CameraReply.State, model: String? = "Canon EOS R6",
        groups: [GroupName] = ["ring"],
        battery: Int? = 80
    ) -> FleetCameraStatus {
        .init(
            name: name, model: model, state: state, groups: groups, batteryPercent: battery, shotsLeft: 900,
            lastSavedAt: now - 8)
    }

    private static let missing = FleetHostStatus.Trouble(
        code: "group-frame-missing", severity: .danger, name: "ring",
        sentence: "c7 has no photo of shot 12 of the group ring.")

    private static let fleet = FleetReply(
        broker: .init(state: .connected, since: now - 4_000),
        hosts: [
            host(
                "host-a", .online,
                cameras: [camera("c0", .ready), camera(EverydayScenes.wideName, .downloading)]),
            host(
                "host-b", .online, ready: 19, conditions: [missing],
                cameras: [camera("c7", .wrongMode, battery: 4)]),
            host(
                "host-c", .offline, heard: 700,
                cameras: [camera("c8", .ready, model: nil, groups: [], battery: nil)]),
            host(
                SmallScenes.hebrewName, .silent, heard: 400, session: nil,
                clock: .init(isKept: false, errorMs: 16_000)),
            host("host-e", .silent, heard: nil),
        ])

    private static let away = FleetReply(
        broker: .init(
            state: .away, since: now - 95, reason: "cannot reach studio.local port 8883: it does not answer"),
        hosts: [host("host-a", .online)])

    private static let fine = FleetReply(
        broker: .init(state: .connected, since: now - 4_000), hosts: [host("host-a", .online)])

    private static func shot(_ number: Int64, fired: Int, _ missing: [MissingCamera]) -> GroupShotReply {
        .init(
            shot: .init(rawValue: number), group: "ring", at: now, fired: fired, spreadMs: 1.2,
            answersSpreadMs: 9,
            cameras: [], missing: missing)
    }

    private static let shots = FleetShotReply(
        group: "ring", at: now, fired: 39,
        hosts: [
            .init(name: "host-a", shot: shot(12, fired: 20, []), reason: nil),
            .init(
                name: "host-b", shot: shot(31, fired: 19, [.init(name: "c7", reason: "It found no focus.")]),
                reason: nil),
            .init(
                name: "host-c", shot: nil, reason: "its clock may be wrong by 31 ms, and 20 ms are allowed"),
        ], silent: ["host-d"])

    /// The live screen.
    static var screens: [(name: String, screen: FleetScreen)] {
        let none = FleetReply(broker: .init(state: .connected, since: now), hosts: [])
        let serviceAway = Explanation(
            status: .daemonAway, code: .daemonAway,
            message: "framefastd is not running (no socket at /run/f.sock)",
            nextStep: "Start it with `systemctl start framefastd`.")
        return [
            ("before the first word", FleetScreen(now: now)), ("none", FleetScreen(fleet: none, now: now)),
            ("fleet", FleetScreen(fleet: fleet, now: now)), ("no broker", FleetScreen(fleet: away, now: now)),
            ("no service", FleetScreen(fleet: fleet, offline: serviceAway, now: now)),
        ]
    }

    static var scenes: [SmallScenes.Scene] {
        let none = FleetReply(broker: .init(state: .connected, since: now), hosts: [])
        return [
            ("none", FleetView(fleet: none, json: Data(), now: now)),
            ("status", FleetView(fleet: fleet, json: Data(), now: now)),
            ("no broker", FleetView(fleet: away, json: Data(), now: now)),
            ("no cameras", FleetCamerasView(fleet: none, json: Data())),
            ("cameras", FleetCamerasView(fleet: fleet, json: Data())),
            ("troubles", FleetTroublesView(fleet: fleet, json: Data(), now: now)),
            ("troubles without a broker", FleetTroublesView(fleet: away, json: Data(), now: now)),
            ("no troubles", FleetTroublesView(fleet: fine, json: Data(), now: now)),
            ("shot", FleetShotView(shot: shots, json: Data())),
        ]
    }
}
