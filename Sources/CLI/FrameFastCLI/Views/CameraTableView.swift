import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The cameras as a table, and below it what some of them need.
struct CameraTableView: Presentation {
    let cameras: [CameraReply]
    let json: Data
    var now = Date()

    func human(_ style: Style) -> [String] {
        let layout = style.page
        var lines = CameraColumnsView(cameras: cameras, columns: CameraColumnsView.list, now: now).lines(
            layout)
        let names = CameraLabels(cameras)
        for camera in cameras where !camera.isIgnored {
            guard let guidance = camera.guidance, !camera.isConnected else { continue }
            let tone = StateWords.camera(camera).tone == .danger ? Tone.danger : .warning
            lines += [
                .empty, Line(names.name(camera.name, id: camera.id), .strong).cut(to: layout.inner, layout),
            ]
            lines += GuidanceView(tone, guidance).lines(layout)
        }
        return lines.map(style.encode)
    }

    func plain() -> [String] { CameraLines.plain(cameras) }
}

/// One camera after something was done to it.
struct CameraDoneView: Presentation {
    let word: String
    let camera: CameraReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let state = StateWords.camera(camera)
        let layout = style.page
        return [
            Line(
                layout.badge(.success, word) + [Span("  "), Span(camera.name, .strong), Span("  ")]
                    + layout.badge(state.tone, state.word))
        ].map(style.encode)
    }

    func plain() -> [String] {
        [
            "\(word.lowercased()): \(TerminalText.escaped(camera.name))",
            "camera id: \(TerminalText.escaped(camera.id))",
            "camera state: \(StateWords.camera(camera).word)",
        ]
    }
}

/// What was found on the network.
struct DiscoveryView: Presentation {
    let reply: DiscoveryReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let layout = style.page
        var lines: [Line] = []
        for found in reply.found {
            let name = found.cameraName.isEmpty ? "Camera" : found.cameraName
            var spans = layout.badge(.success, "Found") + [Span("  "), Span(name, .strong)]
            spans += [Span("  " + TypedAddress(found.address).text)]
            if let known = found.camera { spans += [Span("  known as " + known, .dim)] }
            lines.append(Line(spans))
        }
        if reply.found.isEmpty {
            let guidance = reply.guidance ?? GuidanceReply(sentence: "No camera was found.")
            lines += GuidanceView(.warning, guidance).lines(layout)
        }
        for asking in reply.asking {
            lines.append(
                Line(
                    "Accept this computer on its screen, then look again, or run `framefast connect --find`.")
            )
            lines.append(Line("Where: \(TypedAddress(asking.address).text)", .dim))
        }
        lines += Cells.wrap(DiscoveryWords.summary(reply) + ".", to: layout.width).map { Line($0, .dim) }
        if let new = reply.found.first(where: { $0.camera == nil }) {
            lines.append(
                Line("Keep it connected with `framefast cameras add \(TypedAddress(new.address).text)`."))
        }
        return lines.map(style.encode)
    }

    func plain() -> [String] {
        reply.found.map {
            "found: \(TerminalText.escaped($0.cameraName)) at \(TerminalText.escaped($0.address))"
                + ($0.camera.map { ", known as \(TerminalText.escaped($0))" } ?? "")
        } + (reply.found.isEmpty ? ["found: none"] : [])
            + reply.asking.map { "asks for pairing: \(TerminalText.escaped($0.address))" }
            + (reply.guidance.map { GuidanceView(.warning, $0).plain() } ?? [])
            + ["addresses tried: \(reply.tried)"]
            + reply.failures.map {
                "addresses \(TerminalText.escaped(DiscoveryWords.word($0.kind))): \($0.count)"
            }
    }
}
