import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The groups of cameras.
struct GroupsView: ComponentPresentation {
    let groups: [GroupReply]
    let json: Data

    var parts: [any Component] {
        guard !groups.isEmpty else {
            return [
                EmptyView(localized("There are no groups. A [[group]] table of the configuration makes one."))
            ]
        }
        let titleCells = RowView.titleCells(of: groups.map(\.name.rawValue))
        return groups.map { group in
            let isWhole = group.away.isEmpty
            return RowView(
                BadgeView(
                    isWhole ? .success : .warning, isWhole ? localized("Ready") : localized("Incomplete")),
                title: group.name.rawValue,
                caption: isWhole
                    ? nil : localized("not connected: \(group.away.map(\.rawValue).joined(separator: ", "))"),
                figure: "\(group.cameras.count - group.away.count)/\(group.cameras.count)",
                wordCells: Cells.width(localized("Incomplete")), titleCells: titleCells)
        }
    }

    func plain() -> [String] {
        groups.map { group in
            let away = group.away.map { TerminalText.escaped($0.rawValue) }.joined(separator: ", ")
            return "group \(TerminalText.escaped(group.name.rawValue)): \(group.cameras.count) cameras"
                + (away.isEmpty ? "" : ", not connected: \(away)")
        }
    }
}

/// What became of a shot of a group.
struct GroupShotView: ComponentPresentation {
    let shot: GroupShotReply
    let json: Data

    private static var released: String { localized("Released") }

    var parts: [any Component] {
        let cells = Cells.width(Self.released)
        return [BannerView(shot.fired > 0 ? .success : .danger, Self.released, sentence, wordCells: cells)]
            + MissingCamera.parts(shot.missing, wordCells: cells)
    }

    func plain() -> [String] { ["released: \(sentence)"] + MissingCamera.plain(shot.missing) }

    /// `shot 12: 7 of 8 cameras, orders within 1.8 ms, answers within 12.4 ms`.
    private var sentence: String {
        let all = shot.fired + shot.missing.count
        let spread = shot.spreadMs.map { ", " + localized("orders within \(Self.tenths($0)) ms") } ?? ""
        let answers =
            shot.answersSpreadMs.map { ", " + localized("answers within \(Self.tenths($0)) ms") } ?? ""
        return
            localized("shot \(shot.shot): \(shot.fired) of \(Formatted.cameras(all))") + spread + answers
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// The last shots of a group.
struct GroupShotsView: ComponentPresentation {
    let shots: [GroupShotsReply.Shot]
    let json: Data

    private static var words: (complete: String, incomplete: String, open: String) {
        (complete: localized("Complete"), incomplete: localized("Incomplete"), open: localized("Coming in"))
    }

    var parts: [any Component] {
        guard !shots.isEmpty else {
            return [
                EmptyView(
                    localized("No shots yet."),
                    nextStep: localized("Take one with `framefast shoot --group NAME`."))
            ]
        }
        return shots.flatMap { shot -> [any Component] in
            let (word, tone) = Self.state(of: shot)
            return [BannerView(tone, word, Self.sentence(shot), wordCells: Self.wordCells)]
                + shot.frames.compactMap { frame in
                    frame.reason.map {
                        BannerView(.danger, Self.missing, "\(frame.camera): \($0)", wordCells: Self.wordCells)
                    }
                }
        }
    }

    /// `shot 12: 7 of 8 photos, 2026-11-21 14:25:30`.
    private static func sentence(_ shot: GroupShotsReply.Shot) -> String {
        let taken = shot.frames.count { $0.capture != nil }
        return localized(
            "shot \(shot.shot): \(taken) of \(shot.frames.count) photos, \(Formatted.time(shot.at))")
    }

    private static var wordCells: Int { Cells.width(words.incomplete) }
    private static var missing: String { localized("Missing") }

    private static func state(of shot: GroupShotsReply.Shot) -> (word: String, tone: Tone) {
        if shot.frames.contains(where: { $0.reason != nil }) { return (words.incomplete, .danger) }
        return shot.frames.allSatisfy { $0.capture != nil }
            ? (words.complete, .success) : (words.open, .busy)
    }

    func plain() -> [String] {
        shots.flatMap { shot in
            ["\(Self.state(of: shot).word.lowercased()): \(Self.sentence(shot))"]
                + shot.frames.compactMap { frame in
                    frame.reason.map {
                        "missing: shot \(shot.shot): \(TerminalText.escaped(frame.camera.rawValue)): \(TerminalText.escaped($0))"
                    }
                }
        }
    }
}

/// How the cameras of a group differ.
struct GroupCheckView: ComponentPresentation {
    let check: GroupCheckReply
    let json: Data

    private static var words: (alike: String, differs: String, away: String) {
        (alike: localized("Alike"), differs: localized("Differs"), away: localized("Away"))
    }

    var parts: [any Component] {
        guard !check.odd.isEmpty else {
            return [BannerView(.success, Self.words.alike, sentence)]
        }
        let cells = Cells.width(Self.words.differs)
        return check.odd.map { odd in
            BannerView(
                odd.what == .away ? .danger : .warning,
                odd.what == .away ? Self.words.away : Self.words.differs,
                Self.sentence(odd), wordCells: cells)
        }
    }

    private var sentence: String {
        localized("\(Formatted.cameras(check.compared)) compared.")
    }

    private static func sentence(_ odd: GroupCheckReply.Odd) -> String {
        guard odd.what != .away else { return "\(odd.camera): \(odd.value)" }
        let others = odd.others.map { ", " + localized("others \($0)") } ?? ""
        return "\(odd.camera): \(odd.what == .settings ? "" : "\(odd.what.rawValue) ")\(odd.value)\(others)"
    }

    func plain() -> [String] {
        guard !check.odd.isEmpty else { return ["alike: \(sentence)"] }
        return check.odd.map {
            "\($0.what == .away ? "away" : "differs"): \(TerminalText.escaped(Self.sentence($0)))"
        }
    }
}

/// What the cameras of a group do.
struct GroupOperationsView: ComponentPresentation {
    let reply: GroupOperationsReply
    let json: Data

    private var cameras: [OperationView] { reply.cameras.map { OperationView(reply: $0, json: json) } }

    var parts: [any Component] { cameras.flatMap(\.parts) + MissingCamera.parts(reply.missing) }

    func plain() -> [String] { cameras.flatMap { $0.plain() } + MissingCamera.plain(reply.missing) }
}

extension MissingCamera {
    private static var word: String { localized("Missing") }

    /// Cameras that took no part, each with why.
    static func parts(_ missing: [Self], wordCells: Int = Cells.width(word)) -> [any Component] {
        missing.map {
            BannerView(
                .danger, word, "\($0.name): \($0.reason)", wordCells: max(wordCells, Cells.width(word)))
        }
    }

    /// The same for programs.
    static func plain(_ missing: [Self]) -> [String] {
        missing.map { "missing: \(TerminalText.escaped($0.name)): \(TerminalText.escaped($0.reason))" }
    }
}
