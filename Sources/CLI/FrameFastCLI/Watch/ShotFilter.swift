import FrameFastAPI
import Localization

/// Which shots are listed.
enum ShotFilter: String, CaseIterable {
    case all, open, failed

    /// What is listed, in words.
    var word: String {
        switch self {
        case .all: localized("all")
        case .open: localized("not delivered")
        case .failed: localized("failed or retrying")
        }
    }

    var next: ShotFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func takes(_ shot: WatchShots.Shot) -> Bool {
        switch self {
        case .all: true
        case .open: ![.delivered, .cleared].contains(shot.state)
        case .failed: [.uploadFailed, .retrying, .damaged].contains(shot.state)
        }
    }
}

/// What is typed behind `/`: each word is looked for in the names of files, of the camera, and in the state.
struct ShotSearch: Equatable {
    /// Letters that are taken in.
    static let lengthMax = 80

    var text = ""
    /// Whether keys still go to it.
    var isTyping = true

    private var words: [String] { text.lowercased().split(separator: " ").map(String.init) }

    func takes(_ shot: WatchShots.Shot, _ labels: CameraLabels) -> Bool {
        let words = words
        guard !words.isEmpty else { return true }
        let files = shot.captures.flatMap { [$0.originalName, FileName.of($0.path ?? "")] }
        let cameras = shot.captures.prefix(1).map { labels.name($0.cameraName, id: $0.cameraID) }
        let facts = (files + cameras + [StateWords.capture(shot.state).word]).map { $0.lowercased() }
        return words.allSatisfy { word in facts.contains { $0.contains(word) } }
    }
}
