import FrameFastAPI
import TerminalUI

/// All facts about cameras, as plain text.
enum CameraLines {
    static func plain(_ cameras: [CameraReply]) -> [String] {
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
            if let shots = camera.burstShotsLeft { lines.append("\(prefix) buffer space: \(shots)") }
            if let waiting = camera.inMemory { lines.append("\(prefix) photos in memory: \(waiting)") }
            if let now = OperationView.summary(camera) { lines.append("\(prefix) activity: \(now)") }
            if let exposure = camera.exposure {
                lines.append("\(prefix) exposure: \(TerminalText.escaped(exposure.text))")
            }
            if let target = camera.captureTarget {
                lines.append("\(prefix) capture target: \(TerminalText.escaped(target))")
            }
            if let drift = camera.clockDriftSeconds {
                lines.append("\(prefix) clock drift seconds: \(drift)")
            }
            if let listing = CameraFactLines.listing(camera) { lines.append("\(prefix) \(listing)") }
            lines += stateDetails(camera).map { "\(prefix) \($0)" }
            if camera.pending > 0 { lines.append("\(prefix) photos to fetch: \(camera.pending)") }
            if let last = camera.lastCapture {
                lines.append("\(prefix) last photo: \(TerminalText.escaped(last.path))")
            }
            return lines
        }
    }

    /// Returns the camera's mode, the time when the service last saw the camera, and the camera's guidance.
    private static func stateDetails(_ camera: CameraReply) -> [String] {
        var lines: [String] = []
        if let mode = camera.mode { lines.append("mode: \(TerminalText.escaped(mode))") }
        if let seen = camera.lastSeenAt { lines.append("last seen: \(WireTime.text(of: seen))") }
        if camera.isIgnored { lines.append("ignored") }
        guard let guidance = camera.guidance, !camera.isIgnored else { return lines }
        lines.append("needs: \(TerminalText.escaped(guidance.sentence))")
        return lines
            + guidance.steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }
}
