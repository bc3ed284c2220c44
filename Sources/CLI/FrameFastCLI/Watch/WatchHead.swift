import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The first lines of the live screen: which page it is and how the service is, what needs to be known, and what a
/// key did.
struct WatchHead: Component {
    let state: WatchState
    let now: Date
    /// Which picture of the spinner.
    let frame: Int

    /// Conditions that are told at once; the others are counted.
    static let conditionsMax = 2
    /// Lines of a screen from which on more than one is told, and what is only good to know.
    static let tallLines = 24
    /// Lines of a screen below which no next step is told.
    static let shortLines = 16

    func lines(_ layout: Layout) -> [Line] {
        let gap = Span.gap(Spacing.md)
        let clock = [Span(Self.clock(now), .caption)]
        let left = left(layout.with(width: layout.width - Line([gap] + clock).width), layout)
        let both = today + clock
        // How many there were today is left out rather than how the service is.
        let right = Line(left + [gap] + both).width <= layout.inner ? both : clock
        return [Line.spread(left, right, to: layout.inner, layout)]
            + banners(layout).flatMap { $0.lines(layout) }
    }

    func plain() -> [String] {
        guard state.model.offline == nil, let status = state.model.status else {
            return state.model.offline == nil
                ? ["connecting to framefastd"] : banners(Layout(width: 80)).flatMap { $0.plain() }
        }
        return StatusLine.view(status).plain()
    }

    // MARK: The line

    private func left(_ space: Layout, _ layout: Layout) -> [Span] {
        guard state.model.offline == nil else { return titled(BadgeView(.danger, "Offline"), layout) }
        guard let status = state.model.status else { return [Span(title(layout), .pageTitle)] }
        switch state.page {
        case .overview, .sheet:
            let daemon = StateWords.daemon(status.state)
            return titled(BadgeView(daemon.tone, daemon.word), layout)
        // A card hides the cameras: their state stands above it, and the card says which page it is. Conditions have
        // their banners.
        case .details, .help, .modes, .settings, .live, .confirm:
            return StatusLine.cameras(status).lines(space).first?.spans ?? []
        }
    }

    private func titled(_ badge: BadgeView, _ layout: Layout) -> [Span] {
        [Span(title(layout), .pageTitle), .gap(Spacing.md)] + badge.spans(layout, frame: frame)
    }

    /// Which page is open.
    private func title(_ layout: Layout) -> String {
        guard state.page == .sheet else { return "FrameFast" }
        return layout.isWide ? "FrameFast" + layout.dot + "Session" : "Session"
    }

    private var today: [Span] {
        guard state.model.offline == nil, let status = state.model.status,
            [.overview, .sheet].contains(state.page)
        else { return [] }
        return [
            Span("\(Formatted.count(status.captures.shotsToday)) today", .caption), .gap(Spacing.md),
        ]
    }

    /// `14:02`, in the host's zone.
    private static func clock(_ date: Date) -> String { String(Formatted.time(date).suffix(8).prefix(5)) }

    // MARK: Banners

    /// What needs to be known, worst first; while the daemon is away, only that.
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
        // What is only good to know takes the place that nothing worse needs.
        let told =
            serious + (isTall && (serious.isEmpty || layout.height >= WatchScreen.roomyLines) ? notes : [])
        let shown = told.prefix(isTall ? Self.conditionsMax : 1)
        let cells = ConditionLines.wordCells(shown)
        let views = shown.map { condition in
            let severity = StateWords.severity(condition.severity)
            return BannerView(
                severity.tone, severity.word, ConditionLines.sentence(condition, state.model.names),
                nextStep: layout.height < Self.shortLines ? nil : condition.nextStep,
                isShort: layout.height < WatchScreen.roomyLines, wordCells: cells)
        }
        let more = serious.count - shown.count { $0.severity != .info }
        return more > 0
            ? views + [BannerView(.info, "Note", "\(more) more in `framefast status`.", wordCells: cells)]
            : views
    }
}
