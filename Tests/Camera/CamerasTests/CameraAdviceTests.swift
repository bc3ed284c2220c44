import Foundation
import FrameFastModel
import Makers
import SystemPackage
import Testing
import WorkerProtocol

@testable import Cameras
@testable import ChildProcesses

/// Tests that the next steps of conditions work. Each test raises a condition of a camera, follows the next
/// step and verifies that the condition ends.
@Suite struct CameraAdviceTests {
    /// A camera to which no connection can be opened.
    private struct Scene {
        let health = HealthBoard { _ in }
        let camera: ConfiguredCamera
        let knowledge: KnowledgeBase
        let obstacles: CameraObstacles

        init(port: String = "usb:001,004") throws {
            camera = ConfiguredCamera(
                id: "left-1", name: "left", port: port, zone: .gmt, deletesAfterSave: false)
            knowledge = try KnowledgeBase.bundled()
            obstacles = CameraObstacles(
                id: camera.id, attachment: nil, knowledge: knowledge, registry: CameraRegistry { _ in },
                health: health)
        }

        /// Verifies that there is a single condition of this kind whose next step contains `advice`.
        func expect(_ kind: ConditionKind, _ advice: String) throws {
            let condition = try #require(health.current.first)
            #expect(health.current.map(\.kind) == [kind])
            #expect(condition.nextStep.contains(advice), "\(condition.nextStep)")
        }
    }

    /// A failure to open a camera and one of its next steps. After the next step, the camera can be opened.
    struct Row: Sendable, CustomTestStringConvertible {
        var kind: ConditionKind
        /// A part of the next step's text.
        var advice: String
        var failure: WorkerFailure
        var port = "usb:001,004"

        var testDescription: String { "\(kind.rawValue): \(advice)" }

        init(_ kind: ConditionKind, _ advice: String, _ failure: WorkerFailure, port: String = "usb:001,004")
        {
            self.kind = kind
            self.advice = advice
            self.failure = failure
            self.port = port
        }
    }

    private static func failure(_ code: Int32, _ text: String = "") -> WorkerFailure {
        WorkerFailure(kind: .refused, code: code, during: "open", text: text)
    }

    static let rows = [
        Row(.asleep, "Wake the camera with the shutter button", failure(-7)),
        Row(
            .unreachable, "Make sure that the camera's Wi-Fi is on", failure(-7), port: "ptpip:10.0.0.7:15740"
        ),
        Row(
            .pairingWanted, "Confirm the request on the camera's screen", failure(-1),
            port: "ptpip:10.0.0.7:15740"),
        Row(
            .noCard, "Insert a card, and make sure that it is not locked", failure(-1, "PTP Store Read Only")),
        Row(.busy, "Wait until its card light is off", failure(-110)),
        Row(.held, "Close other photo programs", failure(-53)),
        Row(.held, "FrameFast then connects to the camera automatically", .earlierWorkerIsEnding),
        Row(.notSupported, "Install a newer libgphoto2", failure(-105)),
    ]

    @Test(arguments: rows)
    func `ends a camera's condition when the camera can be opened`(row: Row) async throws {
        let scene = try Scene(port: row.port)
        await scene.obstacles.reportOpenFailure(row.failure, scene.camera)
        try scene.expect(row.kind, row.advice)
        scene.obstacles.clearAll()
        #expect(scene.health.current.isEmpty)
    }

    @Test func `photos-only condition ends when libgphoto2 exposes the packets`() throws {
        let scene = try Scene()
        scene.obstacles.registry.driverVersion = "2.5.99"
        var facts = CameraFacts(maker: "NIKON CORPORATION")
        for _ in 0..<2 {
            facts.onlyFetchesPhotos = true
            scene.obstacles.clearAll()
            scene.obstacles.reportMissingFunctions(facts, scene.camera)
            try scene.expect(.photosOnly, "install a newer FrameFast")
        }
        #expect(scene.health.current.first?.sentence.contains("packet format of libgphoto2 2.5.99") == true)
        // The same camera with another version of libgphoto2.
        facts.onlyFetchesPhotos = false
        scene.obstacles.clearAll()
        scene.obstacles.reportMissingFunctions(facts, scene.camera)
        #expect(scene.health.current.isEmpty)
    }

    @Test(
        arguments: [
            (.nikon, "ignore a shutter release"), (.canon, "not deleted from its card"),
            (.sony, "libgphoto2's names"), (.fujifilm, "or a large movie is fetched."),
            (nil, "not deleted from its card"), (nil, "after a minute without photos"),
        ] as [(Maker?, String)])
    func `photos-only sentence names the limits of each maker`(maker: Maker?, words: String) {
        let sentence = PhotosOnly.sentence(name: "left", maker: maker, version: nil)
        #expect(sentence.contains("left supports photos only") && sentence.contains("live view"))
        #expect(sentence.contains("wait while the card is listed or a large movie"))
        #expect(sentence.contains(words) && (maker != .fujifilm || sentence.hasSuffix(words)))
    }

    @Test func `condition for a missing worker program ends when a worker starts`() throws {
        let scene = try Scene()
        let settings = WorkerSettings(
            program: "/usr/libexec/framefast-camera", homes: "/var/lib/x", drivers: [], photos: "/photos")
        scene.obstacles.reportStartFailure(
            ChildProcess.StartError(
                program: settings.program, reason: "no such file", errno: .noSuchFileOrDirectory),
            scene.camera, settings)
        try scene.expect(.unreachable, "Check that /usr/libexec/framefast-camera is installed")
        scene.obstacles.clearAll()
        #expect(scene.health.current.isEmpty)
    }

    @Test func `condition for quarantined files survives unplugging the camera`() throws {
        let scene = try Scene()
        scene.obstacles.reportQuarantine(2, last: 0x42, scene.camera)
        // The camera was unplugged, but its card has not been read again.
        scene.health.clearDeparted(scene.camera.id)
        scene.obstacles.clearAll()
        try scene.expect(.objectSetAside, "connect the camera without these files")
    }

    @Test(arguments: [Maker.sony, .canon, .nikon, .fujifilm])
    func `wrong-mode condition ends after plugging in with the right mode`(maker: Maker) throws {
        let scene = try Scene()
        let status = FleetStatus(
            registry: CameraRegistry { _ in }, health: scene.health, knowledge: scene.knowledge)
        let member = CameraMember(camera: scene.camera, origin: .plugged)
        let guidance = scene.knowledge.guidance(for: .wrongMode, maker: maker)
        status.showPlugged(
            member, DeviceClassification(maker: maker, mode: .massStorage, action: .leave, guidance: guidance)
        )
        try scene.expect(.wrongMode, try #require(guidance.steps.first))
        status.clearDeparted(scene.camera.id)
        status.showPlugged(member, DeviceClassification(maker: maker, mode: .tether, action: .open))
        #expect(scene.health.current.isEmpty)
    }

    @Test func `open-files condition ends when the worker can be started`() throws {
        let scene = try Scene()
        let settings = WorkerSettings(program: "/w", homes: "/var/lib/x", drivers: [], photos: "/photos")
        scene.obstacles.reportStartFailure(
            ChildProcess.StartError(program: "/w", reason: "no", errno: .tooManyOpenFiles), scene.camera,
            settings)
        try scene.expect(.fewDescriptors, "LimitNOFILE= in the service's unit")
        scene.obstacles.reportStart()
        #expect(scene.health.current.isEmpty)
    }
}
