import Foundation
import TestRig
import Testing

@testable import USBHotplug

@Suite struct DescriptorTests {
    /// Returns a device descriptor of 04cb:02e6 with this number of configurations.
    private static func device(configurations: UInt8 = 1) -> [UInt8] {
        [18, 1, 0, 2, 0, 0, 0, 64, 0xCB, 0x04, 0xE6, 0x02, 0, 1, 1, 2, 3, configurations]
    }

    private static func configuration(_ value: UInt8, _ body: [UInt8]) -> [UInt8] {
        [9, 2, UInt8(9 + body.count), 0, 1, value, 0, 0xC0, 1] + body
    }

    private static let stillImage: [UInt8] =
        [9, 4, 0, 0, 3, 6, 1, 1, 0] + [7, 5, 0x81, 2, 0, 2, 0] + [7, 5, 0x02, 2, 0, 2, 0]
        + [7, 5, 0x83, 3, 0x18, 0, 4]

    @Test func `parses a still-image interface with its interrupt endpoint`() throws {
        let bytes = Self.device() + Self.configuration(1, Self.stillImage)
        let descriptors = try #require(DescriptorReader(bytes))
        #expect(descriptors.vendorID == 0x04CB && descriptors.productID == 0x02E6)
        #expect(
            descriptors.interfaces(configuration: 1) == [
                USBInterface(
                    classCode: 6, subclassCode: 1, protocolCode: 1,
                    interruptEndpoint: USBInterruptEndpoint(maxPacketBytes: 24, interval: 4))
            ])
    }

    @Test func `returns interfaces of the active configuration without alternate settings`()
        throws
    {
        let storage: [UInt8] = [9, 4, 0, 0, 2, 8, 6, 80, 0]
        let video: [UInt8] =
            [9, 4, 0, 0, 1, 14, 1, 0, 0] + [9, 4, 1, 0, 0, 14, 2, 0, 0] + [9, 4, 1, 1, 1, 14, 2, 0, 0]
        let bytes =
            Self.device(configurations: 2) + Self.configuration(1, storage) + Self.configuration(2, video)
        let descriptors = try #require(DescriptorReader(bytes))
        #expect(descriptors.configurationCount == 2)
        #expect(descriptors.interfaces(configuration: 2).map(\.subclassCode) == [1, 2])
        #expect(descriptors.interfaces(configuration: nil).map(\.classCode) == [8])
        #expect(descriptors.interfaces(configuration: 9).map(\.classCode) == [8])
    }

    @Test func `ignores interrupt endpoints of alternate settings`() throws {
        let video: [UInt8] = [9, 4, 0, 0, 0, 14, 2, 0, 0]
        let alternate: [UInt8] = [9, 4, 0, 1, 1, 14, 2, 0, 0] + [7, 5, 0x81, 3, 0x08, 0, 8]
        let next: [UInt8] = [9, 4, 1, 0, 1, 255, 0, 0, 0] + [7, 5, 0x82, 3, 0x10, 0, 4]
        let bytes = Self.device() + Self.configuration(1, video + alternate + next)
        let interfaces = try #require(DescriptorReader(bytes)).interfaces(configuration: 1)
        #expect(interfaces.map(\.interruptEndpoint?.maxPacketBytes) == [nil, 16])
    }

    @Test func `parses truncated or invalid descriptors as far as possible`() {
        let whole = Self.device() + Self.configuration(1, Self.stillImage)
        for count in whole.indices {
            let descriptors = DescriptorReader(Array(whole[..<count]))
            #expect((descriptors == nil) == (count < 18))
        }
        for index in 18..<whole.count {
            for value: UInt8 in [0, 1, 2, 255] {
                var bytes = whole
                bytes[index] = value
                #expect(DescriptorReader(bytes)?.vendorID == 0x04CB)
            }
        }
    }

    @Test func `a device descriptor with an excessive length has no interfaces`() {
        var bytes = Self.device() + Self.configuration(1, Self.stillImage)
        bytes[0] = 255
        let descriptors = DescriptorReader(bytes)
        #expect(descriptors?.vendorID == 0x04CB)
        #expect(descriptors?.interfaces(configuration: nil).isEmpty == true)
    }

    @Test func `reads only properties from udev's database`() {
        let text = "S:libgphoto\nI:5321\nE:ID_MTP_DEVICE=1\nE:ID_MODEL=A=B\nE:ID_EMPTY=\nG:uaccess\n"
        #expect(
            USBDevice.udevProperties(text: text, prefix: "E:") == [
                "ID_MTP_DEVICE": "1", "ID_MODEL": "A=B", "ID_EMPTY": "",
            ])
    }

    /// The kernel's file is empty without an active configuration.
    @Test(
        arguments: [
            ("1\n", "usb", true), ("", "usb", false), (nil, "usb", true), ("", nil, false),
            ("", "usbip-host", true),
        ] as [(String?, String?, Bool)])
    func `recognizes a device without an active configuration`(
        content: String?, driver: String?, isConfigured: Bool
    ) throws {
        let folder = try ScratchFolder()
        let device = USBDevice(bus: 1, number: 4, portPath: "1-2", vendorID: 0x04A9, productID: 0x32DA)
        try FileManager.default.createDirectory(
            atPath: folder.path("1-2"), withIntermediateDirectories: true)
        if let content {
            try Data(content.utf8).write(to: URL(filePath: folder.path("1-2/bConfigurationValue")))
        }
        if let driver {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("1-2/driver"), withDestinationPath: "../drivers/\(driver)")
        }
        #expect(device.isConfigured(in: folder.url.path) == isConfigured)
    }
}
