import FrameFastAPI
import FrameFastModel
import Makers
import SurfaceTestSupport
import Testing

@testable import FrameFastDaemon

/// Tests of the known faults of libgphoto2, and of the doctor's checks for these faults.
@Suite struct DriverFaultTests {
    private static let canon = DriverFault.Body(name: "studio-a", maker: .canon, model: "Canon EOS R6m2")
    private static let sony = DriverFault.Body(
        name: "studio-b", maker: .sony, model: "Sony ILCE-7RM5 (PC Control)")
    private static let nikon = DriverFault.Body(name: "studio-c", maker: .nikon, model: "Z 6")

    private static func ids(_ version: String, _ bodies: [DriverFault.Body] = []) -> [String] {
        Doctor.driver(version, bodies: bodies).dropFirst().map {
            String($0.id.dropFirst("libgphoto2-".count))
        }
    }

    @Test func `each fault has a unique id, ordered versions and texts`() {
        #expect(Set(DriverFaults.all.map(\.id)).count == DriverFaults.all.count)
        for fault in DriverFaults.all {
            let (since, until) = (
                fault.since.flatMap(LibraryVersion.init), fault.until.flatMap(LibraryVersion.init)
            )
            #expect(
                (since == nil) == (fault.since == nil) && (until == nil) == (fault.until == nil),
                "\(fault.id)")
            #expect(since != nil || until != nil, "\(fault.id)")
            if let since, let until { #expect(since < until, "\(fault.id)") }
            #expect(
                !fault.symptom.hasSuffix(".") && !fault.step.isEmpty && !fault.source.isEmpty, "\(fault.id)")
            #expect(fault.models.isEmpty || fault.maker != nil, "\(fault.id)")
        }
    }

    @Test(
        arguments: [
            ("2.5.29", ["om-1", "sigma-fp-l", "fujifilm-card", "sony-network-list", "hostile-usb"]),
            ("2.5.30", ["om-1", "sigma-fp-l", "fujifilm-card", "sony-network-list", "hostile-usb"]),
            ("2.5.30.1", ["om-1", "sigma-fp-l", "fujifilm-card", "sony-network-list", "hostile-usb"]),
            (
                "2.5.31",
                [
                    "sony-protocol", "eos-busy", "sony-movie", "fujifilm-card", "sony-network-list",
                    "hostile-usb",
                ]
            ),
            (
                "2.5.31-4",
                [
                    "sony-protocol", "eos-busy", "sony-movie", "fujifilm-card", "sony-network-list",
                    "hostile-usb",
                ]
            ),
            (
                "2.5.32",
                [
                    "nikon-capture", "eos-busy", "xt30", "om-1-2-session", "nikon-list",
                    "sony-network-list", "hostile-usb",
                ]
            ),
            (
                "2.5.33",
                [
                    "eos-busy", "xt30", "om-1-2-session", "nikon-list", "sony-network-list", "hostile-usb",
                ]
            ),
            (
                "2.5.34",
                ["eos-busy", "xt30", "om-1-2-session", "mode-then-value"]
            ),
            (
                "2.5.34.1",
                ["eos-busy", "xt30", "om-1-2-session", "mode-then-value"]
            ),
            ("2.5.35", ["eos-busy", "xt30", "mode-then-value"]),
        ])
    func `lists the faults of a libgphoto2 version`(version: String, ids: [String]) {
        #expect(Set(Self.ids(version)) == Set(ids))
    }

    @Test(arguments: ["", "git", "v2.5.31"])
    func `reports a version that cannot be parsed`(version: String) {
        let checks = Doctor.driver(version, bodies: [Self.canon])
        #expect(checks.map(\.id) == ["libgphoto2"] && checks.first?.verdict == .info)
        #expect(checks.first?.sentence.contains("'\(version)'") == true)
    }

    @Test func `reports a missing library with the install command`() {
        let checks = Doctor.driver(nil, bodies: [Self.canon])
        #expect(checks.map(\.verdict) == [.danger])
        #expect(checks.first?.steps == ["Install the driver: sudo apt install libgphoto2-6"])
    }

    @Test func `lists a connected model's faults before its maker's faults`() {
        #expect(Self.ids("2.5.34").first == "mode-then-value")
        let canon = Self.ids("2.5.34", [Self.canon])
        #expect(canon.prefix(2) == ["eos-busy", "mode-then-value"])
        let both = Self.ids("2.5.31", [Self.nikon, Self.canon, Self.sony])
        #expect(both.prefix(4) == ["sony-protocol", "eos-busy", "sony-movie", "hostile-usb"])
    }

    @Test func `warns only if a connected camera loses photos or control`() {
        func warned(_ version: String, _ bodies: [DriverFault.Body]) -> [String] {
            Doctor.driver(version, bodies: bodies).filter { $0.verdict == .warning }.map {
                "\($0.title) \($0.id)"
            }
        }
        #expect(warned("2.5.31", [Self.canon, Self.nikon]) == [])
        #expect(warned("2.5.31", [Self.sony]) == ["studio-b libgphoto2-sony-protocol"])
        #expect(warned("2.5.32", [Self.sony]) == [])
        #expect(warned("2.5.32", [Self.nikon, Self.sony]) == ["studio-c libgphoto2-nikon-capture"])
        #expect(warned("2.5.32", []) == [])
        let olympus = DriverFault.Body(name: "studio-d", maker: .olympus, model: "OM-1MarkII")
        #expect(warned("2.5.34", [olympus]) == ["studio-d libgphoto2-om-1-2-session"])
        #expect(warned("2.5.35", [olympus]) == [])
    }

    @Test(
        arguments: [
            ("eos-busy", Maker.canon, "Canon EOS R6m2", DriverFault.Specificity.model),
            ("eos-busy", .canon, "EOS R6 Mark II", .model),
            ("eos-busy", .canon, "Canon EOS R6", .otherCameras),
            ("eos-busy", .nikon, "EOS R6 Mark II", .otherCameras), ("eos-busy", .canon, nil, .otherCameras),
            ("sony-protocol", .sony, "Sony ILCE-7RM4A (PC Control)", .model),
            ("sony-protocol", .sony, "ILCE-7CM2", .otherCameras), ("sony-protocol", .sony, "A7 IV", .model),
            ("sony-protocol", .sony, "A7C II", .otherCameras), ("xt30", .fujifilm, "X-T30 II", .otherCameras),
            ("xt30", .fujifilm, "Fujifilm X-T30", .model), ("nikon-capture", .nikon, nil, .maker),
            ("nikon-capture", nil, "Z 6", .otherCameras), ("hostile-usb", nil, nil, .everyCamera),
            ("sony-network-list", .sony, "DSC-RX100M6", .model),
            ("sony-network-list", .sony, "DSC-RX100M7", .otherCameras),
            ("om-1-2-session", .olympus, "Olympus OM-1MarkII", .model),
            ("om-1-2-session", .olympus, "Olympus OM-1", .otherCameras),
            ("om-1", .olympus, "Olympus OM-1MarkII", .otherCameras),
        ] as [(String, Maker?, String?, DriverFault.Specificity)])
    func `matches a model by the end of its name`(
        id: String, maker: Maker?, model: String?, specificity: DriverFault.Specificity
    ) throws {
        let fault = try #require(DriverFaults.all.first { $0.id == id })
        #expect(fault.specificity(.init(name: "x", maker: maker, model: model)) == specificity)
    }

    @Test func `the driver checks of each version match the golden file`() throws {
        let bodies: [(String, [DriverFault.Body])] = [
            ("no camera", []), ("a Canon EOS R6m2", [Self.canon]),
            ("a Nikon Z 6 and a Sony ILCE-7RM5", [Self.nikon, Self.sony]),
        ]
        var lines: [String] = []
        for version in ["2.5.30", "2.5.31", "2.5.32", "2.5.33", "2.5.34", "2.5.30.1", "git"] {
            for (cameras, bodies) in bodies {
                lines.append("=== libgphoto2 \(version), \(cameras)")
                for check in Doctor.driver(version, bodies: bodies) {
                    lines.append("\(check.$verdict) \(check.id): \(check.title): \(check.sentence)")
                    lines += check.steps.map { "    \($0)" }
                }
            }
        }
        let text = lines.joined(separator: "\n") + "\n"
        let golden = try DocumentFile("Tests/Daemon/DaemonTests/Goldens/driver.txt").text(writing: text)
        #expect(
            golden == text,
            "driver.txt differs: review the difference, then write the file with scripts/docs")
    }
}
