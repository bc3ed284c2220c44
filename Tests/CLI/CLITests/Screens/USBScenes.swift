import Foundation
import SurfaceTestSupport
import USBTopology

@testable import FrameFastCLI

/// What is printed of the USB: nothing, a camera, and a rig with more than its kernel has memory for.
enum USBScenes {
    private static func camera(_ path: String, _ product: String?, megabits: Int = 480) -> USBTree.Device {
        .init(path: path, product: product, megabits: megabits, isCamera: true, endpoints: 4)
    }

    private static func report(
        _ controllers: [USBTree.Controller], memoryBytes: Int? = 16 << 20, refusals: [String]? = nil
    ) -> USBReport {
        USBReport(tree: .init(controllers: controllers), memoryBytes: memoryBytes, refusals: refusals)
    }

    private static func hub(_ path: String, _ count: Int) -> USBTree.Device {
        .init(
            path: path, product: "USB2.0 Hub", megabits: 480, isHub: true, endpoints: 2,
            children: (1...count).map { camera("\(path).\($0)", "Canon Digital Camera") })
    }

    private static var desk: USBReport {
        report([
            .init(
                name: "0000:00:14.0",
                buses: [
                    .init(
                        number: 1, megabits: 480,
                        devices: [
                            camera("1-2", EverydayScenes.wideName),
                            .init(path: "1-7", product: nil, megabits: 12, endpoints: 2),
                        ]),
                    .init(number: 2, megabits: 10_000, devices: [camera("2-1", nil, megabits: 5_000)]),
                    .init(number: 3, megabits: 480, devices: []),
                ])
        ])
    }

    private static var rig: USBReport {
        report(
            [
                .init(
                    name: "0000:03:00.0",
                    buses: [.init(number: 5, megabits: 480, devices: [hub("5-1", 3), hub("5-2", 2)])])
            ], memoryBytes: 2 << 20,
            refusals: ["usb 5-3: Not enough host controller resources for new device state."])
    }

    static var scenes: [SmallScenes.Scene] {
        [
            ("none", USBView(report: report([]), json: Data())),
            ("desk", USBView(report: desk, json: Data())),
            ("rig", USBView(report: rig, json: Data())),
        ]
    }
}
