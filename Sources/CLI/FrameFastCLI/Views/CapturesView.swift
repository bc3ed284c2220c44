import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The files of one shot that an answer has.
struct ShotFiles {
    let id: Int64
    let captures: [CaptureReply]

    /// A page by shots, in its order.
    static func of(_ captures: [CaptureReply]) -> [ShotFiles] {
        var shots: [ShotFiles] = []
        for capture in captures {
            if let last = shots.last, last.id == capture.shotID {
                shots[shots.count - 1] = ShotFiles(id: last.id, captures: last.captures + [capture])
            } else {
                shots.append(ShotFiles(id: capture.shotID, captures: [capture]))
            }
        }
        return shots
    }

    /// How far the shot is; how far these files are, where only files of one state were asked for.
    var state: CaptureReply.State {
        let states = Set(captures.map(\.state))
        return states.count == 1 ? states.first ?? .saved : captures.first?.shotState ?? .saved
    }

    var size: Int64 { captures.reduce(0) { $0 + $1.size } }

    /// When its last file was saved, or it was heard of first.
    var date: Date {
        captures.compactMap(\.savedAt).max() ?? captures.map(\.detectedAt).min() ?? .distantPast
    }

    /// The first file's name, and what makes the others different: `a.jpg + cr3`.
    func name(_ of: (CaptureReply) -> String) -> String {
        guard let first = captures.first else { return "" }
        let others = captures.dropFirst().map { FileName.kind(of($0)) ?? of($0) }
        return ([of(first)] + others).joined(separator: " + ")
    }
}

struct CapturesView: Presentation {
    let page: CapturesReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let shots = ShotFiles.of(page.captures)
        guard !shots.isEmpty else {
            return [style.dim("No photos. Take one on a connected camera, or run `framefast shoot`.")]
        }
        let sizes = shots.map { Figures.size($0.size) }
        let sizeWidth = sizes.map(\.count).max() ?? 0
        let cameras = shots.map { TerminalText.escaped($0.captures.first?.cameraName ?? "") }
        let cameraWidth = cameras.map(\.count).max() ?? 0
        var lines = shots.indices.map { index in
            let shot = shots[index]
            let state = StateWords.capture(shot.state)
            let gap = String(repeating: " ", count: sizeWidth - sizes[index].count)
            return [
                style.badge(state.tone, state.word, width: 9), Figures.time(shot.date), gap + sizes[index],
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
