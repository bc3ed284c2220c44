import FrameFastAPI

/// A filter of the listed shots by their state.
enum ShotFilter: String, CaseIterable {
    case all, undelivered
    /// Shots with a failed or retrying upload, and damaged shots.
    case failed

    /// The listed shots, in words.
    var word: String {
        switch self {
        case .all: "all"
        case .undelivered: "not delivered"
        case .failed: "failed or retrying"
        }
    }

    var next: ShotFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func matches(_ shot: WatchShots.Shot) -> Bool {
        switch self {
        case .all: true
        case .undelivered: ![.delivered, .cleared].contains(shot.state.known)
        case .failed: [.uploadFailed, .retrying, .damaged].contains(shot.state.known)
        }
    }
}

/// A search for shots, typed after `/`. Each word must match a file name, the camera's name, or the state.
struct ShotSearch: Equatable {
    /// The maximum length of the text, in characters.
    static let lengthMax = 80

    var text = ""
    /// Whether the person is still typing. If so, keys enter text.
    var isTyping = true

    private var words: [String] { text.lowercased().split(separator: " ").map(String.init) }

    func matches(_ shot: WatchShots.Shot, _ labels: CameraLabels) -> Bool {
        let words = words
        guard !words.isEmpty else { return true }
        let files = shot.captures.flatMap { [$0.originalName, FileName.of($0.path ?? "")] }
        let cameras = shot.captures.prefix(1).map { labels.name($0.cameraName, id: $0.cameraID) }
        let facts = (files + cameras + [StateWords.capture(shot.state).word]).map { $0.lowercased() }
        return words.allSatisfy { word in facts.contains { $0.contains(word) } }
    }
}
