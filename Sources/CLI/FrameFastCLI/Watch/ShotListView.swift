import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The list of photos on the live screen: the newest photos, or the photos around the focus.
struct ShotListView: Component {
    let state: WatchState
    let now: Date
    let frame: Int
    /// The largest height, including the head, in lines.
    let height: Int
    /// Whether the list is open, or `nil` if it cannot be closed.
    let isOpen: Bool?

    func lines(_ layout: Layout) -> [Line] {
        let shots = state.shots
        let head = SectionView(
            "Photos", count: state.model.isListed ? count(shots.count) : nil,
            label: state.filter == .all ? nil : state.filter.word,
            isOpen: isOpen, note: note, action: action, isFocused: state.focus == .part(.photos))
        guard isOpen != false else { return head.lines(layout) }
        let top = head.lines(layout) + (input?.lines(layout) ?? [])
        let space = max(1, height - top.count)
        return top
            + StateView(ShotRowsView(rows: rows(shots, space)), condition(shots), frame: frame).lines(layout)
    }

    /// Returns the rows around the focus that fit into the space.
    private func rows(_ shots: [WatchShots.Shot], _ space: Int) -> [CaptureRowView] {
        let focused = shots.firstIndex { state.focus == .photo($0.id) } ?? 0
        let start = min(max(0, focused - space / 2), max(0, shots.count - space))
        let shown = shots[start..<min(start + space, shots.count)]
        let labels = state.model.cameras.count > 1 ? state.model.names : nil
        let cells = RowView.titleCells(of: shown.map(\.name))
        return shown.map { row($0, labels, nameCells: cells) }
    }

    /// Returns whether the list is loading, failed, empty or normal.
    private func condition(_ shots: [WatchShots.Shot]) -> StateView.State {
        if let failure = state.model.listFailure {
            let sentence = "The photos cannot be listed: \(failure.message)."
            return .error(sentence, nextStep: "Press Ctrl-L to try again.")
        }
        guard state.model.isListed else { return .loading("Loading the newest photos") }
        return shots.isEmpty ? .empty(empty) : .normal
    }

    func plain() -> [String] { rows(state.shots, height).flatMap { $0.plain() } }

    private func row(
        _ shot: WatchShots.Shot, _ labels: CameraLabels?, nameCells: Int
    ) -> CaptureRowView {
        CaptureRowView(
            state.model.shots.badge(shot, now: now), name: shot.name, size: Formatted.size(shot.size),
            age: Formatted.age(of: shot.date, now: now),
            camera: shot.captures.first.flatMap { labels?.name($0.cameraName, id: $0.cameraID) },
            nameCells: nameCells, isFocused: state.focus == .photo(shot.id), frame: frame)
    }

    private func count(_ listed: Int) -> String {
        let all = state.model.shots.all.count
        if state.search != nil { return "\(Formatted.count(listed)) of \(Formatted.count(all))" }
        return hasOlder && state.filter == .all
            ? "newest \(Formatted.count(listed))" : Formatted.count(listed)
    }

    private var hasOlder: Bool {
        switch state.model.shots.olderPages {
        case .available, .requested, .tooMany: true
        case .unknown, .none: false
        }
    }

    private var note: String? {
        if case .requested = state.model.shots.olderPages { "loading older photos" } else { nil }
    }

    /// A hint at the command that lists older photos, or `nil` until this list has reached its maximum.
    private var action: String? {
        state.model.shots.olderPages == .tooMany ? "older: `framefast captures`" : nil
    }

    private var input: InputView? {
        state.search.map {
            InputView(
                text: $0.text, example: "a name, a camera, or a state such as failed", sign: "/",
                isTyping: $0.isTyping)
        }
    }

    private var empty: EmptyView {
        if state.search != nil {
            return EmptyView(
                "No photo matches.",
                nextStep: hasOlder
                    ? "Down loads older photos, Esc shows all photos." : "Esc shows all photos.")
        }
        return state.filter == .all
            ? EmptyView("No photos yet.", nextStep: "Take a photo. It appears here when it is saved.")
            : EmptyView(
                "No photo matches the filter: \(state.filter.word).", nextStep: "f changes the filter.")
    }
}

/// A list of photo rows, from top to bottom.
struct ShotRowsView: Component {
    let rows: [CaptureRowView]

    func lines(_ layout: Layout) -> [Line] { rows.flatMap { $0.lines(layout) } }
    func plain() -> [String] { rows.flatMap { $0.plain() } }
}

extension WatchState {
    /// Returns the head of a part that can be closed.
    func head(of part: Part, _ title: String, count: String) -> SectionView {
        SectionView(title, count: count, isOpen: !closed.contains(part), isFocused: focus == .part(part))
    }
}
