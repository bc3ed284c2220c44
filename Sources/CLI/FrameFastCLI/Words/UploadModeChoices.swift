import FrameFastAPI
import TerminalUI

/// The list of upload modes to choose from. The row for real-time upload shows whether the destinations
/// accept photos now.
enum UploadModeChoices {
    /// Returns the rows of the list.
    ///
    /// - Parameter current: The current mode, or `nil` if no mode is marked.
    static func rows(
        _ destinations: [DestinationReply], current: UploadMode? = nil
    ) -> [ChoiceListView.Row] {
        UploadMode.allCases.map { mode in
            let now = mode == current ? BadgeView(.info, "Now") : nil
            return .init(
                title: mode.title, caption: UploadWords.meaning(mode),
                mark: mode == .realtime ? blockedBadge(destinations) ?? now : now)
        }
    }

    /// Returns a badge with the reason why an upload would fail now, or `nil` if the destinations are ready.
    private static func blockedBadge(_ destinations: [DestinationReply]) -> BadgeView? {
        guard !destinations.isEmpty else { return BadgeView(.neutral, "No destination yet") }
        if let tried = destinations.first(where: { $0.breaker == .halfOpen }) {
            return BadgeView(.busy, "Testing \(tried.name)")
        }
        for destination in destinations {
            let state = UploadWords.destination(destination)
            guard [.danger, .warning].contains(state.tone), destination.state != .removed else { continue }
            return BadgeView(state.tone, "\(destination.name) \(state.word.lowercased())")
        }
        return nil
    }
}
