import FrameFastModel
import Testing

@testable import Makers

@Suite struct SessionRuleTests {
    let knowledge: KnowledgeBase
    init() throws { knowledge = try KnowledgeBase.bundled() }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var before: DeviceClassification
        let session: SessionFacts
        let mode: CameraMode
        let action: DeviceAction
        var testDescription: String { name }

        init(
            _ name: String, maker: Maker?, mode before: CameraMode = .ptp, _ manufacturer: String,
            _ model: String,
            storages: [String] = [], _ summary: String, then mode: CameraMode, _ action: DeviceAction
        ) {
            self.name = name
            self.before = DeviceClassification(maker: maker, mode: before, action: .check)
            self.session = SessionFacts(
                manufacturer: manufacturer, model: model,
                storages: storages.map { .init(label: $0) }, summary: summary)
            self.mode = mode
            self.action = action
        }
    }

    static let generic = "\tGeneric Image Capture, Open Capture, No vendor specific capture\n"
    static let none = "\tNo Image Capture, No Open Capture, No vendor specific capture\n"
    static let sony = "\tNo Image Capture, No Open Capture, Sony Capture\n"

    static let rows = [
        Row("Sony in PC Remote", maker: .sony, "Sony Corporation", "ILCE-7M4", sony, then: .tether, .open),
        Row("Sony in MTP", maker: .sony, "Sony Corporation", "ILCE-7M4", none, then: .mtp, .leave),
        Row(
            "Sony, answered PC Remote", maker: .sony, mode: .autoSelect, "Sony", "ILCE-7M3", sony,
            then: .tether, .open),
        Row(
            "Sony, not answered", maker: .sony, mode: .autoSelect, "Sony", "", none, then: .autoSelect, .leave
        ),
        Row(
            "Fujifilm in tether shooting", maker: .fujifilm, "FUJIFILM", "X-T4", storages: ["Still", "Live"],
            generic,
            then: .tether, .open),
        Row(
            "Fujifilm as a card reader", maker: .fujifilm, "FUJIFILM", "X-T4", storages: ["External Memory"],
            none,
            then: .mtp, .leave),
        Row(
            "Fujifilm for raw conversion", maker: .fujifilm, "FUJIFILM", "X-T4", storages: ["Still", "Live"],
            none,
            then: .rawConversion, .leave),
        Row("Panasonic GX8", maker: .panasonic, "Panasonic", "DMC-GX8", generic, then: .tether, .open),
        Row("Panasonic G7", maker: .panasonic, "Panasonic", "DMC-G7", none, then: .mtp, .leave),
        Row(
            "Panasonic in PC(Tether)", maker: .panasonic, mode: .tether, "Panasonic", "DC-S5", none,
            then: .tether,
            .open),
        Row("Olympus in MTP", maker: .olympus, mode: .mtp, "OLYMPUS", "E-M5", none, then: .mtp, .leave),
        Row("Leica SL", maker: .leica, "Leica Camera AG", "SL", generic, then: .tether, .open),
        Row("Leica without capture", maker: .leica, "Leica Camera AG", "Q2", none, then: .mtp, .leave),
        Row("Ricoh GR III", maker: .ricoh, "RICOH IMAGING COMPANY, LTD.", "GR III", none, then: .mtp, .leave),
        Row(
            "Canon EOS", maker: .canon, "Canon Inc.", "Canon EOS R5",
            "\tGeneric Image Capture, No Open Capture, Canon EOS Capture, Canon EOS Capture 2\n",
            then: .tether,
            .open),
        Row("Canon that cannot be triggered", maker: .canon, "Canon Inc.", "G7 X", none, then: .ptp, .open),
        Row("unknown camera", maker: nil, "Somebody", "Camera", none, then: .ptp, .open),
        Row(
            "unknown number of a known maker", maker: nil, "NIKON CORPORATION", "Z 99", generic,
            then: .tether, .open),
    ]

    @Test(arguments: rows)
    func `detects the mode from the driver's summary and storages`(row: Row) {
        let classification = knowledge.classify(session: row.session, after: row.before)
        #expect(classification.mode == row.mode)
        #expect(classification.action == row.action)
        #expect((classification.action == .leave) == (classification.condition != nil))
        #expect((classification.action == .leave) == (classification.guidance != nil))
    }

    @Test func `detects the maker from the manufacturer string`() {
        let before = DeviceClassification(mode: .ptp, action: .check)
        func maker(_ name: String) -> Maker? {
            knowledge.classify(
                session: .init(manufacturer: name, model: "", summary: Self.generic), after: before
            ).maker
        }
        #expect(maker("Canon Inc.") == .canon)
        #expect(maker("FUJIFILM") == .fujifilm)
        #expect(maker("OM Digital Solutions") == .olympus)
        #expect(maker("Somebody") == nil)
        #expect(maker("") == nil)
    }

    @Test func `guidance after opening has the steps of the connected model`() throws {
        let classification = knowledge.classify(
            session: .init(manufacturer: "FUJIFILM", model: "X-T2", summary: Self.none),
            after: DeviceClassification(maker: .fujifilm, mode: .ptp, action: .check))
        let steps = try #require(classification.guidance?.steps)
        #expect(steps.contains { $0.contains("PC SHOOT MODE") })
        #expect(!steps.contains { $0.contains("PC CONNECTION MODE") })
    }
}
