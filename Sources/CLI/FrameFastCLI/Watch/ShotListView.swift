import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The photos on the live screen: the newest, or those around the focus.
struct ShotListView: Component {
    let state: WatchState
    let now: Date
    let frame: Int
    /// Lines that it may take, its head included.
    let height: Int
    /// Whether more than the head is shown; `nil` where it always is.
    let isOpen: Bool?

    func lines(_ layout: Layout) -> [Line] {
        let shots = state.shots
        let head = SectionView(
            "Photos", count: count(shots.count), isOpen: isOpen, note: note,
            isFocused: state.focus == .part(.photos))
        guard isOpen != false else { return head.lines(layout) }
        let top = head.lines(layout) + (input?.lines(layout) ?? [])
        guard !shots.isEmpty else { return top + empty.lines(layout) }
        let space = max(1, height - top.count)
        let focused = shots.firstIndex { state.focus == .photo($0.id) } ?? 0
        let start = min(max(0, focused - space / 2), max(0, shots.count - space))
        let labels = state.model.cameras.count > 1 ? state.model.names : nil
        return top
            + shots[start..<min(start + space, shots.count)].flatMap { row($0, labels).lines(layout) }
    }

    func plain() -> [String] { state.shots.prefix(10).flatMap { row($0, nil).plain() } }

    private func row(_ shot: WatchShots.Shot, _ labels: CameraLabels?) -> CaptureRowView {
        CaptureRowView(
            state.model.shots.badge(shot, now: now), name: shot.name, size: Formatted.size(shot.size),
            age: Formatted.age(of: shot.date, now: now),
            camera: shot.captures.first.flatMap { labels?.name($0.cameraName, id: $0.cameraID) },
            isFocused: state.focus == .photo(shot.id), frame: frame)
    }

    private func count(_ listed: Int) -> String {
        let all = state.model.shots.all.count
        if state.search != nil { return "\(Formatted.count(listed)) of \(Formatted.count(all))" }
        if state.filter != .all { return "\(Formatted.count(listed)) \(state.filter.word)" }
        return hasOlder ? "newest \(Formatted.count(listed))" : Formatted.count(listed)
    }

    private var hasOlder: Bool {
        switch state.model.shots.older {
        case .from, .asked, .tooMany: true
        case .unknown, .none: false
        }
    }

    private var note: String? {
        switch state.model.shots.older {
        case .asked: "asking for older ones"
        case .tooMany: "older: `framefast captures`"
        case .unknown, .from, .none: nil
        }
    }

    private var input: InputView? {
        state.search.map {
            InputView(
                text: $0.text, example: "a name, a camera, or a state such as failed", sign: "/",
                isTyping: $0.isTyping)
        }
    }

    private var empty: EmptyView {
        guard state.model.isFilled else { return EmptyView("Asking for the newest photos.") }
        if state.search != nil {
            return EmptyView(
                "No photo fits.",
                nextStep: hasOlder ? "Down asks for older ones, Esc shows all." : "Esc shows all.")
        }
        return state.filter == .all
            ? EmptyView("No photos yet.", nextStep: "Take one: it appears here as soon as it is safe.")
            : EmptyView("None.", nextStep: "f shows others.")
    }
}

extension WatchState {
    /// The head of a part that can be closed.
    func head(of part: Part, _ title: String, count: String) -> SectionView {
        SectionView(title, count: count, isOpen: !closed.contains(part), isFocused: focus == .part(part))
    }
}
