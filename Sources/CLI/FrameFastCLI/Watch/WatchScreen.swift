import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The live screen as a picture: what is known in, lines out.
struct WatchScreen {
    let state: WatchState
    let now: Date
    /// Which picture of the spinner; 0 where nothing moves.
    var frame = 0

    /// Cells of a card at least: two fit on 80 columns.
    static let cardCellsMin = 38
    /// Lines from which on there is space between the parts.
    static let roomyLines = 30
    /// Lines that head and hints usually take of them.
    private static let frameLines = 4
    /// Lines that photos get at least, with their head.
    static let photoLinesMin = 3
    /// The same while photos are looked for: head, what is typed, and some that fit.
    static let searchLinesMin = 7
    /// Photos that are read aloud.
    private static let plainShotsMax = 10
    /// Cells of the longest usual word of a destination's state, `Uploading`.
    private static let wordCells = 9

    private func top(_ layout: Layout) -> [Line] {
        let head = WatchHead(state: state, now: now, frame: frame)
        return head.lines(layout).map { $0.indented(layout.margin) } + gap(layout)
    }

    private func bottom(_ layout: Layout) -> [Line] {
        WatchHints.view(state, layout).lines(layout).map { $0.indented(layout.margin) }
    }

    /// The empty lines for the picture of live view, from 0.
    func pictureRows(_ layout: Layout) -> Range<Int> {
        let first = top(layout).count + WatchPages.liveHeadLines
        return first..<max(first + 1, layout.height - bottom(layout).count)
    }

    /// The picture, never larger than the place.
    func lines(_ layout: Layout) -> [Line] {
        let (top, bottom) = (top(layout), bottom(layout))
        var room = layout
        room.height = max(1, layout.height - top.count - bottom.count)
        var body = WatchPages.lines(self, room) ?? overview(room)
        if body.count > room.height {
            body =
                body.prefix(room.height - 1) + [Line("\(layout.ellipsis) make the window taller", .caption)]
        }
        body += Array(repeating: .empty, count: room.height - body.count)
        return (top + body + bottom).map { $0.cut(to: layout.width, layout) }
    }

    /// Full words, one fact a line.
    func plain() -> [String] {
        let head = WatchHead(state: state, now: now, frame: 0).plain()
        guard state.model.status != nil else { return head }
        let cards = state.model.cameras.flatMap { CameraCard.view($0, state, now: now, frame: 0).plain() }
        return head + cards
            + state.shots.prefix(Self.plainShotsMax).map {
                "shot \($0.name): \(state.model.shots.badge($0, now: now).word)"
            }
    }

    /// What is shown of the daemon's word: all of it, or what was true before. The banner says why.
    private var standing: StateView.State { state.model.offline == nil ? .normal : .offline(nil) }

    /// What of it keys can change: nothing while the daemon is away.
    var steering: StateView.State {
        WatchCommand.mode.obstacle(state).map(StateView.State.disabled) ?? .normal
    }

    // MARK: Overview

    private func overview(_ layout: Layout) -> [Line] {
        guard let status = state.model.status else {
            // While it is away, the banner has said all that is known.
            guard state.model.offline == nil else { return [] }
            return inset(
                [StateView(TextView.gap, .loading("Connecting to framefastd"), frame: frame)], layout)
        }
        let fixed =
            session(status, layout) + gap(layout) + labelled("Disk", DiskView(status.disk), layout)
            + gap(layout)
        var destinations = destinations(status, layout)
        var cameras = cards(layout)
        let photoLines = state.search == nil ? Self.photoLinesMin : Self.searchLinesMin
        let left = layout.height - fixed.count - photoLines
        if cameras.count + destinations.count > left { cameras = rows(layout) }
        if cameras.count + destinations.count > left { destinations = destinationSummary(status, layout) }
        if !destinations.isEmpty { destinations += gap(layout) }
        let above = cameras + gap(layout) + fixed + destinations
        return above
            + photos(
                layout, height: max(photoLines, layout.height - above.count),
                isOpen: !state.closed.contains(.photos))
    }

