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
    /// Conditions that are told at once; the others are counted.
    static let conditionsMax = 2
    /// Lines that photos get at least, with their head.
    static let photoLinesMin = 3
    /// The same while photos are looked for: head, what is typed, and some that fit.
    static let searchLinesMin = 7

    /// The picture, never larger than the place.
    func lines(_ layout: Layout) -> [Line] {
        let top = head(layout)
        let bottom = [hints(layout)]
        var room = layout
        room.height = max(1, layout.height - top.count - bottom.count)
        var body = WatchPages.lines(self, room) ?? overview(room)
        if body.count > room.height {
            body = body.prefix(room.height - 1) + [Line("\(layout.ellipsis) make the window taller", .dim)]
        }
        body += Array(repeating: .empty, count: room.height - body.count)
        return (top + body + bottom).map { $0.cut(to: layout.width, layout) }
    }

    /// Full words, one fact a line.
    func plain() -> [String] {
        guard let status = state.model.status else { return ["asking framefastd"] }
        return StatusLine.view(status).plain()
            + state.model.cameras.flatMap {
                CameraCard.view($0, state, now: now, frame: 0).plain()
            }
            + state.shots.prefix(10).map {
                "shot \($0.name): \(state.model.shots.badge($0, now: now).word)"
            }
    }

    // MARK: Above everything

    private func head(_ layout: Layout) -> [Line] {
        var left = [Span("FrameFast", .strong)]
        var right = [Span(Self.clock(now), .dim)]
        if state.model.offline != nil {
            left += [Span("  ")] + BadgeView(.danger, "Offline").spans(layout)
        } else if let status = state.model.status {
            let daemon = StateWords.daemon(status.state)
            left += [Span("  ")] + BadgeView(daemon.tone, daemon.word).spans(layout, frame: frame)
            right.insert(Span("\(Formatted.count(status.captures.shotsToday)) today  ", .dim), at: 0)
        }
        let line = Line.spread(left, right, to: layout.inner, layout)
        return [line.indented(layout.margin)] + banners(layout) + gap(layout)
    }

    /// What needs to be known, worst first; while the daemon is away, only that.
    private func banners(_ layout: Layout) -> [Line] {
        var views: [BannerView] = []
        if let offline = state.model.offline {
            views.append(
                BannerView(
                    .danger, "Offline", ConnectScreen.sentence(offline.message), nextStep: offline.nextStep))
        } else {
            let conditions = state.model.status?.conditions.filter { $0.severity != .info } ?? []
            let shown = layout.height < 24 ? 1 : Self.conditionsMax
            views += conditions.prefix(shown).map { condition in
                let severity = StateWords.severity(condition.severity)
                return BannerView(
                    severity.tone, severity.word, ConditionLines.sentence(condition, state.model.names),
                    nextStep: layout.height < 16 ? nil : condition.nextStep,
                    isShort: layout.height < Self.roomyLines)
            }
            if conditions.count > shown {
                views.append(
                    BannerView(.info, "Note", "\(conditions.count - shown) more in `framefast status`."))
            }
        }
        if let notice = state.banner(now: now) { views.append(notice) }
        return views.flatMap { $0.lines(layout) }.map { $0.indented(layout.margin) }
    }

    // MARK: Overview

    private func overview(_ layout: Layout) -> [Line] {
        guard let status = state.model.status else {
            // While it is away, the banner has said all that is known.
            return state.model.offline == nil
                ? inset([BusyView(text: "Asking framefastd", frame: frame)], layout) : []
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
        let above = cameras + gap(layout) + fixed + destinations + gap(layout)
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
        let width = layout.width - 2
        let columns = max(1, min(cameras.count, width / Self.cardCellsMin))
        let cell = (width - (columns - 1)) / columns
        return stride(from: 0, to: cameras.count, by: columns).flatMap { start -> [Line] in
            let row = cameras[start..<min(start + columns, cameras.count)].map { camera in
                let card = CameraCard.view(camera, state, now: now, frame: frame)
                return offlineDimmed(card.lines(layout.with(width: cell)))
            }
            return (0..<CameraCard.height).map { index in
                let spans = row.map { index < $0.count ? $0[index].padded(cell).spans : [] }
                return Line(spans.joined(separator: [Span(" ")]).map { $0 }).indented(1)
            }
        }
    }

    /// Cameras in a line each.
    private func rows(_ layout: Layout) -> [Line] {
        guard !state.model.cameras.isEmpty, !state.closed.contains(.cameras) else { return cards(layout) }
        return inset(state.model.cameras.map { CameraCard.row($0, state, frame: frame) }, layout)
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
        let rows = status.destinations.map { destination -> RowView in
            let word = UploadWords.destination(destination)
            return RowView(
                BadgeView(word.tone, word.word), title: destination.name,
                caption: DestinationWords.queue(destination).joined(separator: ", "),
                figure: destination.bytesPerSecond > 0
                    ? "\(Formatted.size(destination.bytesPerSecond))/s" : nil,
                isFocused: state.focus == .destination(destination.name), wordCells: 9, frame: frame)
        }
        let narrow =
            layout.isWide
            ? rows.map { $0.lines(layout) }
            : zip(rows, status.destinations).map { row, destination in
                row.lines(layout) + [DestinationWords.below(destination, layout)].compactMap { $0 }
            }
        let head = inset([state.head(of: .destinations, "Destinations", count: "\(rows.count)")], layout)
        guard !state.closed.contains(.destinations) else { return head }
        return head
            + offlineDimmed(narrow.joined().map { $0.indented(layout.margin) })
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

    private func hints(_ layout: Layout) -> Line {
        let back = KeyHintsView.Hint("Esc", "back", isPrimary: true)
        let commands = { (all: [WatchCommand]) in all.map { $0.hint(state, layout) } }
        let isSearching = state.search?.isTyping == true
        let keys: [KeyHintsView.Hint] =
            switch state.page {
            case .overview where isSearching, .sheet where isSearching:
                [.init("Enter", "keep", isPrimary: true), .init("Esc", "end", isPrimary: true)]
                    + commands([.move])
            case .confirm: [.init("y", "yes"), .init("n", "no", isPrimary: true)]
            case .modes:
                [
                    .init(layout.arrows, "choose"), .init("Enter", "switch", isPrimary: true),
                    .init("Esc", "back"),
                ]
            case .help, .details: [back]
            case .sheet: [back] + commands([.move, .search, .filter, .quit])
            case .overview:
                [WatchCommand.shoot, .pause].map { $0.hint(state, layout, isPrimary: true) }
                    + commands([.help, .quit, .session, .mode, .retry, .search, .filter, .move])
            }
        return KeyHintsView(hints: keys).line(layout).indented(layout.margin)
    }

    func gap(_ layout: Layout) -> [Line] {
        layout.height >= Self.roomyLines - 4 ? Array(repeating: .empty, count: Spacing.lgLines) : []
    }

    /// Components between the margins; dim while the daemon is away.
    func inset(_ views: [any Component], _ layout: Layout) -> [Line] {
        offlineDimmed(views.flatMap { $0.lines(layout) }).map { $0.indented(layout.margin) }
    }

    private func labelled(_ label: String, _ view: any Component, _ layout: Layout) -> [Line] {
        inset([LabelledView(label, view)], layout)
    }

    /// What was true before is weaker; the banner above says why.
    private func offlineDimmed(_ lines: [Line]) -> [Line] {
        state.model.offline == nil ? lines : lines.map { Line($0.spans.map { Span($0.text, .dim) }) }
    }

    /// `14:02`, in the host's zone.
    private static func clock(_ date: Date) -> String { String(Formatted.time(date).suffix(8).prefix(5)) }
}
