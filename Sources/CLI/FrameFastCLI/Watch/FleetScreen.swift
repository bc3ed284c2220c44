import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The live screen of a fleet as a picture: a card for each computer; where they do not fit, a table.
struct FleetScreen {
    /// What is known; `nil` before the first word.
    var fleet: FleetReply?
    /// Why this computer's service says nothing; `nil` while it does.
    var offline: Explanation?
    var now = Date()

    private var badge: BadgeView {
        guard let fleet else { return BadgeView(.busy, localized("Connecting")) }
        guard offline == nil else { return BadgeView(.warning, localized("Away")) }
        let troubles = FleetTroublesView.troubles(of: fleet, at: now)
        return troubles.isEmpty
            ? BadgeView(.success, localized("Fine"))
            : BadgeView(.warning, localized("\(troubles.count) to look at"))
    }

    private var top: [any Component] {
        let away =
            offline.map { $0.message } ?? fleet.flatMap { FleetTroublesView.broker(of: $0, at: now) }
        return [HeadView(localized("Fleet"), badge)]
            + (away.map { [BannerView(.warning, localized("Away"), $0)] as [any Component] } ?? [])
    }

    private var body: [any Component] {
        guard let fleet else { return [] }
        guard !fleet.hosts.isEmpty else {
            return [EmptyView(localized("No computer has said anything yet."))]
        }
        return [CardGridView(fleet.hosts.map(card))]
    }

    /// The picture, never larger than the place.
    func lines(_ layout: Layout) -> [Line] {
        let head = top.flatMap { $0.lines(layout) }.map { $0.indented(layout.margin) } + [.empty]
        let hints = KeyHintsView(hints: [.init("q", localized("leave"))]).lines(layout).map {
            $0.indented(layout.margin)
        }
        let height = max(1, layout.height - head.count - hints.count)
        // Cards stand at their own margin.
        let isEmpty = fleet?.hosts.isEmpty == true
        var middle = body.flatMap { $0.lines(layout) }.map { isEmpty ? $0.indented(layout.margin) : $0 }
        if middle.count > height, let fleet {
            let table = FleetView(fleet: fleet, json: Data(), now: now)
            middle = table.parts.flatMap { $0.lines(layout) }.map { $0.indented(layout.margin) }
        }
        if middle.count > height {
            middle =
                middle.prefix(height - 1) + [
                    Line(localized("\(layout.ellipsis) make the window taller"), .caption)
                ]
        }
        middle += Array(repeating: .empty, count: max(0, height - middle.count))
        return (head + middle + hints).map { $0.cut(to: layout.width, layout) }
    }

    private func card(_ host: FleetHostReply) -> CardView {
        let (word, tone) = StateWords.host(host)
        guard let status = host.status else {
            return CardView(
                title: host.name.rawValue, badge: BadgeView(tone, word),
                rows: [FactsView([localized("has said nothing yet")])])
        }
        let heard =
            host.isSelf ? nil : host.heardAt.map { localized("heard \(Formatted.age(of: $0, now: now))") }
        let clock = FleetView.clock(status.clock)
        let last = status.conditions.first?.sentence ?? (clock.isEmpty ? "" : localized("clock \(clock)"))
        return CardView(
            title: host.name.rawValue, badge: BadgeView(tone, word),
            rows: [
                FactsView(
                    [localized("\(status.camerasReady) of \(status.cameras) cameras"), status.sessionName]
                        .compactMap(
                            \.self)
                ),
                FactsView([
                    Formatted.shots(status.shots),
                    localized("\(Formatted.count(status.uploadsWaiting)) uploads waiting"),
                ]),
                FactsView(
                    [localized("\(Formatted.size(status.diskFreeBytes)) free"), heard].compactMap(\.self)),
                TextView([Line(last, .caption)], plain: [TerminalText.escaped(last)]),
            ])
    }

    /// Full words, one fact a line.
    func plain() -> [String] { (top + body).flatMap { $0.plain() } }
}
