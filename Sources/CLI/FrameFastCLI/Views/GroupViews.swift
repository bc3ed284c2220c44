import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A list of camera groups.
struct GroupsView: ComponentPresentation {
    let groups: [GroupReply]
    let json: Data

    private static let incomplete = "Incomplete"

    var parts: [any Component] {
        guard !groups.isEmpty else {
            return [EmptyView("There are no groups. Add a [[group]] table to the configuration.")]
        }
        let titleCells = RowView.titleCells(of: groups.map(\.name.rawValue))
        return groups.map { group in
            let isComplete = group.away.isEmpty
            return RowView(
                BadgeView(isComplete ? .success : .warning, isComplete ? "Ready" : Self.incomplete),
                title: group.name.rawValue,
                caption: isComplete
                    ? nil : "not connected: \(group.away.map(\.rawValue).joined(separator: ", "))",
                figure: "\(group.cameras.count - group.away.count)/\(group.cameras.count)",
                wordCells: Cells.width(Self.incomplete), titleCells: titleCells)
        }
    }

    func plain() -> [String] {
        groups.map { group in
            let away = group.away.map { TerminalText.escaped($0.rawValue) }.joined(separator: ", ")
            return
                "group \(TerminalText.escaped(group.name.rawValue)): \(Formatted.cameras(group.cameras.count))"
                + (away.isEmpty ? "" : ", not connected: \(away)")
        }
    }
}

/// The result of a group's shot.
struct GroupShotView: ComponentPresentation {
    let shot: GroupShotReply
    let json: Data

    private static let released = "Released"

    var parts: [any Component] {
        let cells = Cells.width(Self.released)
        return [BannerView(shot.fired > 0 ? .success : .danger, Self.released, sentence, wordCells: cells)]
            + MissingCamera.parts(shot.missing, wordCells: cells)
    }

    func plain() -> [String] { ["released: \(sentence)"] + MissingCamera.plain(shot.missing) }

    /// The result in words, for example `7 of 8 cameras, commands within 1.8 ms, replies within 12.4 ms`.
    private var sentence: String {
        let all = shot.fired + shot.missing.count
        let commands = shot.spreadMs.map { ", commands within \(Self.tenths($0)) ms" } ?? ""
        let replies = shot.answersSpreadMs.map { ", replies within \(Self.tenths($0)) ms" } ?? ""
        return "\(Formatted.count(shot.fired)) of \(Formatted.cameras(all))" + commands + replies
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// The operations of a group's cameras.
struct GroupOperationsView: ComponentPresentation {
    let reply: GroupOperationsReply
    let json: Data

    private var cameras: [OperationView] { reply.cameras.map { OperationView(reply: $0, json: json) } }

    var parts: [any Component] { cameras.flatMap(\.parts) + MissingCamera.parts(reply.missing) }

    func plain() -> [String] { cameras.flatMap { $0.plain() } + MissingCamera.plain(reply.missing) }
}

extension MissingCamera {
    private static let word = "Missing"

    /// Returns a banner for each missing camera, with the reason.
    static func parts(_ missing: [Self], wordCells: Int = Cells.width(word)) -> [any Component] {
        missing.map {
            BannerView(
                .danger, word, "\($0.name): \($0.reason)", wordCells: max(wordCells, Cells.width(word)))
        }
    }

    /// Returns the missing cameras and the reasons as plain text, one camera per line.
    static func plain(_ missing: [Self]) -> [String] {
        missing.map { "missing: \(TerminalText.escaped($0.name)): \(TerminalText.escaped($0.reason))" }
    }
}
