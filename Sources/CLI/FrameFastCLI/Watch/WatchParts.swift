import FoundationEssentials
import TerminalUI

/// The data of the live screen, and the parts that the overview and the pages share.
struct WatchParts {
    let state: WatchState
    let now: Date
    /// The index of the spinner's animation frame. Always 0 without animations.
    let frame: Int

    /// The usual height of the header and the hints together, in lines.
    private static let frameLines = 4

    /// The state of views that show the daemon's data: offline while the daemon is unreachable. The banner
    /// shows the reason.
    var dataState: StateView.State { state.model.offline == nil ? .normal : .offline(nil) }

    /// The state of views that change something: disabled while the daemon is unreachable.
    var controlState: StateView.State {
        state.unavailableReason(for: .mode).map(StateView.State.disabled) ?? .normal
    }

    /// Returns the list of photos.
    ///
    /// - Parameter isOpen: Whether the list is open, or `nil` if it cannot be closed.
    func photos(_ layout: Layout, height: Int, isOpen: Bool?) -> [Line] {
        let view = ShotListView(state: state, now: now, frame: frame, height: height, isOpen: isOpen)
        return inset([view], layout)
    }

    /// Returns the empty lines between two parts. A window with few lines omits them.
    func gap(_ layout: Layout) -> [Line] {
        layout.height >= WatchHeader.roomyLines - Self.frameLines
            ? Array(repeating: .empty, count: Spacing.lgLines) : []
    }

    /// Returns components between the margins, dimmed while the daemon is unreachable.
    func inset(_ views: [any Component], _ layout: Layout) -> [Line] {
        views.flatMap { StateView($0, dataState).lines(layout) }.map { $0.indented(layout.margin) }
    }
}
