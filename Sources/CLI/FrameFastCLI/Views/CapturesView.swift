import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct CapturesView: Presentation {
    let page: CapturesReply
    let json: Data

    func human(_ style: Style) -> [String] {
        guard !page.captures.isEmpty else {
            return [style.dim("No photos. Take one on a connected camera, or run `framefast shoot`.")]
        }
        let sizes = page.captures.map { Figures.size($0.size) }
        let sizeWidth = sizes.map(\.count).max() ?? 0
        let cameraWidth = page.captures.map { TerminalText.escaped($0.camera).count }.max() ?? 0
        var lines = zip(page.captures, sizes).map { capture, size in
            let state = StateWords.capture(capture.state)
            let gap = String(repeating: " ", count: sizeWidth - size.count)
            return [
                style.badge(state.tone, state.word, width: 9),
                Figures.time(capture.savedAt ?? capture.detectedAt), gap + size,
                style.padded(TerminalText.escaped(capture.camera), cameraWidth),
                TerminalText.escaped(capture.path ?? capture.originalName)
                    + style.dim(Self.note(capture.verified)),
            ].joined(separator: "  ")
        }
        if let cursor = page.nextCursor {
            lines.append(
                style.dim("More with `--cursor \(TerminalText.escaped(cursor))`, or all with `--all`."))
        }
        return lines
    }

    /// What is known of its bytes beyond their structure.
    private static func note(_ verified: CaptureReply.Verified?) -> String {
        switch verified {
        case .reread?: " (read twice)"
        case .awaitingReread?: " (second reading to come)"
        default: ""
        }
    }

    func plain() -> [String] {
        guard !page.captures.isEmpty else { return ["photos: none"] }
        return page.captures.map { capture in
            let name = TerminalText.escaped(capture.path ?? capture.originalName)
            let word = StateWords.capture(capture.state).word + Self.note(capture.verified)
            return "photo \(capture.id): \(word), \(capture.size) bytes, "
                + "camera \(TerminalText.escaped(capture.camera)), \(name)"
        }
    }
}
