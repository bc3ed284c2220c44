import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct CapturesView: Presentation {
    let page: CapturesReply
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Photo"), .init(heading: "Size", isFigure: true),
        .init(heading: "Time", dropOrder: 1), .init(heading: "Camera", cellsMin: 10),
        .init(heading: "Second reading", lead: "second reading", dropOrder: 2),
        .init(heading: "Folder", dropOrder: 3),
    ]

    func lines(_ layout: Layout) -> [Line] {
        let shots = ShotFiles.of(page.captures)
        guard !shots.isEmpty else {
            return EmptyView(
                "No photos.", nextStep: "Take a photo with a connected camera, or run `framefast shoot`."
            ).lines(layout)
        }
        let names = CameraLabels(page.captures.map { ($0.cameraID, $0.cameraName) })
        let rows = shots.map { shot in
            let state = StateWords.capture(shot.state)
            let first = shot.captures.first
            return TableView.Row(
                state.tone,
                [
                    state.word, shot.name { FileName.of($0.path ?? $0.originalName) },
                    Formatted.size(shot.size), Formatted.time(shot.date),
                    first.map { names.name($0.cameraName, id: $0.cameraID) } ?? "",
                    Self.reading(shot) ?? "", first?.path.map(FileName.folder) ?? "",
                ])
        }
        var lines = TableView(columns: Self.columns, rows: rows).lines(layout)
        for (problem, names) in damage {
            let sentence =
                names.count == 1 ? "\(names[0]): \(problem)" : "\(problem) (\(Formatted.photos(names.count)))"
            lines += [.empty]
            lines += GuidanceView(
                .danger, sentence, steps: ["Read damaged photos again with `framefast captures retry`."]
            ).lines(layout)
        }
        if let cursor = page.nextCursor { lines += [.empty] + MoreView(cursor).lines(layout) }
        return lines
    }

    /// The problems of damaged photos. Each problem lists the names of the affected photos.
    private var damage: [(problem: String, names: [String])] {
        var damage: [(problem: String, names: [String])] = []
        for capture in page.captures where capture.state == .damaged {
            guard let problem = capture.problem else { continue }
            if let index = damage.firstIndex(where: { $0.problem == problem }) {
                damage[index].names.append(capture.originalName)
            } else {
                damage.append((problem, [capture.originalName]))
            }
        }
        return damage
    }

    /// Returns the state of the shot's second reading: `pending`, `done`, or `nil` if the shot is read only
    /// once.
    private static func reading(_ shot: ShotFiles) -> String? {
        let verified = Set(shot.captures.map { $0.verified?.known })
        if verified.contains(.awaitingReread) { return "pending" }
        return verified == [.reread] ? "done" : nil
    }

    private static func rereadSuffix(_ shot: ShotFiles) -> String {
        switch reading(shot) {
        case "pending": " (second reading pending)"
        case nil: ""
        default: " (read twice)"
        }
    }

    func plain() -> [String] {
        let shots = ShotFiles.of(page.captures)
        guard !shots.isEmpty else { return ["photos: none"] }
        return shots.map { shot in
            let names = shot.captures.map { TerminalText.escaped($0.path ?? $0.originalName) }
            let camera = TerminalText.escaped(shot.captures.first?.cameraName ?? "")
            return "shot \(shot.id): \(StateWords.capture(shot.state).word)\(Self.rereadSuffix(shot)), "
                + "\(shot.size) bytes, camera \(camera), \(names.joined(separator: " and "))"
        }
    }
}
