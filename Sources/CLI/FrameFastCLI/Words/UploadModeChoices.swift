import FrameFastAPI
import Localization
import TerminalUI

/// The modes to choose from, with what is known of the destinations: whether photos get through now.
enum UploadModeChoices {
    /// - Parameter current: The mode that holds now; `nil` where none does.
    static func rows(
        _ destinations: [DestinationReply], current: SessionReply.UploadMode? = nil
    ) -> [ChoiceListView.Row] {
        SessionReply.UploadMode.all.map { mode in
            let now = mode == current ? BadgeView(.info, localized("Now")) : nil
            return .init(
                title: UploadWords.mode(mode), caption: UploadWords.meaning(mode),
                mark: mode == .realtime ? way(destinations) ?? now : now)
        }
    }

    /// What is in the way of an upload right now; `nil` when nothing is.
    private static func way(_ destinations: [DestinationReply]) -> BadgeView? {
        guard !destinations.isEmpty else { return BadgeView(.neutral, localized("No destination yet")) }
        if let tried = destinations.first(where: { $0.breaker == .halfOpen }) {
            return BadgeView(.busy, localized("Trying \(tried.name)"))
        }
        for destination in destinations {
            let state = UploadWords.destination(destination)
            guard [.danger, .warning].contains(state.tone), destination.state != .removed else { continue }
            return BadgeView(state.tone, "\(destination.name) \(state.word.lowercased())")
        }
        return nil
    }
}
