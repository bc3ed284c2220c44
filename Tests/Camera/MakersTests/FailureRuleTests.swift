import FrameFastModel
import Makers
import Testing

@Suite struct FailureRuleTests {
    let knowledge: KnowledgeBase
    init() throws { knowledge = try KnowledgeBase.bundled() }

    struct Row: Sendable, CustomTestStringConvertible {
        let failure: DriverFailure
        let condition: ConditionKind?
        var testDescription: String {
            "\(failure.code) \(failure.text) \(failure.phase) over \(failure.connection)"
                + (failure.isKnownCamera ? " of a known camera" : "")
        }

        init(
            _ code: Int, _ text: String = "", _ phase: DriverFailure.Phase,
            _ connection: ConnectionKind = .usb,
            access: Bool? = nil, isKnown: Bool = false, then condition: ConditionKind?
        ) {
            failure = DriverFailure(
                maker: .canon, connection: connection, code: code, text: text, phase: phase,
                nodeIsAccessible: access, isKnownCamera: isKnown)
            self.condition = condition
        }
    }

    static let rows = [
        Row(-1, "PTP Store Full", .session, then: .cardFull),
        Row(-1, "Camera memorycard ran full during capture.", .session, then: .cardFull),
        Row(
            -1, "Canon EOS Capture failed to release: Perhaps no more memory on card?", .session,
            then: .cardFull),
        Row(-3, "", .session, then: .cardFull),
        Row(-1, "PTP Store Not Available", .session, then: .noCard),
        Row(-1, "PTP Store Read Only", .session, then: .noCard),
        Row(-1, "Canon EOS Capture failed to release: Perhaps no focus?", .session, then: nil),
        Row(-1, "", .session, then: nil),
        Row(-1, "", .opening, .network, then: .pairingWanted),
        Row(-1, "Unspecified error (Init_Fail 5)", .opening, .network, then: .pairingWanted),
        Row(-1, "Unspecified error (Init_Fail 2)", .opening, .network, then: .held),
        Row(
            -7, "I/O problem (no response to Init_Command_Request)", .opening, .network, then: .pairingWanted),
        Row(
            -7, "I/O problem (no response to Init_Command_Request)", .opening, .network, isKnown: true,
            then: .unreachable),
        Row(-2, "Bad parameters", .session, then: nil),
        Row(-6, "", .session, then: .notSupported),
        Row(-105, "", .opening, then: .notSupported),
        Row(-7, "", .opening, access: false, then: .noPermission),
        Row(-7, "", .opening, access: true, then: .asleep),
        Row(-7, "", .opening, .network, then: .unreachable),
        Row(-7, "", .session, then: .asleep),
        Row(-10, "", .opening, .network, then: .unreachable),
        Row(-10, "", .session, then: .busy),
        Row(-34, "", .session, then: .asleep),
        Row(-51, "", .session, then: .asleep),
        Row(-52, "", .opening, then: .asleep),
        Row(-52, "", .session, then: nil),
        Row(-53, "", .opening, then: .held),
        Row(-107, "", .session, then: nil),
        Row(-108, "", .session, then: nil),
        Row(-110, "", .session, then: .busy),
        Row(-110, "PTP Device Busy", .session, then: .busy),
        Row(-112, "", .session, then: nil),
    ]

    @Test(arguments: rows)
    func `maps driver failures to conditions with steps`(row: Row) {
        let diagnosis = knowledge.diagnose(row.failure)
        #expect(diagnosis?.condition == row.condition)
        #expect(diagnosis?.guidance.steps.isEmpty != true)
    }

