import Foundation
import FrameFastAPI
import FrameFastModel
import TestRig
import Testing

@testable import Cameras
@testable import FrameFastConfiguration
@testable import FrameFastDaemon
@testable import Makers

/// Tests of the conditions that the doctor and the status show.
@Suite(.blocking) struct DoctorConditionTests {
    /// Returns the check ids of a diagnosis that are also condition codes.
    private static func codes(_ reply: DiagnosisReply) -> [String] {
        let codes = Set(ConditionKind.allCases.map(\.rawValue))
        return reply.checks.map(\.id).filter(codes.contains).sorted()
    }

    private static func subject(of kind: ConditionKind, camera: CameraID) -> ConditionSubject? {
        switch kind.subject {
        case .service: nil
        case .camera: .camera(camera)
        case .destination: .destination("nas")
        case .hook: .hook("mail")
        case .folder: .folder("/srv/photos")
        }
    }

    @Test func `doctor shows every condition of the status`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        let (conditionBoard, control) = (service.parts.conditionBoard, service.control)
        try await service.remember([body])
        let (connection, notices) = try service.open(body)
        defer {
            notices.finish()
            connection.abandon()
        }
        service.registry.setConnection(connection, of: body.id)
        service.registry.update(body.id, state: .ready, facts: connection.facts)
        service.registry.change(body.id) { $0.mode = .ptp }
        for kinds in ConditionKind.allCases.map({ [$0] }) + [ConditionKind.allCases, []] {
            for kind in kinds {
                conditionBoard.raise(
                    kind, subject: Self.subject(of: kind, camera: body.id),
                    sentence: "This is \(kind.rawValue).", nextStep: "Do this.")
            }
            let diagnosis = try await control.diagnosis.diagnosis()
            // Read the status after the diagnosis, because the status checks the disk and clears the disk's
            // conditions.
            let status = try await control.status()
            #expect(status.conditions.map(\.code).sorted() == kinds.map(\.rawValue).sorted())
            #expect(Self.codes(diagnosis) == kinds.map(\.rawValue).sorted())
            for condition in status.conditions {
                let check = diagnosis.checks.first { $0.id == condition.code }
                #expect(check?.sentence == condition.sentence)
                #expect(check?.$verdict.text == condition.$severity.text)
                #expect(check?.steps == ["Do this."])
                #expect(check?.title == (condition.name ?? "Service"))
            }
            for kind in kinds { conditionBoard.clear(kind, subject: Self.subject(of: kind, camera: body.id)) }
        }
    }

    @Test func `a disk or ledger condition replaces the doctor's check of the disk or state`() async throws {
        let service = try await ScriptedService()
        let control = service.control
        func ids() async throws -> [String] { try await control.diagnosis.diagnosis().checks.map(\.id) }
        let usual = try await ids()
        #expect(usual.contains("disk") && usual.contains("state"))
        for kind in [ConditionKind.diskFull, .diskLow, .photosAway, .saveFailing] {
            service.parts.conditionBoard.raise(kind, sentence: "It is so.", nextStep: "Do this.")
            let found = try await ids()
            #expect(!found.contains("disk"), "\(kind)")
            service.parts.conditionBoard.clear(kind)
        }
        service.parts.conditionBoard.raise(.ledgerFailing, sentence: "It is so.", nextStep: "Do this.")
        let found = try await ids()
        #expect(!found.contains("state"))
    }

    @Test func `lists the steps of a camera's condition separately`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.remember([body])
        let guidance = Guidance(sentence: "It is a card reader.", steps: ["Open the menu.", "Choose PC."])
        service.registry.change(body.id) { $0.guidance = guidance }
        service.parts.conditionBoard.raise(
            .wrongMode, subject: .camera(body.id), sentence: guidance.sentence,
            nextStep: "1. Open the menu. 2. Choose PC.")
        let diagnosis = try await service.control.diagnosis.diagnosis()
        #expect(diagnosis.checks.first { $0.id == "wrong-mode" }?.steps == guidance.steps)
    }

    @Test func `finds the connected camera among cameras with the same USB port`() {
        var cameras = ["a", "b", "c"].map { name in
            CameraStatus(id: CameraID(rawValue: name), name: name, port: "usb:001,004", state: .gone)
        }
        #expect(Doctor.pluggedIn(at: "usb:001,004", among: cameras) == nil)
        cameras[1].mode = .ptp
        #expect(Doctor.pluggedIn(at: "usb:001,004", among: cameras)?.name == "b")
        #expect(Doctor.pluggedIn(at: "usb:001,005", among: cameras) == nil)
    }

    @Test func `advises to restart after plugging in a camera if udev does not run`() throws {
        #expect(Doctor.hotplug(isRunning: true) == nil)
        let check = try #require(Doctor.hotplug(isRunning: false))
        #expect(check.verdict == .info && check.sentence.contains("udev does not run"))
        #expect(check.steps.first?.hasPrefix("Restart FrameFast") == true)
    }

    @Test func `warns of a camera in an unusable mode, with steps`() {
        var classification = DeviceClassification(
            maker: .sony, model: "A7 III", mode: .massStorage, action: .leave)
        #expect(Doctor.unusableCamera("A7 III", classification) == nil)
        let steps = ["Open the menu.", "Choose PC."]
        classification.guidance = Guidance(sentence: "It is a card reader.", steps: steps)
        let check = Doctor.unusableCamera("A7 III", classification)
        #expect(check?.id == "wrong-mode" && check?.verdict == .warning && check?.title == "A7 III")
        #expect(check?.steps == steps)
        classification.action = .open
        #expect(Doctor.unusableCamera("A7 III", classification) == nil)
    }

    @Test(arguments: [("1 MiB", nil), ("8000 TiB", "disk-full")] as [(String, String?)])
    func `reports a full disk with the condition's code, also without a running service`(
        minFree: String, code: String?
    ) async throws {
        let folder = try ScratchFolder()
        let file = folder.path("framefast.toml")
        let text = """
            [state]
            directory = "\(folder.path("state"))"
            [capture]
            directory = "\(folder.url.path)"
            min_free = "\(minFree)"
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let doctor = Doctor(
            configuration: try Configuration.load(flags: .init(configFile: file), environment: [:]),
            knowledge: try KnowledgeBase.bundled(), bus: nil, service: nil,
            hostClock: VirtualClock().hostClock)
        let reply = await doctor.examine()
        #expect(Self.codes(reply) == [code].compactMap { $0 })
        #expect(reply.checks.map(\.id).contains("disk") == (code == nil))
    }
}