    /// Cards side by side, as many as fit.
    private func cards(_ layout: Layout) -> [Line] {
        let cameras = state.model.cameras
        guard !cameras.isEmpty else { return empty(layout) }
        guard !state.closed.contains(.cameras) else {
            return inset([state.head(of: .cameras, "Cameras", count: "\(cameras.count)")], layout)
        }
        let width = layout.width - 2 * Spacing.xs
        let columns = max(1, min(cameras.count, width / Self.cardCellsMin))
        let cell = (width - (columns - 1) * Spacing.xs) / columns
        return stride(from: 0, to: cameras.count, by: columns).flatMap { start -> [Line] in
            let row = cameras[start..<min(start + columns, cameras.count)].map { camera in
                let card = CameraCard.view(camera, state, now: now, frame: frame)
                return StateView(card, standing).lines(layout.with(width: cell))
            }
            return (0..<CameraCard.height(cameras)).map { index in
                let spans = row.map { index < $0.count ? $0[index].padded(cell).spans : [] }
                return Line(Array(spans.joined(separator: [.gap(Spacing.xs)]))).indented(Spacing.xs)
            }
        }
    }

    /// Cameras in a line each.
    private func rows(_ layout: Layout) -> [Line] {
        guard !state.model.cameras.isEmpty, !state.closed.contains(.cameras) else { return cards(layout) }
        return inset(CameraCard.rows(state, layout, now: now, frame: frame), layout)
    }

    private func empty(_ layout: Layout) -> [Line] {
        inset(
            [EmptyView("No camera yet.", nextStep: "Plug one in, or connect one with `framefast connect`.")],
            layout)
    }

    private func session(_ status: StatusReply, _ layout: Layout) -> [Line] {
        let facts: [String]
        if let session = status.session {
            facts = [
                session.name, Formatted.shots(session.shots), UploadWords.mode(session.uploadMode),
                Formatted.size(session.bytes),
            ]
        } else {
            facts = ["none", "start one with `framefast session start NAME`"]
        }
        return labelled("Session", FactsView(facts), layout)
    }

    private func destinations(_ status: StatusReply, _ layout: Layout) -> [Line] {
        guard !status.destinations.isEmpty else { return [] }
        let cells = RowView.titleCells(of: status.destinations.map(\.name.rawValue))
        let head = state.head(of: .destinations, "Destinations", count: "\(status.destinations.count)")
        guard !state.closed.contains(.destinations) else { return inset([head], layout) }
        return inset([head], layout)
            + status.destinations.flatMap { destination in
                inset([row(destination, titleCells: cells)], layout)
                    + [layout.isWide ? nil : DestinationWords.below(destination, layout)].compactMap { line in
                        line?.indented(layout.margin)
                    }
            }
    }

    private func row(_ destination: DestinationReply, titleCells: Int) -> RowView {
        let word = UploadWords.destination(destination)
        return RowView(
            BadgeView(word.tone, word.word), title: destination.name.rawValue,
            caption: DestinationWords.queue(destination).joined(separator: ", "),
            figure: destination.bytesPerSecond > 0
                ? "\(Formatted.size(destination.bytesPerSecond))/s" : nil,
            isFocused: state.focus == .destination(destination.name), wordCells: Self.wordCells,
            titleCells: titleCells, frame: frame)
    }

    private func destinationSummary(_ status: StatusReply, _ layout: Layout) -> [Line] {
        guard !status.destinations.isEmpty else { return [] }
        let statistics = UploadWords.statistics(status.uploads)
        return labelled("Uploads", FactsView(statistics.isEmpty ? ["nothing to upload"] : statistics), layout)
    }

    /// - Parameter isOpen: Whether more than the head is shown; `nil` where it always is.
    func photos(_ layout: Layout, height: Int, isOpen: Bool?) -> [Line] {
        let view = ShotListView(state: state, now: now, frame: frame, height: height, isOpen: isOpen)
        return inset([view], layout)
    }

    // MARK: Parts

    func gap(_ layout: Layout) -> [Line] {
        layout.height >= Self.roomyLines - Self.frameLines
            ? Array(repeating: .empty, count: Spacing.lgLines) : []
    }

    /// Components between the margins; dim while the daemon is away.
    func inset(_ views: [any Component], _ layout: Layout) -> [Line] {
        views.flatMap { StateView($0, standing).lines(layout) }.map { $0.indented(layout.margin) }
    }

    private func labelled(_ label: String, _ view: any Component, _ layout: Layout) -> [Line] {
        inset([LabelledView(label, view)], layout)
    }
}
