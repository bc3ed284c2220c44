import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// Cameras as a table: one list of columns for every screen that lists them.
struct CameraColumnsView: Component {
    /// What a column can show of a camera.
    enum Column {
        case state, name, model, battery, card, listing, toFetch, exposure, clock, last, place, lastSeen
    }

    /// For `cameras`: what they are, and where.
    static let list: [Column] = [.state, .name, .model, .battery, .card, .place, .lastSeen]
    /// For `status`: what they do.
    static let atWork: [Column] = [
        .state, .name, .model, .battery, .card, .listing, .toFetch, .exposure, .clock, .last,
    ]

    /// Seconds between the clocks below which the drift is not shown: cameras show minutes.
    private static let driftSecondsShown = 5

    let cameras: [CameraReply]
    let columns: [Column]
    let now: Date

    func lines(_ layout: Layout) -> [Line] {
        guard !cameras.isEmpty else {
            return EmptyView(
                localized("No cameras."), nextStep: localized("Connect one with `framefast connect`.")
            ).lines(layout)
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
        case .state: .init(heading: localized("State"))
        case .name: .init(heading: localized("Name"))
        case .model: .init(heading: localized("Model"), cellsMin: 12, givesWay: 2)
        case .battery: .init(heading: localized("Battery"), isFigure: true, lead: localized("battery"))
        case .card: .init(heading: localized("Card"), isFigure: true)
        case .listing:
            .init(
                heading: localized("Reading card"), isFigure: true, lead: localized("reading card"),
                givesWay: 3)
        case .toFetch: .init(heading: localized("To fetch"), isFigure: true, unit: localized("to fetch"))
        case .exposure: .init(heading: localized("Exposure"), givesWay: 5)
        case .clock: .init(heading: localized("Clock"), givesWay: 3)
        case .last: .init(heading: localized("Last photo"), cellsMin: 16, givesWay: 4)
        case .place: .init(heading: localized("Where"), givesWay: 3)
        case .lastSeen: .init(heading: localized("Last seen"), lead: localized("seen"), givesWay: 4)
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
            camera.isConnected ? localized("now") : camera.lastSeenAt.map { Formatted.age(of: $0, now: now) }
        }
    }

    private static func drift(_ seconds: Int) -> String? {
        abs(seconds) >= driftSecondsShown ? Formatted.drift(seconds) : nil
    }
}
