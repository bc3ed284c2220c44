import APIClient
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI

@testable import FrameFastCLI

/// Sample data for the golden files.
enum Scenes {
    static let now = Samples.time.addingTimeInterval(42)

    static let cardReader = CameraReply(
        id: "canon-1", name: "EOS R6 Mark II", maker: "Canon Inc.", model: "Canon EOS R6m2",
        port: "usb:001,004", state: .wrongMode, mode: "mass-storage",
        guidance: GuidanceReply(
            sentence: "The camera shows itself as a card reader.",
            steps: [
                "Open MENU on the camera and choose the USB connection 'Photo Import/Remote Control'.",
                "Switch the camera off and on, or plug the cable in again.",
            ]))

    static var ready: CameraReply {
        var camera = cardReader
        camera.state = .ready
        camera.guidance = nil
        camera.batteryPercent = 84
        camera.shotsLeft = 512
        camera.storages = [
            StorageReply(label: "SD", capacityBytes: 64_000_000_000, freeBytes: 31_000_000_000)
        ]
        return camera
    }

    static let cameras: [CameraReply] = [
        Samples.camera, cardReader,
        CameraReply(
            id: "sony-1", name: "second body", maker: "Sony Corporation", model: "ILCE-7M4",
            port: "usb:001,006", state: .inUse, batteryPercent: 7,
            guidance: GuidanceReply(
                sentence: "Another program is using the camera: gvfs-gphoto2-volume-monitor.",
                steps: ["Close it with `pkill gvfs-gphoto2`."])),
        CameraReply(
            id: "fuji-1", name: "X-T5", maker: "FUJIFILM", model: "X-T5", port: "usb:001,007",
            state: .noPermission,
            guidance: GuidanceReply(
                sentence: "The system does not let FrameFast open this camera.",
                steps: ["Install the rule 60-framefast.rules.", "Reconnect the camera."])),
        CameraReply(
            id: "nikon-1", name: "studio-b", maker: "NIKON CORPORATION", model: "Z 6", state: .gone,
            lastSeenAt: now.addingTimeInterval(-90_000)),
        CameraReply(
            id: "phone", name: "phone", port: "usb:001,009", state: .searching, isIgnored: true),
    ]

    static let checks =
        ClientChecks(
            facts: .init(
                socketPath: "/run/framefast/framefast.sock", ownVersion: "0.2.0", daemonVersion: "0.1.0",
                membership: .active, isRoot: false,
                unit: ["LoadState": "loaded", "ActiveState": "active", "NRestarts": "0"],
                hasOfflineDiagnosis: false)
        ).checks + Samples.diagnosis.checks + [
            .init(
                id: "camera-canon-1", title: "EOS R6 Mark II", verdict: .danger,
                sentence: cardReader.guidance?.sentence ?? "", steps: cardReader.guidance?.steps ?? []),
            .init(
                id: "libgphoto2", title: "libgphoto2", verdict: .info,
                sentence: "libgphoto2 2.5.30 is used; some bodies of 2024 and later need 2.5.31."),
        ]

    /// Makers for a list that does not fit on the screen.
    static let makers: [MakerReply] =
        Samples.makers
        + [
            "Nikon", "Sony", "Panasonic", "OM System / Olympus", "Leica", "Pentax", "Ricoh", "Sigma",
            "Hasselblad", "Phase One", "GoPro", "Kodak", "Samsung", "DJI", "Casio", "Epson",
        ]
        .map {
            MakerReply(
                id: $0.lowercased(), name: $0, summary: "Bodies of \($0)", isDetected: false,
                usb: GuidanceReply(sentence: "Connect the \($0) by USB."))
        }

    private static func flow(_ makers: [MakerReply] = makers, session: SessionReply? = nil) -> ConnectFlow {
        var flow = ConnectFlow(selections: ConnectSelections(), canAsk: true)
        var status = Samples.status
        status.cameras = []
        status.session = session
        _ = flow.handle(.snapshot(status))
        _ = flow.handle(makers: makers)
        return flow
    }

    private static func after(_ keys: [Int], from start: ConnectFlow) -> ConnectFlow {
        var flow = start
        for key in keys { _ = flow.choose(key) }
        return flow
    }

    private static func changed(_ flow: ConnectFlow, _ change: (inout ConnectFlow) -> Void) -> ConnectFlow {
        var flow = flow
        change(&flow)
        return flow
    }

    private static func waiting(_ camera: CameraReply?, _ conditions: [ConditionReply] = []) -> ConnectFlow {
        changed(after([0, 0, 0], from: flow(session: Samples.session))) { flow in
            if let camera { _ = flow.handle(.camera(camera)) }
            _ = flow.handle(.conditions(conditions))
        }
    }

    private static var connecting: CameraReply {
        var camera = ready
        camera.state = .connecting
        return camera
    }

