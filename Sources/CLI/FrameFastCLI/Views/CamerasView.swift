import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct CamerasView: Presentation {
    let cameras: [CameraReply]
    let json: Data

    func human(_ style: Style) -> [String] {
        guard !cameras.isEmpty else {
            return [
                style.dim("No cameras. Connect one with `framefast connect`.")
            ]
        }
        let names = cameras.map { TerminalText.escaped($0.name) }
        let models = cameras.map { TerminalText.escaped($0.model ?? "") }
        let words = cameras.map(StateWords.camera)
        let nameWidth = names.map(\.count).max() ?? 0
        let modelWidth = models.map(\.count).max() ?? 0
        let wordWidth = words.map(\.word.count).max() ?? 0
        return cameras.indices.map { index in
            let row =
                style.badge(words[index].tone, words[index].word, width: wordWidth) + "  "
                + style.bold(style.padded(names[index], nameWidth)) + "  "
                + style.padded(models[index], modelWidth) + "  "
                + Self.facts(cameras[index]).joined(separator: style.dot)
            return String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    func plain() -> [String] {
        guard !cameras.isEmpty else { return ["cameras: none"] }
        return cameras.flatMap { camera in
            let prefix = "camera \(TerminalText.escaped(camera.name))"
            var lines = ["\(prefix): \(StateWords.camera(camera).word)"]
            if let model = camera.model { lines.append("\(prefix) model: \(TerminalText.escaped(model))") }
            if let serial = camera.serial {
                lines.append("\(prefix) serial: \(TerminalText.escaped(serial))")
            }
            if let port = camera.port { lines.append("\(prefix) port: \(TerminalText.escaped(port))") }
            if let battery = camera.batteryPercent { lines.append("\(prefix) battery: \(battery) percent") }
            if let shots = camera.shotsLeft { lines.append("\(prefix) shots left: \(shots)") }
            if let target = camera.captureTarget {
                lines.append("\(prefix) capture target: \(TerminalText.escaped(target))")
            }
            if let drift = camera.clockDriftSeconds {
                lines.append("\(prefix) clock drift seconds: \(drift)")
            }
            lines += needs(camera).map { "\(prefix) \($0)" }
            if camera.pending > 0 { lines.append("\(prefix) photos to fetch: \(camera.pending)") }
            if let last = camera.lastCapture {
                lines.append("\(prefix) last photo: \(TerminalText.escaped(last.path))")
            }
            return lines
        }
    }

    /// Its mode, when it was there, what it needs.
    private func needs(_ camera: CameraReply) -> [String] {
        var lines: [String] = []
        if let mode = camera.mode { lines.append("mode: \(TerminalText.escaped(mode))") }
        if let seen = camera.lastSeenAt { lines.append("last seen: \(WireTime.text(of: seen))") }
        if camera.isIgnored { lines.append("is left alone") }
        guard let guidance = camera.guidance, !camera.isIgnored else { return lines }
        lines.append("needs: \(TerminalText.escaped(guidance.sentence))")
        return lines
            + guidance.steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }

    /// Seconds between the clocks below which nobody needs to know: cameras show minutes.
    private static let driftSecondsShown = 5

    private static func facts(_ camera: CameraReply) -> [String] {
        var facts: [String] = []
        if let battery = camera.batteryPercent { facts.append("battery \(battery) %") }
        if let shots = camera.shotsLeft { facts.append("\(Formatted.count(shots)) shots left") }
        if camera.pending > 0 { facts.append("\(Formatted.photos(camera.pending)) to fetch") }
        if let drift = camera.clockDriftSeconds, abs(drift) >= driftSecondsShown {
            facts.append("clock \(abs(drift)) s \(drift > 0 ? "ahead" : "behind")")
        }
        if let last = camera.lastCapture {
            let name = last.path.split(separator: "/").last.map(String.init) ?? last.path
            facts.append("last \(TerminalText.escaped(name)) \(Formatted.age(of: last.savedAt))")
        }
        return facts
    }
}
