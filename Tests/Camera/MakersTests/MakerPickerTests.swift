import FrameFastModel
import Testing

@testable import Makers

@Suite struct MakerPickerTests {
    let knowledge: KnowledgeBase
    let picker: MakerPicker
    init() throws {
        knowledge = try KnowledgeBase.bundled()
        picker = MakerPicker(knowledge)
    }

    @Test func `lists makers in picker order, and the unknown maker last`() {
        let rows = picker.rows()
        #expect(rows.prefix(3).map(\.maker) == [.canon, .nikon, .sony])
        #expect(rows.last?.maker == nil)
        #expect(!rows.contains { $0.maker == .apple || $0.isDetected })
        #expect(rows.count == Maker.allCases.count)
    }

    @Test func `lists makers of detected cameras first and omits ignored devices`() {
        let rows = picker.rows(detected: [
            DeviceClassification(maker: .sigma, model: "fp", mode: .tether, action: .open),
            DeviceClassification(maker: .sony, model: "A7 III", mode: .mtp, action: .leave),
            DeviceClassification(maker: .samsung, mode: .phone, action: .ignore),
        ])
        #expect(rows.prefix(2).map(\.maker) == [.sony, .sigma])
        #expect(rows.filter(\.isDetected).map(\.models) == [["A7 III"], ["fp"]])
    }

    @Test func `a camera of an unknown maker marks only the last row`() {
        let rows = picker.rows(detected: [DeviceClassification(model: "Camera", mode: .ptp, action: .check)])
        #expect(rows.filter(\.isDetected).map(\.maker) == [nil])
    }

    @Test(arguments: Maker.allCases, ConnectionKind.allCases)
    func `each maker has steps for each connection`(maker: Maker, connection: ConnectionKind) {
        let groups = picker.steps(for: maker, connection: connection)
        #expect(!groups.isEmpty)
        #expect(groups.allSatisfy { !$0.steps.isEmpty })
    }

    /// libgphoto2 can release the shutter of a Sigma only together with a transfer. Its function for a
    /// release without a transfer (camera_trigger_capture) does not support Sigma.
    @Test func `the texts for a Sigma promise no release by FrameFast`() {
        let row = picker.rows().first { $0.maker == .sigma }
        #expect(row?.line.contains("not released by FrameFast") == true, "\(row?.line ?? "")")
        let steps = picker.steps(for: .sigma, connection: .usb).flatMap(\.steps)
        #expect(steps.contains { $0.contains("FrameFast cannot release the shutter") }, "\(steps)")
    }

    @Test func `a known model gets only its own steps`() {
        #expect(picker.steps(for: .sony, connection: .usb, model: "ILCE-7M3").map(\.bodies).count == 1)
        #expect(picker.steps(for: .sony, connection: .usb).count > 3)
        #expect(!picker.steps(for: nil, connection: .usb).isEmpty)
    }

    @Test(arguments: ["NIKON DSC Z6_3", "Z6_3", "NIKON DSC Z5_2", "NIKON DSC Z 8", "Nikon Z9"])
    func `recognizes Nikon models with the new USB menu entry`(model: String) {
        let steps = picker.steps(for: .nikon, connection: .usb, model: model).flatMap { $0.steps }
        #expect(steps.contains { $0.contains("set USB to MTP/PTP") })
    }

    @Test(arguments: ConnectionKind.allCases)
    func `steps for a Sony say that missed shots stay on the card`(
        connection: ConnectionKind
    ) {
        let groups =
            picker.steps(for: .sony, connection: connection)
            + picker.steps(for: .sony, connection: connection, model: "ILCE-7M3")
        #expect(groups.allSatisfy { $0.steps.last?.contains("stay on its card") == true })
        for maker in Maker.allCases where maker != .sony {
            #expect(knowledge.entry(for: maker)?.quirks.missedShots == nil)
        }
    }

    @Test func `network steps for Sony cameras say to turn off the encrypted connection`() {
        let steps = picker.steps(for: .sony, connection: .network).flatMap { $0.steps }
        #expect(steps.contains { $0.contains("set Access Authen. to Off") })
        #expect(steps.contains { $0.contains("the connection is not encrypted") })
    }

    @Test(arguments: [
        (Maker.canon, "192.168.1.2", UInt16(15740)), (.nikon, "192.168.1.1", 15740),
        (.sony, "192.168.122.1", 15740),
    ])
    func `returns the usual network address of a maker`(maker: Maker, host: String, port: UInt16) {
        let candidates = knowledge.networkCandidates(for: maker)
        #expect(candidates.map(\.host) == [host])
        #expect(candidates.map(\.port) == [port])
    }

    @Test func `returns all usual addresses without duplicates for an unknown maker`() {
        let candidates = knowledge.networkCandidates(for: nil)
        #expect(Set(candidates).count == candidates.count)
        #expect(candidates.map(\.host).sorted() == ["192.168.1.1", "192.168.1.2", "192.168.122.1"])
        #expect(candidates.allSatisfy { $0.port == KnowledgeBase.ptpipPort })
    }

    @Test func `returns no address for makers without network tethering`() {
        #expect(knowledge.networkCandidates(for: .panasonic).isEmpty)
        #expect(knowledge.networkCandidates(for: .olympus).isEmpty)
        // A Fujifilm closes the connection after the standard's greeting.
        #expect(knowledge.networkCandidates(for: .fujifilm).isEmpty)
    }
}
