import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The card of a camera on the live screen.
enum CameraCard {
    /// Returns the height of a card, in lines: the box, three rows, and a fourth row if any camera reports
    /// its exposure.
    static func height(_ cameras: [CameraReply]) -> Int { hasExposure(cameras) ? 6 : 5 }
    private static func hasExposure(_ cameras: [CameraReply]) -> Bool {
        cameras.contains { $0.exposure != nil }
    }
    /// The width of the longest usual word for a camera's state, `Reconnecting`, in cells.
    private static let wordCells = 12

    /// Returns the card of a camera: its facts, its exposure, its shots a minute, and its current or last
    /// transfer.
    static func view(_ camera: CameraReply, _ state: WatchState, now: Date, frame: Int) -> CardView {
        CardView(
            title: state.model.names.name(camera.name, id: camera.id), badge: badge(camera),
            rows: [facts(camera, now)] + exposure(camera, state)
                + [pace(camera, state, now), activity(camera, state, now)],
            isFocused: state.focus == .camera(camera.id), frame: frame)
    }

    /// Returns a row for each camera, for screens without space for cards.
    static func rows(_ state: WatchState, _ layout: Layout, now: Date, frame: Int) -> [RowView] {
        let titles = state.model.cameras.map { state.model.names.name($0.name, id: $0.id) }
        let cells = RowView.titleCells(of: titles)
        return zip(state.model.cameras, titles).map { camera, title in
            row(camera, title, cells, state, isWide: layout.isWide, now: now, frame: frame)
        }
    }

    private static func row(
        _ camera: CameraReply, _ title: String, _ titleCells: Int, _ state: WatchState, isWide: Bool,
        now: Date, frame: Int
    ) -> RowView {
        RowView(
            badge(camera), title: title, truncatesTitleInMiddle: true,
            caption: ([OperationView.summary(camera, at: now), camera.exposure?.text].compactMap(\.self)
                + secondaryFacts(camera))
                .joined(separator: ", "),
            figure: isWide ? battery(camera) : camera.batteryPercent.map { "\($0) %" },
            isFocused: state.focus == .camera(camera.id),
            wordCells: wordCells, titleCells: titleCells, frame: frame)
    }

    static func badge(_ camera: CameraReply) -> BadgeView {
        let state = StateWords.camera(camera)
        return BadgeView(state.tone, state.word)
    }

    /// Returns the facts about a camera, most important first. Narrow cards omit the last facts.
    private static func words(_ camera: CameraReply, _ now: Date) -> [String] {
        [OperationView.summary(camera, at: now), battery(camera)].compactMap(\.self) + secondaryFacts(camera)
    }

    private static func battery(_ camera: CameraReply) -> String? {
        camera.batteryPercent.map { "battery \($0) %" }
    }

    /// Returns the space left on the memory card, the model and the address of a camera.
    private static func secondaryFacts(_ camera: CameraReply) -> [String] {
        var words: [String] = []
        if let card = CameraFactLines.cardShort(camera) { words.append("\(card) left") }
        if let model = CameraFactLines.model(camera), model != camera.name { words.append(model) }
        if let place = CameraFactLines.place(camera) { words.append(place) }
        return words
    }

    private static func facts(_ camera: CameraReply, _ now: Date) -> any Component {
        let words = words(camera, now)
        return FactsView(words.isEmpty ? ["no details yet"] : words)
    }

    /// Returns a row with the exposure if any camera reports an exposure. The row can be empty, because all
    /// cards must have the same height.
    private static func exposure(_ camera: CameraReply, _ state: WatchState) -> [any Component] {
        guard hasExposure(state.model.cameras) else { return [] }
        return [FactsView([camera.exposure?.text ?? ""])]
    }

    private static func pace(_ camera: CameraReply, _ state: WatchState, _ now: Date) -> any Component {
        let values = state.model.pace(of: camera, now: now)
        return SparklineView(values, caption: "\(values.last ?? 0) this minute")
    }

    /// Returns the first of these that exists: the running transfer, the required action, the progress of
    /// reading the card, the number of photos to fetch, or the last photo.
    private static func activity(_ camera: CameraReply, _ state: WatchState, _ now: Date) -> any Component {
        if let progress = camera.progress, progress.totalBytes > 0 {
            let rate = state.model.rate(of: camera)
            var caption: [String] = []
            if let speed = rate.bytesPerSecond(at: now) {
                caption.append("\(Formatted.size(Int64(speed)))/s")
            }
            if let left = rate.secondsLeft(progress, at: now) { caption.append("\(left) s left") }
            if camera.pending > 1 { caption.append("\(Formatted.count(camera.pending)) more") }
            return TransferView(
                name: progress.originalName, part: progress.bytes, whole: progress.totalBytes, facts: caption)
        }
        if let guidance = camera.guidance {
            return TextView([Line(guidance.sentence, .emphasised)], plain: [guidance.sentence])
        }
        if let listing = CameraFactLines.listing(camera) {
            return TextView([Line(listing)], plain: [listing])
        }
        if camera.pending > 0 {
            let text = "\(Formatted.photos(camera.pending)) to fetch"
            return TextView([Line(text)], plain: [text])
        }
        guard let last = camera.lastCapture else {
            return TextView([Line("no photo yet", .caption)], plain: ["no photo yet"])
        }
        return LastPhotoView(name: FileName.of(last.path), age: Formatted.age(of: last.savedAt, now: now))
    }
}

/// The name and the age of a camera's last photo. The age is at the end of the line.
struct LastPhotoView: Component {
    let name: String
    let age: String

    func lines(_ layout: Layout) -> [Line] {
        let (head, tail) = ([Span("last"), .gap(Spacing.xs)], [Span(age, .caption)])
        let space = layout.inner - Line(head + tail).width - Spacing.md
        let short = Cells.cutMiddle(TerminalText.escaped(name), to: max(1, space), layout.ellipsis)
        return [Line.spread(head + [Span(short, .caption)], tail, to: layout.inner, layout)]
    }

    func plain() -> [String] { ["last photo: \(TerminalText.escaped(name)), \(age)"] }
}

/// A running transfer: a bar, the percentage, facts such as the speed, and the name of the photo.
struct TransferView: Component {
    /// The minimum width of the bar, in cells.
    private static let barCellsMin = 6
    /// The minimum width of the name, in cells. A shorter name is not useful.
    private static let nameCellsMin = 8

    let name: String
    let part: Int64
    let whole: Int64
    let facts: [String]

    func lines(_ layout: Layout) -> [Line] {
        let meter = MeterView(part: part, whole: whole, label: "", bands: .progress)
        let text = (["\(meter.percent) %"] + facts).joined(separator: layout.dot)
        // The bar fills at most a third of the line. The name fills the space after the facts.
        let third = min(MeterView.barCellsMax, layout.inner / 3)
        let frame = layout.hasUnicode ? 1 : 3
        let bar = max(Self.barCellsMin, min(third, layout.inner - Cells.width(text) - frame))
        var spans = meter.bar(cells: bar, layout) + [.gap(Spacing.xs)]
        let shown = FactsView(["\(meter.percent) %"] + facts).lines(
            layout.with(width: layout.width - Line(spans).width))
        spans += shown.first?.spans ?? []
        let left = layout.inner - Line(spans).width - Spacing.md
        if left >= Self.nameCellsMin {
            let short = Cells.cutMiddle(TerminalText.escaped(name), to: left, layout.ellipsis)
            spans += [.gap(Spacing.md), Span(short, .caption)]
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
