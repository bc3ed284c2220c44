import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The live screen, drawn as lines of a terminal.
struct WatchScreen {
    let state: WatchState
    let now: Date
    /// The index of the spinner's animation frame. Always 0 without animations.
    var frame = 0

    private var parts: WatchParts { WatchParts(state: state, now: now, frame: frame) }

    /// The minimum width of a card, in cells. Two cards fit into 80 columns.
    static let cardCellsMin = 38
    /// The minimum height of the list of photos with its heading, in lines.
    static let photoLinesMin = 3
    /// The minimum height of the list during a search, in lines: the heading, the search text, and some
    /// photos.
    static let searchLinesMin = 7
    /// The width of `Uploading`, the longest usual word for a destination's state, in cells.
    private static let wordCells = 9

    private func top(_ layout: Layout) -> [Line] {
        let head = WatchHeader(state: state, now: now, frame: frame)
        return head.lines(layout).map { $0.indented(layout.margin) } + parts.gap(layout)
    }

    private func bottom(_ layout: Layout) -> [Line] {
        WatchHints.view(state, layout).lines(layout).map { $0.indented(layout.margin) }
    }

    /// Returns the range of screen lines for the frame of live view. Line 0 is the top of the screen.
    func pictureRows(_ layout: Layout) -> Range<Int> {
        let first = top(layout).count + WatchPages.liveHeadLines
        return first..<max(first + 1, layout.height - bottom(layout).count)
    }

    /// Returns the lines of the screen, which always fit into the layout.
    func lines(_ layout: Layout) -> [Line] {
        let (top, bottom) = (top(layout), bottom(layout))
        var area = layout
        area.height = max(1, layout.height - top.count - bottom.count)
        var body = WatchPages.lines(parts, area) ?? overview(area)
        if body.count > area.height {
            body =
                body.prefix(area.height - 1) + [Line("\(layout.ellipsis) make the window taller", .caption)]
        }
        body += Array(repeating: .empty, count: area.height - body.count)
        return (top + body + bottom).map { $0.cut(to: layout.width, layout) }
    }

    // MARK: Overview

    private func overview(_ layout: Layout) -> [Line] {
        guard let status = state.model.status else {
            // While the daemon is unreachable, show only the banner.
            guard state.model.offline == nil else { return [] }
            return parts.inset(
                [StateView(TextView.gap, .loading("Connecting to framefastd"), frame: frame)], layout)
        }
        let fixed =
            session(status, layout) + parts.gap(layout) + labelled("Disk", DiskView(status.disk), layout)
            + parts.gap(layout)
        var destinations = destinations(status, layout)
        var cameras = cards(layout)
        let photoLines = state.search == nil ? Self.photoLinesMin : Self.searchLinesMin
        let left = layout.height - fixed.count - photoLines
        if cameras.count + destinations.count > left { cameras = rows(layout) }
        if cameras.count + destinations.count > left { destinations = destinationSummary(status, layout) }
        if !destinations.isEmpty { destinations += parts.gap(layout) }
        let above = cameras + parts.gap(layout) + fixed + destinations
        return above
            + parts.photos(
                layout, height: max(photoLines, layout.height - above.count),
                isOpen: !state.closed.contains(.photos))
    }

    /// Returns the cameras as cards, with as many in a row as fit.
    private func cards(_ layout: Layout) -> [Line] {
        let cameras = state.model.cameras
        guard !cameras.isEmpty else { return empty(layout) }
        guard !state.closed.contains(.cameras) else {
            return parts.inset([state.head(of: .cameras, "Cameras", count: "\(cameras.count)")], layout)
        }
        let width = layout.width - 2 * Spacing.xs
        let columns = max(1, min(cameras.count, width / Self.cardCellsMin))
        let cell = (width - (columns - 1) * Spacing.xs) / columns
        return stride(from: 0, to: cameras.count, by: columns).flatMap { start -> [Line] in
            let row = cameras[start..<min(start + columns, cameras.count)].map { camera in
                let card = CameraCard.view(camera, state, now: now, frame: frame)
                return StateView(card, parts.dataState).lines(layout.with(width: cell))
            }
            return (0..<CameraCard.height(cameras)).map { index in
                let spans = row.map { index < $0.count ? $0[index].padded(cell).spans : [] }
                return Line(Array(spans.joined(separator: [.gap(Spacing.xs)]))).indented(Spacing.xs)
            }
        }
    }

    /// Returns the cameras as rows, one line each.
    private func rows(_ layout: Layout) -> [Line] {
        guard !state.model.cameras.isEmpty, !state.closed.contains(.cameras) else { return cards(layout) }
        return parts.inset(CameraCard.rows(state, layout, now: now, frame: frame), layout)
    }

    private func empty(_ layout: Layout) -> [Line] {
        parts.inset(
            [EmptyView("No camera yet.", nextStep: "Plug in a camera, or run `framefast connect`.")],
            layout)
    }

    private func session(_ status: StatusReply, _ layout: Layout) -> [Line] {
        let facts: [String]
        if let session = status.session {
            facts = [
                session.name, Formatted.shots(session.shots), UploadWords.mode(session.$uploadMode),
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
        guard !state.closed.contains(.destinations) else { return parts.inset([head], layout) }
        return parts.inset([head], layout)
            + status.destinations.flatMap { destination in
                parts.inset([row(destination, titleCells: cells)], layout)
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

    private func labelled(_ label: String, _ view: any Component, _ layout: Layout) -> [Line] {
        parts.inset([LabelledView(label, view)], layout)
    }
}
