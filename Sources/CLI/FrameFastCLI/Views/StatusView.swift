import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct StatusView: Presentation {
    let status: StatusReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let state = StateWords.daemon(status.state)
        var lines = [
            style.bold("FrameFast \(TerminalText.escaped(status.version))") + "  "
                + style.badge(state.tone, state.word),
            "Session   " + sessionLine(style),
            "Photos    "
                + [
                    "\(Formatted.shots(status.captures.shots)) saved (\(Formatted.size(status.captures.bytes)))",
                    "\(Formatted.count(status.captures.shotsToday)) today",
                    "\(Formatted.count(status.captures.shotsPerMinute)) a minute",
                    rereadNote,
                ].compactMap(\.self).joined(separator: style.dot),
            "Disk      \(Formatted.size(status.disk.freeBytes)) free" + style.dot
                + TerminalText.escaped(status.disk.directory) + guardNote(style),
        ]
        let uploads = UploadWords.statistics(status.uploads)
        if !uploads.isEmpty { lines.append("Uploads   " + uploads.joined(separator: style.dot)) }
        lines += ["", style.bold("Cameras")]
        lines += CamerasView(cameras: status.cameras, json: json).human(style)
        lines.append("")
        if status.conditions.isEmpty {
            lines.append(style.badge(.success, "Nothing needs attention"))
        } else {
            lines.append(style.bold("Attention"))
            for condition in status.conditions { lines += ConditionLines.human(condition, style) }
        }
        return lines
    }

    func plain() -> [String] {
        var lines = [
            "version: \(TerminalText.escaped(status.version))",
            "state: \(StateWords.daemon(status.state).word)",
            "session: " + (status.session.map { TerminalText.escaped($0.name) } ?? "none"),
            "shots saved: \(status.captures.shots)",
            "shots saved today: \(status.captures.shotsToday)",
            "photos saved: \(status.captures.total)",
            "photos saved today: \(status.captures.today)",
            "bytes saved: \(status.captures.bytes)",
            "shots a minute: \(status.captures.shotsPerMinute)",
            "photos verified by: \(TerminalText.escaped(status.captures.verify))",
            "photos awaiting a second reading: \(status.captures.awaitingReread)",
            "disk free bytes: \(status.disk.freeBytes)",
            "disk guard: \(TerminalText.escaped(status.disk.guard.rawValue))",
        ]
        lines += [
            ("held", status.uploads.held), ("queued", status.uploads.queued),
            ("uploading", status.uploads.uploading + status.uploads.verifying),
            ("delivered", status.uploads.delivered), ("retrying", status.uploads.retrying),
            ("failed", status.uploads.failed),
        ].filter { $0.1 > 0 }.map { "uploads \($0.0): \($0.1)" }
        lines += CamerasView(cameras: status.cameras, json: json).plain()
        if status.conditions.isEmpty { lines.append("conditions: none") }
        for condition in status.conditions { lines += ConditionLines.plain(condition) }
        return lines
    }

    /// What is still to be read a second time, where photos are.
    private var rereadNote: String? {
        guard status.captures.awaitingReread == 0 else {
            return "\(Formatted.count(status.captures.awaitingReread)) await their second reading"
        }
        return status.captures.verify == "reread" ? "each read twice" : nil
    }

    private func sessionLine(_ style: Style) -> String {
        guard let session = status.session else {
            return style.dim("none; start one with `framefast session start NAME`")
        }
        return [
            TerminalText.escaped(session.name), Formatted.shots(session.shots),
            "since " + Formatted.time(session.startedAt),
        ].joined(separator: style.dot)
    }

    private func guardNote(_ style: Style) -> String {
        switch status.disk.guard {
        case .ok: ""
        case .low: "  " + style.badge(.warning, "getting short")
        case .full: "  " + style.badge(.danger, "full: photos wait on the cameras")
        default: "  " + TerminalText.escaped(status.disk.guard.rawValue)
        }
    }
}

/// One condition as lines.
enum ConditionLines {
    /// The sentence, with what it is about: named once.
    static func sentence(_ condition: ConditionReply) -> String {
        guard let name = condition.name, !condition.sentence.contains(name) else { return condition.sentence }
        return "\(name): \(condition.sentence)"
    }

    static func human(_ condition: ConditionReply, _ style: Style) -> [String] {
        let severity = StateWords.severity(condition.severity)
        var lines = [
            style.badge(severity.tone, severity.word) + "  " + TerminalText.escaped(sentence(condition))
                + style.dim("  " + Formatted.age(of: condition.since))
        ]
        if let step = condition.nextStep { lines.append("  " + style.arrow + TerminalText.escaped(step)) }
        return lines
    }

    static func plain(_ condition: ConditionReply) -> [String] {
        let word = StateWords.severity(condition.severity).word.lowercased()
        var lines = ["\(word): \(TerminalText.escaped(sentence(condition)))"]
        if let step = condition.nextStep { lines.append("next step: \(TerminalText.escaped(step))") }
        return lines
    }
}
