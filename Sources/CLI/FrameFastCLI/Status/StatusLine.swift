import FrameFastAPI
import TerminalUI

/// The status in one line, for status bars and for the head of the live screen.
enum StatusLine {
    /// Returns the line for an unreachable daemon.
    static func offline(_ explanation: Explanation) -> StatusBarView {
        StatusBarView(
            title: "FrameFast", badge: BadgeView(.danger, "Offline"), facts: [],
            details: [explanation.message] + (explanation.nextStep.map { ["next step: \($0)"] } ?? []))
    }

    /// Returns the line of a status. Only the details include its conditions.
    static func cameras(_ status: StatusReply) -> StatusBarView {
        var view = cameras(StatusSummaryReply(status))
        view.details = details(status)
        return view
    }

    /// Returns the line of a status, with details for bars that show details.
    static func view(_ status: StatusReply) -> StatusBarView {
        var view = view(StatusSummaryReply(status))
        view.details = details(status)
        return view
    }

    private static func cameras(_ status: StatusSummaryReply) -> StatusBarView {
        let group = worst(status.cameras)
        return StatusBarView(
            title: title(status.cameras, worst: group), badge: badge(status, group),
            facts: today(status) + uploads(status.uploads), percentage: percentage(status.uploads))
    }

    /// Returns the line of a summary.
    static func view(_ status: StatusSummaryReply) -> StatusBarView {
        var view = cameras(status)
        if let attention = status.attention {
            let severity = StateWords.severity(attention.severity)
            if rank(severity.tone) > rank(view.badge.tone) {
                view.badge = BadgeView(severity.tone, severity.word)
                view.headline = attention.short
                view.facts = uploads(status.uploads) + today(status)
            }
        }
        return view
    }

    // MARK: Cameras

    private typealias Group = StatusSummaryReply.CameraGroupReply

    private static func worst(_ groups: [Group]) -> Group? {
        // If several groups are equally severe, use the first. The daemon's order is stable.
        groups.reduce(nil as Group?) { found, group in
            guard let found else { return group }
            return rank(StateWords.camera(group.$state).tone) > rank(StateWords.camera(found.$state).tone)
                ? group : found
        }
    }

    private static func title(_ groups: [Group], worst: Group?) -> String {
        guard let worst else { return "FrameFast" }
        let count = groups.reduce(0) { $0 + $1.count }
        let needsName = rank(StateWords.camera(worst.$state).tone) >= rank(.warning)
        return count == 1 || needsName ? worst.first : "\(count) cameras"
    }

    private static func badge(_ status: StatusSummaryReply, _ group: Group?) -> BadgeView {
        if status.state != .running {
            let state = StateWords.daemon(status.$state)
            return BadgeView(state.tone, state.word)
        }
        guard let group else { return BadgeView(.neutral, "No camera") }
        let state = StateWords.camera(group.$state)
        return BadgeView(state.tone, state.word)
    }

    /// Returns the importance of a tone, from 0 (lowest) to 5.
    static func rank(_ tone: Tone) -> Int {
        switch tone {
        case .neutral: 0
        case .success: 1
        case .info: 2
        case .busy: 3
        case .warning: 4
        case .danger: 5
        }
    }

    // MARK: Facts

    private static func today(_ status: StatusSummaryReply) -> [String] {
        guard let name = status.sessionName else { return ["\(Formatted.count(status.shotsToday)) today"] }
        return [name, Formatted.shots(status.sessionShots ?? 0)]
    }

    private static func uploads(_ uploads: UploadStatisticsReply) -> [String] {
        var facts: [String] = []
        let open = uploads.uploading + uploads.verifying + uploads.queued + uploads.retrying
        if open > 0 { facts.append("\(Formatted.count(open)) to upload") }
        if uploads.held > 0 { facts.append("\(Formatted.count(uploads.held)) held") }
        if uploads.failed > 0 { facts.append("\(Formatted.count(uploads.failed)) failed") }
        return facts
    }

    private static func details(_ status: StatusReply) -> [String] {
        var lines = status.cameras.filter { !$0.isIgnored }.map { camera in
            var facts = [StateWords.camera(camera.$state).word]
            if let battery = camera.batteryPercent { facts.append("battery \(battery) %") }
            if let card = CameraFactLines.card(camera) { facts.append(card) }
            if let now = OperationView.summary(camera) { facts.append(now) }
            if let exposure = camera.exposure { facts.append(exposure.text) }
            return "\(camera.name): " + facts.joined(separator: ", ")
        }
        lines.append("session: " + (status.session?.name ?? "none"))
        lines.append("shots today: \(Formatted.count(status.captures.shotsToday))")
        let uploads = UploadWords.statistics(status.uploads)
        if !uploads.isEmpty { lines.append("uploads: " + uploads.joined(separator: ", ")) }
        let isAway = status.disk.guard == .away
        lines.append("disk: \(isAway ? DiskView.away : "\(Formatted.size(status.disk.freeBytes)) free")")
        for condition in status.conditions {
            lines.append(
                "\(StateWords.severity(condition.severity).word.lowercased()): \(ConditionLines.sentence(condition))"
            )
            if let step = condition.nextStep { lines.append("next step: \(step)") }
        }
        return lines
    }

    /// Returns the share of delivered uploads, in percent, or `nil` without uploads.
    static func percentage(_ uploads: UploadStatisticsReply) -> Int? {
        let open =
            uploads.held + uploads.queued + uploads.uploading + uploads.verifying + uploads.retrying
            + uploads.failed
        let all = uploads.delivered + open
        return all > 0 ? uploads.delivered * 100 / all : nil
    }
}
