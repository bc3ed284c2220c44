import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A table of cameras, for the output of `cameras` and `status`.
struct CameraColumnsView: Component {
    /// A column of the table.
    enum Column {
        case state, name, model, battery, card, listing, toFetch, exposure, clock, last, place, lastSeen
    }

    /// The columns for `cameras`, which show how and when each camera was last connected.
    static let list: [Column] = [.state, .name, .model, .battery, .card, .place, .lastSeen]
    /// The columns for `status`, which show the activity of each camera.
    static let activity: [Column] = [
        .state, .name, .model, .battery, .card, .listing, .toFetch, .exposure, .clock, .last,
    ]

    /// The smallest clock drift that is shown, in seconds.
    private static let driftSecondsShown = 5

    let cameras: [CameraReply]
    let columns: [Column]
    let now: Date

    func lines(_ layout: Layout) -> [Line] {
        guard !cameras.isEmpty else {
            return EmptyView("No cameras.", nextStep: "Connect a camera with `framefast connect`.").lines(
                layout)
        }
        let names = CameraLabels(cameras)
        let rows = cameras.map { camera in
            TableView.Row(
                StateWords.camera(camera).tone, columns.map { cell($0, camera, names) ?? "" })
        }
        return TableView(columns: columns.map(Self.column), rows: rows).lines(layout)
    }

    func plain() -> [String] { CameraLines.plain(cameras) }

    private static func column(_ column: Column) -> TableView.Column {
        switch column {
        case .state: .init(heading: "State")
        case .name: .init(heading: "Name")
        case .model: .init(heading: "Model", cellsMin: 12, dropOrder: 2)
        case .battery: .init(heading: "Battery", isFigure: true, lead: "battery")
        case .card: .init(heading: "Card", isFigure: true)
        case .listing: .init(heading: "Reading card", isFigure: true, lead: "reading card", dropOrder: 3)
        case .toFetch: .init(heading: "To fetch", isFigure: true, unit: "to fetch")
        case .exposure: .init(heading: "Exposure", dropOrder: 5)
        case .clock: .init(heading: "Clock", dropOrder: 3)
        case .last: .init(heading: "Last photo", cellsMin: 16, dropOrder: 4)
        case .place: .init(heading: "Port", dropOrder: 3)
        case .lastSeen: .init(heading: "Last seen", lead: "seen", dropOrder: 4)
        }
    }

    private func cell(_ column: Column, _ camera: CameraReply, _ names: CameraLabels) -> String? {
        switch column {
        case .state: StateWords.camera(camera).word
        case .name: names.name(camera.name, id: camera.id)
        case .model: CameraFactLines.model(camera)
        case .battery: camera.batteryPercent.map { "\($0) %" }
        case .card: CameraFactLines.cardShort(camera)
        case .listing: CameraFactLines.listingShort(camera)
        case .toFetch: camera.pending > 0 ? Formatted.count(camera.pending) : nil
        case .exposure: camera.exposure?.text
        case .clock: camera.clockDriftSeconds.flatMap(Self.drift)
        case .last:
            camera.lastCapture.map { "\(FileName.of($0.path)), \(Formatted.age(of: $0.savedAt, now: now))" }
        case .place: CameraFactLines.place(camera)
        case .lastSeen:
            camera.isConnected ? "now" : camera.lastSeenAt.map { Formatted.age(of: $0, now: now) }
        }
    }

    private static func drift(_ seconds: Int) -> String? {
        guard abs(seconds) >= driftSecondsShown else { return nil }
        return "\(Formatted.count(abs(seconds))) s \(seconds > 0 ? "ahead" : "behind")"
    }
}
