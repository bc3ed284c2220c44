import Testing

@testable import CameraSimulator

struct USBDescriptorTests {
    @Test(arguments: [
        (Maker.generic, USBMode.ptp, "1209:0001"), (.canon, .ptp, "04a9:32f4"),
        (.canon, .storage, "04a9:32f4"),
        (.nikon, .ptp, "04b0:044c"), (.fuji, .ptp, "04cb:02e6"), (.sony, .ptp, "054c:0c33"),
        (.sony, .mtp, "054c:0c00"), (.sony, .storage, "054c:0bff"), (.sony, .charging, "054c:0994"),
    ])
    func `USB numbers depend on the maker, and for Sony on the mode`(
        maker: Maker, mode: USBMode, numbers: String
    ) {
        let descriptors = USBDescriptors(CameraIdentity(maker), mode: mode)
        #expect("\(descriptors.numbers)" == numbers)
        #expect(descriptors.device.count == 18)
    }

    @Test(arguments: ["04a9", "04a9:", "04a9:32da:1", "4a9:32da", "04a9:zzzz", ""])
    func `refuses text that is not two USB numbers`(text: String) {
        #expect(USBNumbers(text) == nil)
    }

    @Test(
        arguments: [
            (USBMode.ptp, [6, 1, 1], [0x81, 0x02, 0x83]), (.mtp, [6, 1, 1], [0x81, 0x02, 0x83]),
            (.storage, [8, 6, 0x50], [0x81, 0x02]), (.charging, [0xFF, 0xFF, 0xFF], []),
        ] as [(USBMode, [UInt8], [UInt8])])
    func `the interface and endpoints depend on the mode`(
        mode: USBMode, interface: [UInt8], endpoints: [UInt8]
    ) {
        let bytes = USBDescriptors(CameraIdentity(.canon), mode: mode).configuration
        #expect(Int(bytes[2]) == bytes.count)
        #expect(Array(bytes[14..<17]) == interface)
        #expect(stride(from: 18, to: bytes.count, by: 7).map { bytes[$0 + 2] } == endpoints)
    }

    @Test(
        arguments: [
            (UInt8(0), [4, 3, 9, 4]), (3, [6, 3, 0x41, 0, 0x37, 0]), (4, nil), (0xEE, nil),
        ] as [(UInt8, [UInt8]?)])
    func `string descriptors contain the language and the serial number`(index: UInt8, bytes: [UInt8]?) {
        let descriptors = USBDescriptors(CameraIdentity(.sony, serial: "A7"), mode: .ptp)
        #expect(descriptors.descriptor(type: 3, index: index) == bytes)
    }

    @Test func `a long name is truncated to the string descriptor's limit`() {
        let identity = CameraIdentity(.generic, model: String(repeating: "x", count: 300))
        let bytes = USBDescriptors(identity, mode: .ptp).descriptor(type: 3, index: 2)
        #expect(bytes?.count == 254)
        #expect(bytes?.first == 254)
    }
}
