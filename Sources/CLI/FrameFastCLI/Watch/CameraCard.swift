import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// One camera at a glance.
enum CameraCard {
    /// Lines of a card: the box and three rows.
    static let height = 5

    /// The card: what it is, what is left, how much was shot, what comes in.
    static func view(_ camera: CameraReply, _ state: WatchState, now: Date, frame: Int) -> CardView {
        CardView(
            title: state.model.names.name(camera.name, id: camera.id), badge: badge(camera),
            rows: [facts(camera), pace(camera, state, now), last(camera, state)],
            isFocused: state.focus == .camera(camera.id), frame: frame)
    }

    /// The same in a line.
    static func row(_ camera: CameraReply, _ state: WatchState, frame: Int) -> RowView {
        RowView(
            badge(camera), title: state.model.names.name(camera.name, id: camera.id), endsMatter: true,
            caption: words(camera).joined(separator: ", "),
            figure: camera.batteryPercent.map { "\($0) %" }, isFocused: state.focus == .camera(camera.id),
            wordCells: 12, frame: frame)
    }

    static func badge(_ camera: CameraReply) -> BadgeView {
        let state = StateWords.camera(camera)
        return BadgeView(state.tone, state.word)
    }

    /// What it is and what is left; what matters most first, for narrow cards.
    private static func words(_ camera: CameraReply) -> [String] {
        var words: [String] = []
        if let battery = camera.batteryPercent { words.append("battery \(battery) %") }
        if let card = CameraFactLines.cardShort(camera) { words.append("\(card) left") }
        if let model = CameraFactLines.model(camera), model != camera.name { words.append(model) }
        if let place = CameraFactLines.place(camera) { words.append(place) }
        return words
    }

    private static func facts(_ camera: CameraReply) -> any Component {
        let words = words(camera)
        return FactsView(words.isEmpty ? ["nothing is known of it yet"] : words)
    }

    private static func pace(_ camera: CameraReply, _ state: WatchState, _ now: Date) -> any Component {
        let values = state.model.pace(of: camera, now: now)
        return SparklineView(values, caption: "\(values.last ?? 0) this minute")
    }

    /// What comes in now, what has to be done, or what came in last.
    private static func last(_ camera: CameraReply, _ state: WatchState) -> any Component {
        if let progress = camera.progress, progress.totalBytes > 0 {
            let rate = state.model.rate(of: camera)
            var caption: [String] = []
            if let speed = rate.bytesPerSecond { caption.append("\(Formatted.size(Int64(speed)))/s") }
            if let left = rate.secondsLeft(progress) { caption.append("\(left) s left") }
            if camera.pending > 1 { caption.append("\(Formatted.count(camera.pending)) more") }
            return TransferView(
                name: progress.originalName, part: progress.bytes, whole: progress.totalBytes, facts: caption)
        }
        if let guidance = camera.guidance {
            return TextView([Line(guidance.sentence, .strong)], plain: [guidance.sentence])
        }
        if camera.pending > 0 {
            let text = "\(Formatted.photos(camera.pending)) to fetch"
            return TextView([Line(text)], plain: [text])
        }
        guard let last = camera.lastCapture else {
            return TextView([Line("no photo yet", .dim)], plain: ["no photo yet"])
        }
        let name = FileName.of(last.path)
        return TextView([Line([Span("last "), Span(name, .dim)])], plain: ["last photo: \(name)"])
    }
}

/// A photo that is coming in: bar, share, speed, what is left, name.
struct TransferView: Component {
    /// Cells of the bar, where there is little space.
    private static let barCellsMin = 6

    let name: String
    let part: Int64
    let whole: Int64
    let facts: [String]

    func lines(_ layout: Layout) -> [Line] {
        let meter = MeterView(part: part, whole: whole, label: "", bands: .progress)
        let text = (["\(meter.percent) %"] + facts).joined(separator: layout.dot)
        // The bar takes a third where the statistics leave it, and the name what is left.
        let third = min(MeterView.barCellsMax, layout.inner / 3)
        let frame = layout.hasUnicode ? 1 : 3
        let bar = max(Self.barCellsMin, min(third, layout.inner - Cells.width(text) - frame))
        var spans = meter.bar(cells: bar, layout) + [Span(" ")]
        let shown = FactsView(["\(meter.percent) %"] + facts).lines(
            layout.with(width: layout.width - Line(spans).width))
        spans += shown.first?.spans ?? []
        let left = layout.inner - Line(spans).width - 2
        if left >= 8 {
            let short = Cells.cutMiddle(TerminalText.escaped(name), to: left, layout.ellipsis)
            spans.append(Span("  " + short, .dim))
        }
        return [Line(spans).cut(to: layout.inner, layout)]
    }

    func plain() -> [String] {
        let meter = MeterView(part: part, whole: whole, label: "", bands: .progress)
        return [
            "saving \(TerminalText.escaped(name)): "
                + (["\(meter.percent) percent"] + facts).joined(separator: ", ")
        ]
    }
}
