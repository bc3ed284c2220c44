@testable import TerminalUI

/// All components in all states, for the golden files.
enum Gallery {
    /// A component in one of its states.
    struct Piece: Sendable {
        /// The name of the component.
        let component: String
        /// The name of the state.
        let state: String
        let view: any Component
    }

    /// Every component in each of its states, in the order of the components.
    static let pieces: [Piece] = Sample.all.flatMap { sample in
        sample.states.map { Piece(component: sample.name, state: $0.word, view: $0.view) }
            + sample.more.map { Piece(component: sample.name, state: $0.word, view: $0.view) }
    }

    /// The names of the states that every component has.
    static let states = ["default", "focused", "disabled", "loading", "empty", "offline", "error"]

    /// Returns the components in all states, as lines for a terminal.
    static func lines(_ layout: Layout) -> [Line] {
        pieces.flatMap { piece in
            ([Line("\(piece.component) \(piece.state)", .tertiary)] + piece.view.lines(layout) + [.empty])
                .map { $0.cut(to: layout.width, layout) }
        }
    }

    /// Returns the components in all states, as plain text.
    static func plain() -> [String] {
        pieces.flatMap { piece in
            ["\(piece.component) \(piece.state)"]
                + piece.view.plain().map { Cells.padded("", Spacing.base) + $0 }
        }
    }
}

/// A component, with the contents for each state.
struct Sample: Sendable {
    let name: String
    let normal: any Component
    /// The component in focus, if it draws the focus itself.
    var focused: (any Component)?
    var disabled = "This user has no permission to control framefastd."
    var loading = "Connecting to framefastd"
    var empty = EmptyView("Nothing is here yet.", nextStep: "Connect a camera with `framefast connect`.")
    var offline = "Last known: framefastd is unavailable."
    var error = "cannot read the response from framefastd"
    var errorStep: String? = "See what is wrong with `framefast doctor`."
    /// Further variants.
    var more: [(word: String, view: any Component)] = []

    var states: [(word: String, view: any Component)] {
        let all: [StateView.State] = [
            .normal, .focused, .disabled(disabled), .loading(loading), .empty(empty),
            .offline(offline),
            .error(error, nextStep: errorStep),
        ]
        return zip(Gallery.states, all).map { word, state in
            if state == .focused, let focused { return (word, focused) }
            return (word, StateView(normal, state))
        }
    }
}
