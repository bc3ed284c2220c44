import Foundation
import Glibc
import TestRig
import Testing

/// Tests `udev/*.rules` with Debian's `udevadm test` on devices of the USB bed.
///
/// The tests prove that udev parses each line and that the power setting is written. They also verify the
/// resulting properties, tags, group and mode. udev applies the project's rules in its usual order, together
/// with the rules on this computer (udev's own, and libgphoto2's if installed). The command `udevadm test`
/// announces no event and changes no node. The tests therefore can't prove that systemd starts the service,
/// that logind sets its ACL, or that gvfs ignores the camera.
@Suite(
    .serialized, .programs(3),
    .enabled(if: UdevRules.obstacle == nil, .init(rawValue: UdevRules.obstacle ?? "")))
struct UdevRulesTests {
    private static let makers: [(vendor: String, maker: String)] = [
        ("04a9", "canon"), ("04b0", "nikon"), ("054c", "sony"), ("04cb", "fujifilm"), ("04da", "panasonic"),
        ("07b4", "olympus"), ("33a2", "olympus"), ("1a98", "leica"), ("25fb", "pentax"), ("0a17", "pentax"),
        ("05ca", "ricoh"), ("1003", "sigma"), ("2672", "gopro"), ("2756", "hasselblad"), ("22db", "phaseone"),
        ("040a", "kodak"), ("2ca3", "dji"),
    ]

    @Test func `udev rule sets properties, group and mode of a PTP camera`()
        async throws
    {
        let rules = try await UdevRules(["60-framefast"])
        for (vendor, maker) in Self.makers {
            let run = try await rules.test(USBBedDevice(vendor: vendor, product: "0fff"))
            #expect(run.warnings == [])
            #expect(run.properties["FRAMEFAST_CAMERA"] == "1")
            #expect(run.properties["FRAMEFAST_MAKER"] == maker)
            #expect(run.properties["SYSTEMD_WANTS"] == "framefastd.service")
            #expect(run.tags.isSuperset(of: ["systemd", "uaccess"]))
            #expect(run.last("MODE") == "0660")
            #expect(run.last("GROUP") == String(UdevRules.groupID))
            // In the USB bed, the setting is a plain file, so "on" overwrites the start of "auto".
            #expect(run.powerControl?.hasPrefix("on") == true)
            // The desktop still recognizes the camera if libgphoto2's rules are installed.
            if rules.haveLibgphoto2 { #expect(run.properties["ID_GPHOTO2"] == "1") }
        }
    }

    @Test(.nightly("in the gate, another test of this suite covers a PTP camera"))
    func `udev rule matches PTP among other interfaces on every action`() async throws {
        let rules = try await UdevRules(["60-framefast"])
        let device = USBBedDevice(
            vendor: "054c", product: "0d18", interfaces: [.init(8, 6, 80), .init(6, 1, 1), .init(3, 0, 0)])
        for action in ["add", "bind", "change"] {
            let run = try await rules.test(device, action: action)
            #expect(run.properties["FRAMEFAST_MAKER"] == "sony")
            #expect(run.last("MODE") == "0660")
        }
    }

    @Test func `udev rules ignore card readers, webcams, phones and printers`() async throws {
        let rules = try await UdevRules(["60-framefast", "99-framefast-exclusive"])
        let others = [
            USBBedDevice(vendor: "04a9", product: "31ff", interfaces: [.init(8, 6, 80)]),
            USBBedDevice(
                vendor: "04a9", product: "1912", interfaces: [.init(7, 1, 2), .init(255, 255, 255)]),
            USBBedDevice(vendor: "04b0", product: "0451", interfaces: [.init(14, 1, 0), .init(14, 2, 0)]),
            USBBedDevice(vendor: "05ac", product: "12a8", interfaces: [.init(6, 1, 1), .init(255, 254, 2)]),
            USBBedDevice(vendor: "04e8", product: "6860", properties: ["ID_MEDIA_PLAYER": "1"]),
        ]
        for device in others {
            let run = try await rules.test(device)
            #expect(run.warnings == [])
            #expect(
                !run.properties.contains { $0.key.hasPrefix("FRAMEFAST") || $0.value.contains("framefastd") })
            #expect(run.last("GROUP") != String(UdevRules.groupID))
            #expect(run.powerControl == "auto")
            #expect(run.properties["ID_MEDIA_PLAYER"] == device.properties?["ID_MEDIA_PLAYER"])
        }
    }

    @Test(.nightly("in the gate, another test of this suite covers card readers"))
    func `udev rules leave the disk of a Pentax to the desktop`()
        async throws
    {
        let rules = try await UdevRules(["60-framefast", "99-framefast-exclusive"])
        let storage = USBBedDevice.Interface(8, 6, 80, driver: "usb-storage")
        let pentax = USBBedDevice(vendor: "25fb", product: "0164", interfaces: [storage], disk: "c")
        let node = try await rules.test(pentax, path: "host*/target*/*/scsi_generic/sg2")
        #expect(node.warnings == [])
        #expect(node.properties["FRAMEFAST_CAMERA"] == nil && node.last("GROUP") != String(UdevRules.groupID))
        let disk = try await rules.test(pentax, path: "host*/target*/*/block/sdc")
        #expect(disk.properties["UDISKS_IGNORE"] == nil)
    }

    @Test func `opt-in udev rule removes all properties that desktops look for`()
        async throws
    {
        let camera = USBBedDevice(
            vendor: "04b0", product: "0437", properties: ["ID_MTP_DEVICE": "1", "ID_MEDIA_PLAYER": "1"])
        let marks = ["ID_GPHOTO2", "GPHOTO2_DRIVER", "ID_MTP_DEVICE", "ID_MEDIA_PLAYER"]
        let without = try await UdevRules(["60-framefast"]).test(camera)
        #expect(without.properties["ID_MTP_DEVICE"] == "1" && without.properties["ID_MEDIA_PLAYER"] == "1")
        let with = try await UdevRules(["60-framefast", "99-framefast-exclusive"]).test(camera)
        #expect(with.warnings == [])
        #expect(Set(with.properties.keys).isDisjoint(with: marks))
        #expect(with.properties["FRAMEFAST_CAMERA"] == "1" && with.last("MODE") == "0660")
    }

    @Test(arguments: Tier.rows(["60-framefast", "99-framefast-exclusive"], gate: 1))
    func `udev rules deny world access and document their installation`(name: String)
        throws
    {
        let text = try String(contentsOf: UdevRules.source(name), encoding: .utf8)
        let modes = text.matches(of: try Regex(#"MODE:?="([0-7]+)""#)).compactMap { $0.output[1].substring }
        #expect(modes.allSatisfy { $0 == "0660" })
        #expect(text.contains("cp \(name).rules /etc/udev/rules.d/"))
    }
}
