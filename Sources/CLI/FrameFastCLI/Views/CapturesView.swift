import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct CapturesView: Presentation {
    let page: CapturesReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let shots = ShotFiles.of(page.captures)
        guard !shots.isEmpty else {
            return [style.dim("No photos. Take one on a connected camera, or run `framefast shoot`.")]
        }
        let sizes = shots.map { Formatted.size($0.size) }
        let sizeWidth = sizes.map(\.count).max() ?? 0
        let cameras = shots.map { TerminalText.escaped($0.captures.first?.cameraName ?? "") }
        let cameraWidth = cameras.map(\.count).max() ?? 0
        var lines = shots.indices.map { index in
            let shot = shots[index]
            let state = StateWords.capture(shot.state)
            let gap = String(repeating: " ", count: sizeWidth - sizes[index].count)
            return [
                style.badge(state.tone, state.word, width: 9), Formatted.time(shot.date), gap + sizes[index],
                style.padded(cameras[index], cameraWidth),
                TerminalText.escaped(shot.name { $0.path ?? $0.originalName }) + style.dim(Self.note(shot)),
            ].joined(separator: "  ")
        }
        if let cursor = page.nextCursor {
            lines.append(
                style.dim("More with `--cursor \(TerminalText.escaped(cursor))`, or all with `--all`."))
        }
        return lines
    }

    /// What is known of its bytes beyond their structure.
    private static func note(_ shot: ShotFiles) -> String {
        let verified = Set(shot.captures.map(\.verified))
        if verified.contains(.awaitingReread) { return " (second reading to come)" }
        return verified == [.reread] ? " (read twice)" : ""
    }

    func plain() -> [String] {
        let shots = ShotFiles.of(page.captures)
        guard !shots.isEmpty else { return ["photos: none"] }
        return shots.map { shot in
            let names = shot.captures.map { TerminalText.escaped($0.path ?? $0.originalName) }
            let camera = TerminalText.escaped(shot.captures.first?.cameraName ?? "")
            return "shot \(shot.id): \(StateWords.capture(shot.state).word)\(Self.note(shot)), "
                + "\(shot.size) bytes, camera \(camera), \(names.joined(separator: " and "))"
        }
    }
}
