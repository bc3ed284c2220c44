import Foundation
import FrameFastModel
import Glibc
import SystemPackage
import Testing
import WorkerProtocol

@testable import Cameras
@testable import ChildProcesses
@testable import Makers
@testable import USBHotplug

/// Tests that the next steps of conditions work. The supervisor of a camera raises a condition, the test
/// follows the next step, and the supervisor ends the condition.
@Suite struct CameraAdviceTests {
    /// A failure to open a camera, its condition, and a next step after which the camera can be opened.
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
            .pairingWanted, "FrameFast repeats its request",
            failure(-7, "I/O problem (no response to Init_Command_Request)"), port: "ptpip:10.0.0.7:15740"),
        Row(
            .held, "Disconnect the camera in the other computer or app",
            failure(-1, "Unspecified error (Init_Fail 2)"), port: "ptpip:10.0.0.7:15740"),
        Row(
            .noCard, "Insert a card, and make sure that it is not locked", failure(-1, "PTP Store Read Only")),
        Row(.busy, "Wait until its card light is off", failure(-110)),
        Row(.held, "Close other photo programs", failure(-53)),
        Row(.held, "FrameFast then connects to the camera automatically", .earlierWorkerIsEnding),
        Row(.notSupported, "Install a newer libgphoto2", failure(-105)),
    ]

    @Test(arguments: rows)
    func `ends a camera's condition when the camera can be opened`(row: Row) async throws {
        let camera = try SupervisedCamera(.init(openFailure: row.failure), port: row.port)
        try await camera.supervised { clock in
            try await camera.expect(row.kind, row.advice, clock)
            try await camera.expectUnchanged(clock)
            // After the next step, the camera accepts a connection.
            camera.change { $0.openFailure = nil }
            try await camera.expectConnected(clock)
        }
    }

    /// After a change of the address, the camera has a second entry, and the condition of the first entry
    /// ends only when a person removes the entry.
    @Test(arguments: [nil] + Maker.allCases)
    func `advice for an unreachable camera names the command that removes its old entry`(maker: Maker?) throws
    {
        let guidance = try KnowledgeBase.bundled().guidance(for: .unreachable, maker: maker)
        #expect(guidance.steps.contains { $0.contains("framefast cameras forget") })
    }

    /// A camera without a supervisor. The test itself checks the access to the camera.
    private struct Fixture {
        let conditionBoard = ConditionBoard { _ in }
        let camera: ConfiguredCamera
        let obstacles: CameraObstacles

        init() throws {
            camera = ConfiguredCamera(
                id: "left-1", name: "left", port: "usb:001,004", zone: .gmt, deletesAfterSave: false)
            obstacles = CameraObstacles(
                id: camera.id, attachment: nil, knowledge: try KnowledgeBase.bundled(),
                registry: CameraRegistry { _ in }, conditionBoard: conditionBoard)
        }

        /// Verifies that there is a single condition of this kind whose next step contains `advice`.
        func expect(_ kind: ConditionKind, _ advice: String) throws {
            let condition = try #require(conditionBoard.current.first)
            #expect(conditionBoard.current.map(\.kind) == [kind])
            #expect(condition.nextStep.contains(advice), "\(condition.nextStep)")
        }
    }

    /// The permissions of `/dev/null` allow access for all users, so only the sandbox can block the node.
    @Test func `condition for a camera that the sandbox blocks ends after the suggested restart`() throws {
        let fixture = try Fixture()
        let device = USBDevice(
            bus: 1, number: 4, portPath: "1-2", vendorID: 0x04A9, productID: 0x32DA, serial: nil)
        func isAllowed(bySandbox isAccessible: Bool) -> Bool {
            fixture.obstacles.isAllowed(fixture.camera, at: device, maker: .canon) { _ in
                USBAccess(node: "/dev/null", isAccessible: { _ in isAccessible })
            }
        }
        #expect(!isAllowed(bySandbox: false))
        try fixture.expect(.noPermission, "Restart the service: sudo systemctl restart framefastd")
        let condition = try #require(fixture.conditionBoard.current.first)
        #expect(condition.severity == .danger && condition.sentence.contains(device.nodePath))
        #expect(condition.sentence.contains("the service's sandbox does not allow access"))
        #expect(!condition.nextStep.contains("60-framefast.rules"))
        // After the restart, the sandbox allows access to USB devices.
        #expect(isAllowed(bySandbox: true))
        #expect(fixture.conditionBoard.current.isEmpty)
    }

    @Test func `condition for a node with the wrong group names the udev rule`() throws {
        let fixture = try Fixture()
        let device = USBDevice(
            bus: 1, number: 4, portPath: "1-2", vendorID: 0x04A9, productID: 0x32DA, serial: nil)
        let isAllowed = fixture.obstacles.isAllowed(fixture.camera, at: device, maker: .canon) { _ in
            .denied(owner: "root", group: "root", mode: 0o664)
        }
        #expect(!isAllowed)
        try fixture.expect(.noPermission, "60-framefast.rules")
        #expect(fixture.conditionBoard.current.first?.sentence.contains("root:root") == true)
    }

    @Test func `reports too little power or too many cameras for a device without a configuration`() throws {
        let fixture = try Fixture()
        let device = USBDevice(
            bus: 1, number: 4, portPath: "1-2", vendorID: 0x04A9, productID: 0x32DA, serial: nil)
        func isReported(isConfigured: Bool) -> Bool {
            fixture.obstacles.reportUnconfigured(fixture.camera, at: device) { _ in isConfigured }
        }
        #expect(!isReported(isConfigured: true))
        #expect(fixture.conditionBoard.current.isEmpty)
        #expect(isReported(isConfigured: false))
        try fixture.expect(
            .unreachable, "Connect the camera to a port of this computer, or to a hub with a power supply")
        #expect(fixture.conditionBoard.current.first?.sentence.contains("another program") == false)
        // At another port, the kernel configures the camera, and the connection opens.
        fixture.obstacles.clearAll()
        #expect(fixture.conditionBoard.current.isEmpty)
    }

    @Test func `photos-only condition ends when libgphoto2 exposes the packets`() async throws {
        var facts = CameraFacts(maker: "NIKON CORPORATION")
        facts.onlyFetchesPhotos = true
        let camera = try SupervisedCamera(.init(facts: facts))
        camera.registry.driverVersion = "2.5.99"
        try await camera.supervised { clock in
            try await camera.expect(.photosOnly, "install a newer FrameFast", clock)
            #expect(
                camera.conditionBoard.current.first?.sentence.contains("packet format of libgphoto2 2.5.99")
                    == true)
            // A connection with the same version of libgphoto2 does not end the condition.
            try await camera.reconnect(clock)
            try await camera.expect(.photosOnly, "Then reconnect the camera", clock)
        }
        // Another version is installed, and the camera is connected again.
        camera.change { $0.facts.onlyFetchesPhotos = false }
        try await camera.supervised { clock in try await camera.expectConnected(clock) }
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

    /// An error that prevents a worker from starting, and a next step that resolves the error.
    struct StartRow: Sendable, CustomTestStringConvertible {
        var kind: ConditionKind
        /// A part of the next step's text.
        var advice: String
        var error: any Error

        var testDescription: String { "\(kind.rawValue): \(advice)" }
    }

    static let startRows = [
        StartRow(
            kind: .unreachable, advice: "Check that /usr/libexec/framefast-camera is installed",
            error: startError(.noSuchFileOrDirectory)),
        StartRow(
            kind: .fewDescriptors, advice: "LimitNOFILE= in the service's unit",
            error: startError(.tooManyOpenFiles)),
        StartRow(
            kind: .unreachable, advice: "Free some space on the disk that holds /var/lib/x",
            error: WorkerHomeError(folder: "/var/lib/x", Errno.noSpace)),
        StartRow(
            kind: .unreachable, advice: "Check the disk that holds /var/lib/x: 'sudo dmesg'",
            error: WorkerHomeError(folder: "/var/lib/x", Errno.ioError)),
        StartRow(
            kind: .unreachable, advice: "Make sure that the service can write to /var/lib/x",
            error: WorkerHomeError(folder: "/var/lib/x", Errno.permissionDenied)),
    ]

    private static func startError(_ errno: Errno) -> ChildProcess.StartError {
        ChildProcess.StartError(program: "/usr/libexec/framefast-camera", reason: "no", errno: errno)
    }

    @Test(arguments: startRows)
    func `ends the condition for a failed start when a worker starts`(row: StartRow) async throws {
        let camera = try SupervisedCamera(.init(startError: row.error))
        try await camera.supervised { clock in
            try await camera.expect(row.kind, row.advice, clock)
            try await camera.expectUnchanged(clock)
            camera.change { $0.startError = nil }
            try await camera.expectConnected(clock)
        }
    }

    @Test func `condition for quarantined files survives unplugging the camera`() async throws {
        let camera = try SupervisedCamera(.init(end: .crashed(signal: SIGSEGV, worker: 42), lastObject: 0x42))
        let advice = "This message clears when you connect the camera without these files"
        try await camera.supervised { clock in
            for _ in 0..<SuspectObjects.deathsMax { try await camera.reconnect(clock) }
            try await camera.expect(.objectSetAside, advice, clock)
            #expect(camera.connection?.hasQuarantinedObjects == true)
        }
        // The camera was unplugged, but its card has not been read again.
        camera.conditionBoard.clearDeparted(camera.camera.id)
        camera.change { $0.end = .exited(0) }
        try await camera.supervised { clock in
            try await camera.until("a connection", clock) { camera.connection == nil ? nil : () }
            try await camera.expect(.objectSetAside, advice, clock)
            #expect(camera.connection?.hasQuarantinedObjects == false)
        }
    }

    @Test(arguments: [Maker.sony, .canon, .nikon, .fujifilm])
    func `wrong-mode condition ends after plugging in with the right mode`(maker: Maker) throws {
        let conditionBoard = ConditionBoard { _ in }
        let camera = ConfiguredCamera(
            id: "left-1", name: "left", port: "usb:001,004", zone: .gmt, deletesAfterSave: false)
        let knowledge = try KnowledgeBase.bundled()
        let status = FleetStatus(
            registry: CameraRegistry { _ in }, conditionBoard: conditionBoard, knowledge: knowledge)
        let member = CameraMember(camera: camera, origin: .plugged)
        let guidance = knowledge.guidance(for: .wrongMode, maker: maker)
        status.showPlugged(
            member, DeviceClassification(maker: maker, mode: .massStorage, action: .leave, guidance: guidance)
        )
        let condition = try #require(conditionBoard.current.first)
        #expect(conditionBoard.current.map(\.kind) == [.wrongMode])
        let step = try #require(guidance.steps.first)
        #expect(condition.nextStep.contains(step), "\(condition.nextStep)")
        status.clearDeparted(camera.id)
        status.showPlugged(member, DeviceClassification(maker: maker, mode: .tether, action: .open))
        #expect(conditionBoard.current.isEmpty)
    }
}
