import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The header of the live screen: the page, the state of the service, conditions, and the result of the last
/// key.
struct WatchHeader {
    let state: WatchState
    let now: Date
    /// The index of the spinner's animation frame.
    let frame: Int

    /// The maximum number of visible conditions. The header shows how many further conditions are warnings or
    /// errors.
    static let conditionsMax = 2
    /// The minimum height at which the header shows more than one condition, in lines. Conditions of severity
    /// `info` need this height too, or ``roomyLines`` next to more severe conditions.
    static let tallLines = 24
    /// The minimum height at which the parts have gaps between them, in lines.
    static let roomyLines = 30
    /// The height below which the header omits next steps, in lines.
    static let shortLines = 16

    func lines(_ layout: Layout) -> [Line] {
        let gap = Span.gap(Spacing.md)
        let clock = [Span(Self.clock(now), .caption)]
        let left = left(layout.with(width: layout.width - Line([gap] + clock).width), layout)
        let both = today + clock
        // If the line is too long, omit today's count rather than the state of the service.
        let right = Line(left + [gap] + both).width <= layout.inner ? both : clock
        return [Line.spread(left, right, to: layout.inner, layout)]
            + banners(layout).flatMap { $0.lines(layout) }
    }

    // MARK: First line

    private func left(_ space: Layout, _ layout: Layout) -> [Span] {
        guard state.model.offline == nil else { return titled(BadgeView(.danger, "Offline"), layout) }
        guard let status = state.model.status else { return [Span(title(layout), .pageTitle)] }
        switch state.page {
        case .overview, .session:
            let daemon = StateWords.daemon(status.$state)
            return titled(BadgeView(daemon.tone, daemon.word), layout)
        // These pages hide the cameras, so the header shows the state of the cameras. It omits the title,
        // because these pages show their own.
        case .details, .help, .modes, .settings, .live, .confirm:
            return StatusLine.cameras(status).lines(space).first?.spans ?? []
        }
    }

    private func titled(_ badge: BadgeView, _ layout: Layout) -> [Span] {
        [Span(title(layout), .pageTitle), .gap(Spacing.md)] + badge.spans(layout, frame: frame)
    }

    /// Returns the title of the open page.
    private func title(_ layout: Layout) -> String {
        guard state.page == .session else { return "FrameFast" }
        return layout.isWide ? "FrameFast" + layout.dot + "Session" : "Session"
    }

    private var today: [Span] {
        guard state.model.offline == nil, let status = state.model.status,
            [.overview, .session].contains(state.page)
        else { return [] }
        return [
            Span("\(Formatted.count(status.captures.shotsToday)) today", .caption), .gap(Spacing.md),
        ]
    }

    /// Returns the time in the host's time zone, for example `14:02`.
    private static func clock(_ date: Date) -> String { String(Formatted.time(date).suffix(8).prefix(5)) }

    // MARK: Banners

    /// Returns the conditions, the most severe first. While the daemon is unreachable, returns an error
    /// instead. The result of the last key comes last.
    private func banners(_ layout: Layout) -> [BannerView] {
        var views: [BannerView] = []
        if let offline = state.model.offline {
            views.append(
                BannerView(
                    .danger, "Offline", ConnectScreen.sentence(offline.message), nextStep: offline.nextStep))
        } else {
            views += conditions(layout)
        }
        if let notice = state.banner(now: now) { views.append(notice) }
        return views
    }

    private func conditions(_ layout: Layout) -> [BannerView] {
        let all = state.model.status?.conditions ?? []
        let serious = all.filter { $0.severity != .info }
        let notes = all.filter { $0.severity == .info }
        let isTall = layout.height >= Self.tallLines
        // Show notes only if serious conditions leave space.
        let visibleConditions =
            serious + (isTall && (serious.isEmpty || layout.height >= Self.roomyLines) ? notes : [])
        let shown = visibleConditions.prefix(isTall ? Self.conditionsMax : 1)
        let cells = ConditionLines.wordCells(shown)
        let views = shown.map { condition in
            let severity = StateWords.severity(condition.severity)
            return BannerView(
                severity.tone, severity.word, ConditionLines.sentence(condition, state.model.names),
                nextStep: layout.height < Self.shortLines ? nil : condition.nextStep,
                isShort: layout.height < Self.roomyLines, wordCells: cells)
        }
        let more = serious.count - shown.count { $0.severity != .info }
        return more > 0
            ? views + [BannerView(.info, "Note", "\(more) more in `framefast status`.", wordCells: cells)]
            : views
    }
}