    /// A camera that does not respond perhaps shows a connection request, or is connected to another
    /// computer.
    @Test(arguments: [nil, Maker.canon])
    func `guidance for a silent new camera does not claim that the camera asks`(maker: Maker?) throws {
        func guidance(_ code: Int, _ text: String) throws -> Guidance {
            let failure = DriverFailure(
                maker: maker, connection: .network, code: code, text: text, phase: .opening)
            let diagnosis = try #require(knowledge.diagnose(failure))
            #expect(diagnosis.condition == .pairingWanted)
            return diagnosis.guidance
        }
        let silent = try guidance(-7, "I/O problem (no response to Init_Command_Request)")
        let refused = try guidance(-1, "Unspecified error (Init_Fail 1)")
        #expect(silent.isUsual && silent.sentence.hasPrefix("The camera does not respond. A new camera"))
        #expect(silent.steps.dropLast() == refused.steps[...])
        #expect(silent.steps.last?.hasPrefix("If the screen shows no request") == true)
        #expect(refused.sentence == "The camera asks whether this computer may connect.")
    }

    @Test(arguments: [
        (
            "gvfsd-gphoto2", "The desktop's file manager is using the camera (gvfsd-gphoto2).",
            "gio mount -s gphoto2"
        ),
        (
            "gvfs-gphoto2-vo", "The desktop's file manager is using the camera (gvfs-gphoto2-vo).",
            "systemctl --user"
        ),
        ("usb-storage", "The kernel's disk driver is using the camera (usb-storage).", "USB menu"),
        ("strange", "strange is using the camera.", "Stop strange"),
    ])
    func `guidance names the program that uses the camera and how to stop it`(
        holder: String, sentence: String, step: String
    )
        throws
    {
        let failure = DriverFailure(maker: nil, code: -53, phase: .opening, holder: holder)
        let guidance = try #require(knowledge.diagnose(failure)).guidance
        #expect(guidance.sentence == sentence)
        #expect(guidance.steps.contains { $0.contains(step) })
    }

    @Test func `names a likely holder among other users' programs`() throws {
        let running: Set = ["systemd", "gvfs-gphoto2-vo", "gvfsd-gphoto2", "bash"]
        let guidance = try #require(knowledge.likelyHeld(amongPrograms: running))
        #expect(guidance.sentence.contains("usually gvfsd-gphoto2"))
        #expect(guidance.steps.contains { $0.contains("gio mount") })
        // Processes of KDE run in every session, usually without a camera.
        let desktop: Set = ["kiod6", "kioworker", "darktable"]
        #expect(knowledge.likelyHeld(amongPrograms: desktop)?.sentence.contains("darktable") == true)
        #expect(knowledge.likelyHeld(amongPrograms: ["kiod6"])?.sentence.contains("kiod6") == true)
        // The volume monitor runs on every desktop, usually without a camera.
        #expect(knowledge.likelyHeld(amongPrograms: ["gvfs-gphoto2-vo", "bash"]) == nil)
    }

    @Test func `prefers a maker's own text for a condition`() {
        #expect(knowledge.guidance(for: .asleep, maker: .canon).sentence.contains("Wi-Fi"))
        #expect(knowledge.guidance(for: .cardFull, maker: .fujifilm).sentence.contains("buffer"))
        #expect(!knowledge.guidance(for: .asleep, maker: nil).sentence.contains("Canon"))
        let unreachable = knowledge.guidance(for: .unreachable, maker: .sony)
        #expect(unreachable.steps.contains { $0.contains("Access Authen.") })
    }

    @Test func `guidance for an unsupported function includes the steps for the camera model`() throws {
        let failure = DriverFailure(maker: .sony, model: "ILCE-7M3", code: -6, phase: .session)
        let diagnosis = try #require(knowledge.diagnose(failure))
        #expect(diagnosis.condition == .notSupported)
        #expect(diagnosis.guidance.steps.contains { $0.contains("PC Remote") })
    }

    @Test(arguments: ConditionKind.explained)
    func `each condition has guidance for every maker`(condition: ConditionKind) {
        for maker in Maker.allCases.map(Optional.some) + [nil] {
            let guidance = knowledge.guidance(for: condition, maker: maker)
            #expect(!guidance.sentence.isEmpty)
            #expect(!guidance.steps.isEmpty)
        }
    }
}
