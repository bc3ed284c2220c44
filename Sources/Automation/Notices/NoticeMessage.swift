import ChildProcesses
public import Foundation
public import FrameFastModel

/// What is told at once: whatever began or ended since the last time.
public struct NoticeMessage: Hashable, Sendable {
    /// Lines of a message, at most; more are counted. A bubble and a telephone show no more.
    static let linesMax = 12

    /// What tells it apart; the same for every try.
    public var id: String
    /// The notice.
    public var notice: NoticeName
    /// What the computer is called.
    public var host: FleetHostName
    /// When it was put together.
    public var at: Date
    /// What began or ended, worst first; empty for a test.
    public var entries: [NoticeEntry]

    /// Creates a message.
    public init(
        id: String = UUID().uuidString.lowercased(), notice: NoticeName, host: FleetHostName,
        at: Date = Date(), entries: [NoticeEntry]
    ) {
        self.id = id
        self.notice = notice
        self.host = host
        self.at = at
        self.entries = entries
    }

    /// Whether it only tries the way.
    var isTest: Bool { entries.isEmpty }

    /// How bad the worst is that began; `nil` when nothing did.
    var severity: Condition.Severity? {
        entries.filter { $0.stage == .begun }.map(\.condition.severity).max()
    }

    /// One line.
    var title: String {
        guard let first = entries.first else { return "\(host): test from FrameFast" }
        let begun = entries.first { $0.stage == .begun }
        let short = (begun ?? first).condition.kind.short((begun ?? first).name)
        let more = entries.count > 1 ? ", and \(entries.count - 1) more" : ""
        return oneLine("\(host): \(begun == nil ? "over: " : "")\(short)\(more)")
    }

    /// Sentences, a line each.
    var text: String {
        guard !isTest else {
            return "This is a test of the notice \(notice). Nothing is wrong."
        }
        var lines = entries.prefix(Self.linesMax).map { entry in
            let condition = entry.condition
            return oneLine(
                entry.stage == .begun
                    ? "\(condition.sentence) \(condition.nextStep)" : "Over: \(condition.sentence)", max: 600)
        }
        if entries.count > Self.linesMax { lines.append("And \(entries.count - Self.linesMax) more.") }
        return lines.joined(separator: "\n")
    }
}
