import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct StatusView: ComponentPresentation {
    let status: StatusReply
    let json: Data
    let now: Date

    /// The page, from top to bottom.
    var parts: [any Component] {
        let state = StateWords.daemon(status.$state)
        let uploads = UploadWords.statistics(status.uploads)
        let gap = TextView.gap
        // The steps for a camera do not fit here. Name the command that shows the steps.
        let needsAttention = status.cameras.contains { !$0.isIgnored && $0.needsAttention }
        var parts: [any Component] = [
            HeaderView("FrameFast \(status.version)", BadgeView(state.tone, state.word)),
            LabelledView("Session", FactsView(session)), LabelledView("Photos", FactsView(photos)),
            LabelledView("Disk", DiskView(status.disk)),
        ]
        if !uploads.isEmpty { parts.append(LabelledView("Uploads", FactsView(uploads))) }
        parts += [
            gap,
            SectionView(
                "Cameras", count: status.cameras.isEmpty ? nil : "\(status.cameras.count)",
                action: needsAttention ? "`framefast cameras`" : nil),
            CameraColumnsView(cameras: status.cameras, columns: CameraColumnsView.activity, now: now), gap,
        ]
        guard !status.conditions.isEmpty else {
            return parts + [BadgeView(.success, "Nothing needs attention")]
        }
        parts.append(
            SectionView("Attention", count: "\(status.conditions.count)", action: "`framefast doctor`"))
        let names = CameraLabels(status.cameras)
        let cells = ConditionLines.wordCells(status.conditions)
        return parts
            + status.conditions.map { ConditionLines.banner($0, names, wordCells: cells, now: now) }
    }

    func plain() -> [String] {
        var lines = [
            "version: \(TerminalText.escaped(status.version))",
            "state: \(StateWords.daemon(status.$state).word)",
            "session: " + (status.session.map { TerminalText.escaped($0.name) } ?? "none"),
            "shots saved: \(status.captures.shots)",
            "shots saved today: \(status.captures.shotsToday)",
            "photos saved: \(status.captures.total)",
            "photos saved today: \(status.captures.today)",
            "bytes saved: \(status.captures.bytes)",
            "shots per minute: \(status.captures.shotsPerMinute)",
            "photos verified by: \(TerminalText.escaped(status.captures.verify))",
            "photos awaiting a second reading: \(status.captures.awaitingReread)",
        ]
        if status.disk.guard != .away { lines.append("disk free bytes: \(status.disk.freeBytes)") }
        lines.append("disk guard: \(TerminalText.escaped(status.disk.$guard.text))")
        lines += [
            ("held", status.uploads.held), ("queued", status.uploads.queued),
            ("uploading", status.uploads.uploading + status.uploads.verifying),
            ("delivered", status.uploads.delivered), ("retrying", status.uploads.retrying),
            ("failed", status.uploads.failed),
        ].filter { $0.1 > 0 }.map { "uploads \($0.0): \($0.1)" }
        lines += CameraLines.plain(status.cameras)
        if status.conditions.isEmpty { lines.append("conditions: none") }
        for condition in status.conditions { lines += ConditionLines.plain(condition) }
        return lines
    }

    /// The state of the second readings, or `nil` if photos are read once.
    private var rereadNote: String? {
        guard status.captures.awaitingReread == 0 else {
            return "\(Formatted.count(status.captures.awaitingReread)) waiting for their second reading"
        }
        return status.captures.verify == "reread" ? "each read twice" : nil
    }

    private var session: [String] {
        guard let session = status.session else {
            return ["none", "start one with `framefast session start NAME`"]
        }
        return [session.name, Formatted.shots(session.shots), "since " + Formatted.time(session.startedAt)]
    }

    private var photos: [String] {
        let captures = status.captures
        return [
            "\(Formatted.shots(captures.shots)) saved (\(Formatted.size(captures.bytes)))",
            "\(Formatted.count(captures.shotsToday)) today",
            "\(Formatted.count(captures.shotsPerMinute)) per minute", rereadNote,
        ].compactMap(\.self)
    }
}

/// Texts about a condition.
enum ConditionLines {
    /// Returns the sentence. Adds the subject's name in front if the sentence does not contain the name.
    static func sentence(_ condition: ConditionReply, _ names: CameraLabels? = nil) -> String {
        guard let name = condition.name, !Naming.isNamed(name, in: condition.sentence) else {
            return condition.sentence
        }
        return "\(condition.camera.flatMap { names?.name(name, id: $0) } ?? name): \(condition.sentence)"
    }

    /// Returns the width of the widest severity word, in cells, which aligns the texts of several conditions.
    static func wordCells(_ conditions: some Sequence<ConditionReply>) -> Int {
        conditions.map { Cells.width(StateWords.severity($0.severity).word) }.max() ?? 0
    }

    static func banner(
        _ condition: ConditionReply, _ names: CameraLabels, wordCells: Int, now: Date
    ) -> BannerView {
        let severity = StateWords.severity(condition.severity)
        return BannerView(
            severity.tone, severity.word, sentence(condition, names), nextStep: condition.nextStep,
            caption: Formatted.age(of: condition.since, now: now), wordCells: wordCells)
    }

    static func plain(_ condition: ConditionReply) -> [String] {
        let word = StateWords.severity(condition.severity).word.lowercased()
        var lines = ["\(word): \(TerminalText.escaped(sentence(condition)))"]
        if let step = condition.nextStep { lines.append("next step: \(TerminalText.escaped(step))") }
        return lines
    }
}
