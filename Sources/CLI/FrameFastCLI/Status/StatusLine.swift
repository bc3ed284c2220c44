import FrameFastAPI
import TerminalUI

/// Everything at a glance, for status bars and for the head of a screen.
enum StatusLine {
    /// What is shown while the daemon is away.
    static func offline(_ explanation: Explanation) -> StatusBarView {
        StatusBarView(
            title: "FrameFast", badge: BadgeView(.danger, "Offline"), facts: [],
            details: [explanation.message] + (explanation.nextStep.map { ["next step: \($0)"] } ?? []))
    }

    /// The line of a status without its conditions.
    static func cameras(_ status: StatusReply) -> StatusBarView {
        let camera = worst(status.cameras)
        return StatusBarView(
            title: title(status.cameras, worst: camera), badge: badge(status, camera),
            facts: today(status) + uploads(status.uploads),
            details: details(status), percentage: percentage(status.uploads))
    }

    /// The line of a status.
    static func view(_ status: StatusReply) -> StatusBarView {
        var view = cameras(status)
        // Conditions come worst first; what is only good to know does not change the state.
        if let condition = status.conditions.first(where: { $0.severity != .info }) {
            let severity = StateWords.severity(condition.severity)
            if rank(severity.tone) > rank(view.badge.tone) {
                view.badge = BadgeView(severity.tone, severity.word)
                view.headline = condition.short
                view.facts = uploads(status.uploads) + today(status)
            }
        }
        return view
    }

    // MARK: Cameras

    /// Cameras that are expected to be there. Percent would make a new line many times a second.
    private static func shown(_ cameras: [CameraReply]) -> [CameraReply] {
        cameras.filter { !$0.isIgnored }.map { camera in
            var camera = camera
            camera.progress = nil
            return camera
        }
    }

    private static func worst(_ cameras: [CameraReply]) -> CameraReply? {
        // The first of those that are equally bad: the order of the daemon is stable.
        shown(cameras).reduce(nil as CameraReply?) { found, camera in
            guard let found else { return camera }
            return rank(StateWords.camera(camera).tone) > rank(StateWords.camera(found).tone) ? camera : found
        }
    }

    private static func title(_ cameras: [CameraReply], worst: CameraReply?) -> String {
        let shown = shown(cameras)
        guard let worst else { return "FrameFast" }
        let needsName = rank(StateWords.camera(worst).tone) >= rank(.warning)
        return shown.count == 1 || needsName ? worst.name : "\(shown.count) cameras"
    }

    private static func badge(_ status: StatusReply, _ camera: CameraReply?) -> BadgeView {
        if status.state != .running {
            let state = StateWords.daemon(status.state)
            return BadgeView(state.tone, state.word)
        }
        guard let camera else { return BadgeView(.neutral, "No camera") }
        let state = StateWords.camera(camera)
        return BadgeView(state.tone, state.word)
    }

    /// How much a tone matters.
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

    private static func today(_ status: StatusReply) -> [String] {
        guard let session = status.session else {
            return ["\(Formatted.count(status.captures.shotsToday)) today"]
        }
        return [session.name, Formatted.shots(session.shots)]
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
        var lines = shown(status.cameras).map { camera in
            var facts = [StateWords.camera(camera).word]
            if let battery = camera.batteryPercent { facts.append("battery \(battery) %") }
            if let card = CameraFactLines.card(camera) { facts.append(card) }
            return "\(camera.name): " + facts.joined(separator: ", ")
        }
        lines.append("session: " + (status.session?.name ?? "none"))
        lines.append("shots today: \(Formatted.count(status.captures.shotsToday))")
        let uploads = UploadWords.statistics(status.uploads)
        if !uploads.isEmpty { lines.append("uploads: " + uploads.joined(separator: ", ")) }
        lines.append("disk: \(Formatted.size(status.disk.freeBytes)) free")
        for condition in status.conditions {
            lines.append(
                "\(StateWords.severity(condition.severity).word.lowercased()): \(ConditionLines.sentence(condition))"
            )
            if let step = condition.nextStep { lines.append("next step: \(step)") }
        }
        return lines
    }

    /// Share of the uploads that are delivered; `nil` when there are none.
    static func percentage(_ uploads: UploadStatisticsReply) -> Int? {
        let open =
            uploads.held + uploads.queued + uploads.uploading + uploads.verifying + uploads.retrying
            + uploads.failed
        let all = uploads.delivered + open
        return all > 0 ? uploads.delivered * 100 / all : nil
    }
}