    private static let pairing = ConditionReply(
        code: "pairing-wanted", severity: .warning, since: Samples.time, about: .camera, subject: "canon-1",
        name: "canon-1", short: "canon-1 needs pairing",
        sentence: "The camera asks whether this computer may connect.",
        nextStep: "Choose OK on the camera's screen.")

    /// A flow with more steps than the window has lines, scrolled by 3 lines.
    static let longSteps = changed(
        after(
            [0, 0, 0],
            from: flow(
                makers.map {
                    var maker = $0
                    maker.usb.steps = (1...40).map { "Do what step \($0) of the maker says." }
                    return maker
                }, session: Samples.session))
    ) { $0.scroll = 3 }

    static let network = after([0, 0, 1], from: flow(session: Samples.session))
    /// A reply about a camera that waits for its owner to accept, with 48 s left.
    private static let asking = DiscoveryReply(
        found: [], failures: [.init(kind: .timeout, count: 2)], tried: 3,
        asking: [.init(address: "ptpip:192.168.1.2:15740", until: now.addingTimeInterval(48))],
        guidance: GuidanceReply(sentence: "The camera is waiting to be paired."))
    static let searching = after([0], from: network)

    /// Returns the flow of the screen with the given name.
    static func flow(_ name: String) -> ConnectFlow {
        guard let scene = connect.first(where: { $0.name == name }) else { preconditionFailure(name) }
        return scene.flow
    }

    /// Every screen of the flow.
    static let connect: [(name: String, flow: ConnectFlow)] = [
        ("loading", ConnectFlow(selections: ConnectSelections(), canAsk: true)),
        ("maker", flow()), ("maker, at the end", changed(flow()) { _ = $0.press(.character("G")) }),
        (
            "maker, none plugged in",
            flow(
                makers.map {
                    var maker = $0
                    maker.isDetected = false
                    return maker
                })
        ),
        ("session", after([0], from: flow(session: Samples.session))),
        ("session name", after([0], from: flow())),
        (
            "maker, filtered",
            changed(flow()) { flow in for letter in "/son" { _ = flow.press(.character(letter)) } }
        ),
        (
            "session name, too long",
            changed(after([0], from: flow())) {
                _ = $0.enterLine(String(repeating: "wedding ", count: 20))
            }
        ),
        (
            "upload mode, a destination being tested",
            changed(after([0], from: flow())) { flow in
                var tried = Samples.destinations[1]
                tried.breaker = .halfOpen
                _ = flow.handle(.destination(tried))
                _ = flow.enterLine("Wedding")
            }
        ),
        (
            "upload mode",
            changed(after([0], from: flow())) {
                _ = $0.enterLine("Wedding")
                _ = $0.press(.down)
            }
        ),
        (
            "starting the session",
            changed(after([0], from: flow())) {
                _ = $0.enterLine("Wedding")
                _ = $0.choose(1)
            }
        ),
        ("connection", after([0, 0], from: flow(session: Samples.session))), ("network", network),
        ("address", changed(after([1], from: network)) { _ = $0.enterLine("1.2.3") }), ("search", searching),
        (
            "searching every address",
            changed(searching) {
                _ = $0.handleDiscovery(
                    DiscoveryReply(
                        found: [], failures: [.init(kind: .timeout, count: 128)], tried: 128,
                        sweep: .init(done: 128, total: 1_021, next: "192.168.4.128")))
            }
        ),
        ("waiting for the owner to accept", changed(searching) { _ = $0.handleDiscovery(asking) }),
        ("found", changed(searching) { _ = $0.handleDiscovery(Samples.discovery) }),
        (
            "nothing found",
            changed(searching) {
                _ = $0.handleDiscovery(
                    DiscoveryReply(
                        found: [], failures: [.init(kind: .timeout, count: 254)], tried: 254,
                        guidance: GuidanceReply(
                            sentence: "No camera answered.", steps: ["Join the camera's Wi-Fi."])))
            }
        ),
        ("adding", changed(after([1], from: network)) { _ = $0.enterLine("192.168.1.5") }),
        ("waiting", waiting(nil)), ("steps that do not fit", longSteps), ("wrong mode", waiting(cardReader)),
        ("in use", waiting(cameras[2])),
        ("connecting", waiting(connecting)), ("pairing", waiting(connecting, [pairing])),
        ("ready", waiting(ready)),
        (
            "first photo",
            changed(waiting(ready)) {
                var capture = Samples.capture(7)
                capture.cameraID = "canon-1"
                _ = $0.handle(.capture(capture))
            }
        ),
        (
            "daemon away",
            changed(waiting(nil)) {
                $0.offline =
                    ClientError.unreachable(path: "/run/framefast/framefast.sock", .noSocket).explanation
            }
        ),
    ]
}
