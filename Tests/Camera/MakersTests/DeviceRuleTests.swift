import FrameFastModel
import Testing

@testable import Makers

@Suite struct DeviceRuleTests {
    let knowledge: KnowledgeBase
    init() throws { knowledge = try KnowledgeBase.bundled() }

    @Test(arguments: ZooDevice.all)
    func `classifies each device in zoo.json as expected`(device: ZooDevice) {
        let classification = knowledge.classify(device.descriptors)
        #expect(classification.maker == device.expect.maker)
        #expect(classification.mode == device.expect.mode)
        #expect(classification.action == device.expect.action)
        #expect(classification.condition == device.expect.condition)
        #expect(
            (classification.condition == nil) || classification.guidance != nil,
            "a condition comes with guidance")
        #expect(
            classification.action != .ignore || classification.guidance == nil,
            "an ignored device has no guidance")
    }

    @Test func `zoo.json has at least 45 devices with unique names`() {
        #expect(ZooDevice.all.count >= 45)
        #expect(Set(ZooDevice.all.map(\.name)).count == ZooDevice.all.count)
    }

    @Test(arguments: ZooDevice.all)
    func `a device without a PTP interface is never opened`(device: ZooDevice) {
        var descriptors = device.descriptors
        descriptors.interfaces = [
            .init(interfaceClass: 8, interfaceSubclass: 6, interfaceProtocol: 0x50)
        ]
        let action = knowledge.classify(descriptors).action
        #expect(action == .leave || action == .ignore)
        #expect(descriptors.deviceClass == 9 || knowledge.classify(descriptors).mode != .tether)
    }

    @Test func `no known product is opened in mass-storage mode`() {
        let disk = DeviceDescriptors.Interface(
            interfaceClass: 8, interfaceSubclass: 6, interfaceProtocol: 0x50)
        for entry in knowledge.makers {
            for vendor in entry.vendors {
                for product in entry.products {
                    let classification = knowledge.classify(
                        DeviceDescriptors(
                            vendorID: vendor.value, productID: product.product.value, interfaces: [disk]),
                        allowing: .init(library: "9.9.9"))
                    #expect(classification.action == .leave || classification.action == .ignore)
                }
            }
        }
    }

    @Test func `guidance for a charging camera does not mention an old protocol`() throws {
        let device = try #require(ZooDevice.all.first { $0.name == "Canon EOS R5 that only charges" })
        let sentence = try #require(knowledge.classify(device.descriptors).guidance?.sentence)
        #expect(sentence.contains("only charging") && !sentence.contains("protocol"))
    }

    @Test(arguments: [
        ("Fuji Fujifilm X100V", "Fujifilm X100V"), ("Fuji X-T4", "Fuji X-T4"),
        ("Canon EOS R5", "Canon EOS R5"),
        ("Nikon DSC D750", "Nikon DSC D750"), ("Sony Sony", "Sony Sony"), ("Fuji Fujifilm", "Fuji Fujifilm"),
        ("Leica Leica SL (Typ 601)", "Leica SL (Typ 601)"), ("USB PTP Class Camera", "USB PTP Class Camera"),
        ("", ""),
    ])
    func `removes a doubled maker from a model name`(library: String, name: String) {
        #expect(knowledge.withoutDoubledMaker(library) == name)
    }

    @Test func `checks only the phone whose serial number is allowed`() throws {
        let iPhone = try #require(ZooDevice.all.first { $0.name == "iPhone" }).descriptors
        #expect(knowledge.classify(iPhone).action == .ignore)
        #expect(knowledge.classify(iPhone, allowing: .init(phoneSerials: ["another"])).action == .ignore)
        let classification = knowledge.classify(iPhone, allowing: .init(phoneSerials: ["00008030"]))
        #expect(classification.action == .check)
        #expect(classification.guidance?.isUsual == true)
    }

    @Test(arguments: [
        ("2.5.30", DeviceAction.leave), ("2.5.9", .leave), ("2.5.31", .open), ("2.6", .open), ("git", .open),
    ])
    func `opens an OM-1 only with a libgphoto2 that supports it`(library: String, action: DeviceAction) throws
    {
        let camera = try #require(ZooDevice.all.first { $0.name == "Olympus OM-1 in control" }).descriptors
        let classification = knowledge.classify(camera, allowing: .init(library: library))
        #expect(classification.action == action)
        #expect((classification.guidance?.sentence.contains("2.5.31") ?? false) == (action == .leave))
    }

    @Test func `the interrupt endpoint suggests a Fujifilm's mode, which a connection must confirm`() {
        var camera = DeviceDescriptors(
            vendorID: 0x04cb, productID: 0x02d7,
            interfaces: [.init(interfaceClass: 6, interfaceSubclass: 1, interfaceProtocol: 1)])
        camera.interruptEndpoint = .init(maxPacket: 0x20, interval: 11)
        #expect(knowledge.classify(camera).mode == .mtp)
        #expect(knowledge.classify(camera).action == .check)
        camera.interruptEndpoint = .init(maxPacket: 0x18, interval: 4)
        #expect(knowledge.classify(camera).mode == .ptp)
        #expect(knowledge.classify(camera).action == .check)
    }

    @Test func `wrong-mode guidance has the steps of the camera's generation`() throws {
        func steps(_ name: String) throws -> Guidance {
            let device = try #require(ZooDevice.all.first { $0.name == name })
            return try #require(knowledge.classify(device.descriptors).guidance)
        }
        #expect(try steps("Sony A7 III as a disk").steps.contains { $0.contains("PC+Camera") })
        #expect(try !steps("Sony camera charging").steps.contains { $0.contains("PC+Camera") })
        #expect(try steps("Sony camera charging").sentence.hasPrefix("This Sony is in charging mode"))
    }

    @Test func `uses the library's model name or the device's product name`()
        throws
    {
        func model(_ name: String) throws -> String? {
            let device = try #require(ZooDevice.all.first { $0.name == name })
            return knowledge.classify(device.descriptors).model
        }
        #expect(try model("Canon EOS R5") == "Canon EOS R5")
        #expect(try model("Sony A7 III in PC Remote") == "A7 III")
        #expect(try model("Panasonic GX8 in PTP") == "DMC-GX8")
        #expect(try model("Sony camera charging") == nil)
    }
}
