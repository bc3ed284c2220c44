/// Every component in every state: what `framefast design` shows, and what the goldens are made of.
public enum Gallery {
    /// One picture.
    public struct Piece: Sendable {
        /// The component's name.
        public let component: String
        /// Its state.
        public let state: String
        /// What is drawn.
        public let view: any Component
    }

    /// All pictures, by component.
    public static let pieces: [Piece] = Sample.all.flatMap { sample in
        sample.states.map { Piece(component: sample.name, state: $0.word, view: $0.view) }
            + sample.more.map { Piece(component: sample.name, state: $0.word, view: $0.view) }
    }

    /// The words of the states that every component has.
    public static let states = ["default", "focused", "disabled", "loading", "empty", "offline", "error"]

    /// The pictures as lines for a terminal.
    public static func lines(_ layout: Layout, component: String? = nil) -> [Line] {
        pieces.filter { component == nil || $0.component == component }.flatMap { piece in
            ([Line("\(piece.component) \(piece.state)", .tertiary)] + piece.view.lines(layout) + [.empty])
                .map { $0.cut(to: layout.width, layout) }
        }
    }

    /// The pictures in full words.
    public static func plain(component: String? = nil) -> [String] {
        pieces.filter { component == nil || $0.component == component }.flatMap { piece in
            ["\(piece.component) \(piece.state)"]
                + piece.view.plain().map { Cells.padded("", Spacing.base) + $0 }
        }
    }
}

/// A component with what it shows in each state.
struct Sample: Sendable {
    let name: String
    let normal: any Component
    /// Where the component has a focus of its own.
    var focused: (any Component)?
    var disabled = "framefastd may not be steered by this user."
    var loading = "Connecting to framefastd"
    var empty = EmptyView("Nothing is here yet.", nextStep: "Connect a camera with `framefast connect`.")
    var offline = "Last known: framefastd is away."
    var error = "cannot read the answer of framefastd"
    var errorStep: String? = "See what is wrong with `framefast doctor`."
    /// What else it can look like.
    var more: [(word: String, view: any Component)] = []

    var states: [(word: String, view: any Component)] {
        let all: [StateView.State] = [
            .normal, .focused, .disabled(disabled), .loading(loading), .empty(empty),
            .offline(offline),
            .error(error, nextStep: errorStep),
        ]
        return all.map { state in
            if state == .focused, let focused { return (state.word, focused) }
            return (state.word, StateView(normal, state))
        }
    }
}
