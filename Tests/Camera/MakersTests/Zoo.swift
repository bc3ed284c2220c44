import Foundation
import FrameFastModel
import Makers
import Repository
import Testing

/// A device in `Tests/Rig/USBBed/zoo.json` and its expected classification. The USB bed shows the same
/// devices to the daemon.
struct ZooDevice: Decodable, Sendable, CustomTestStringConvertible {
    struct Interface: Decodable {
        let `class`: UInt8
        let subclass: UInt8
        let `protocol`: UInt8
        let driver: String?
    }

    struct Expectation: Decodable {
        let maker: Maker?
        let mode: CameraMode
        let action: DeviceAction
        let condition: ConditionKind?
    }

    let name: String
    let vendor: USBNumber
    let product: USBNumber
    let manufacturer: String?
    let productName: String?
    let serial: String?
    let deviceClass: UInt8
    let configurations: Int
    let interfaces: [Interface]
    let properties: [String: String]
    let expect: Expectation

    var testDescription: String { name }

    var descriptors: DeviceDescriptors {
        DeviceDescriptors(
            vendorID: vendor.value, productID: product.value, deviceClass: deviceClass,
            configurationCount: configurations,
            interfaces: interfaces.map {
                .init(
                    interfaceClass: $0.class, interfaceSubclass: $0.subclass, interfaceProtocol: $0.protocol)
            },
            manufacturer: manufacturer, product: productName, serial: serial, properties: properties)
    }

    static let all: [ZooDevice] = {
        let file = Repository.file("Tests/Rig/USBBed/zoo.json")
        // If the file can't be read, the test of the number of devices fails.
        return (try? load(file)) ?? []
    }()

    static func load(_ file: URL) throws -> [ZooDevice] {
        try JSONDecoder().decode([ZooDevice].self, from: Data(contentsOf: file))
    }
}
