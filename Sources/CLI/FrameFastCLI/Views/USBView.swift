import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI
import USBTopology

/// The USB of this computer: what hangs where, and what it can take.
struct USBView: ComponentPresentation {
    let report: USBReport
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("Port")), .init(heading: localized("Device")),
            .init(heading: localized("Speed"), isFigure: true, givesWay: 1),
        ]
    }

    var parts: [any Component] {
        guard !report.tree.controllers.isEmpty else {
            return [EmptyView(localized("This computer shows no USB. Cameras on the network can be used."))]
        }
        return report.notes.map {
            GuidanceView($0.isProblem ? .danger : .info, $0.sentence, steps: $0.steps)
        }
            + report.tree.controllers.flatMap { controller in
                [
                    SectionView(
                        localized("Controller \(controller.name)"),
                        note:
                            localized(
                                "\(Self.devices(controller.devices.count)), \(controller.endpoints) endpoints"
                            )
                    )
                ] + controller.buses.flatMap(Self.parts)
            }
    }

    private static func parts(_ bus: USBTree.Bus) -> [any Component] {
        let head = BannerView(bus.cameras.isEmpty ? .neutral : .info, "Bus \(bus.number)", words(bus))
        guard !bus.devices.isEmpty else { return [head] }
        let rows = bus.devices.flatMap { Self.rows($0, depth: 0) }
        return [head, TableView(columns: columns, rows: rows)]
    }

    private static func rows(_ device: USBTree.Device, depth: Int) -> [TableView.Row] {
        let kind =
            device.isHub ? localized("Hub") : device.isCamera ? localized("Camera") : localized("Device")
        let name = device.product.map { $0 == kind ? kind : "\(kind): \($0)" } ?? kind
        let indent = Cells.padded("", depth * Spacing.sm)
        return [
            TableView.Row(
                device.isCamera ? .success : .neutral, [indent + device.path, name, speed(device.megabits)])
        ] + device.children.flatMap { rows($0, depth: depth + 1) }
    }

    /// `480 Mbit/s, 8 cameras: a photo of 30 MB from each takes 6 s`.
    private static func words(_ bus: USBTree.Bus) -> String {
        let cameras = bus.cameras.count
        guard cameras > 0 else { return "\(speed(bus.megabits)), " + localized("no cameras") }
        let (size, seconds) = (USBReport.photoMegabytes, USBReport.seconds(bus))
        return "\(speed(bus.megabits)), "
            + localized(
                cameras,
                one: "\(cameras) camera: a photo of \(size) MB from it takes \(seconds) s",
                other: "\(cameras) cameras: a photo of \(size) MB from each takes \(seconds) s")
    }

    private static func devices(_ number: Int) -> String {
        localized(number, one: "\(number) device", other: "\(number) devices")
    }

    private static func speed(_ megabits: Int) -> String {
        megabits >= 1_000 && megabits.isMultiple(of: 1_000)
            ? "\(megabits / 1_000) Gbit/s" : "\(megabits) Mbit/s"
    }

    func plain() -> [String] {
        report.notes.flatMap(Self.plain) + report.tree.controllers.flatMap(Self.plain)
    }

    private static func plain(_ note: USBReport.Note) -> [String] {
        ["\(note.isProblem ? "error" : "note"): \(TerminalText.escaped(note.sentence))"]
            + note.steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }

    private static func plain(_ controller: USBTree.Controller) -> [String] {
        let devices = devices(controller.devices.count)
        let head =
            "controller \(TerminalText.escaped(controller.name)): \(devices), \(controller.endpoints) endpoints"
        return [head]
            + controller.buses.flatMap { bus in ["bus \(bus.number): \(words(bus))"] + bus.all.map(plain) }
    }

    private static func plain(_ device: USBTree.Device) -> String {
        let kind = device.isHub ? "hub" : device.isCamera ? "camera" : "device"
        let name = device.product.map { " " + TerminalText.escaped($0) } ?? ""
        return "\(kind) \(device.path):\(name) \(speed(device.megabits))"
    }
}

/// The same for programs.
struct USBReply: Encodable {
    struct Controller: Encodable {
        var name: String
        var devices: Int
        var endpoints: Int
        var buses: [Bus]
    }
    struct Bus: Encodable {
        var number: Int
        var megabits: Int
        var cameras: Int
        var secondsEachShot: Int
        var devices: [Device]
    }
    struct Device: Encodable {
        var port: String
        var product: String?
        var kind: String
        var megabits: Int
        var devices: [Device]

        init(_ device: USBTree.Device) {
            port = device.path
            product = device.product
            kind = device.isHub ? "hub" : device.isCamera ? "camera" : "device"
            megabits = device.megabits
            devices = device.children.map(Device.init)
        }
    }

    /// `nil` for no limit.
    var memoryBytes: Int?
    var readers: Int?
    var controllers: [Controller]
    var notes: [String]

    init(_ report: USBReport) {
        memoryBytes = report.memoryBytes
        readers = report.memoryBytes == nil ? nil : report.readers
        notes = report.notes.map(\.sentence)
        controllers = report.tree.controllers.map { controller in
            Controller(
                name: controller.name, devices: controller.devices.count, endpoints: controller.endpoints,
                buses: controller.buses.map { bus in
                    Bus(
                        number: bus.number, megabits: bus.megabits, cameras: bus.cameras.count,
                        secondsEachShot: USBReport.seconds(bus), devices: bus.devices.map(Device.init))
                })
        }
    }
}
