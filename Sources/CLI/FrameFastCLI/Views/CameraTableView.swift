import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A table of cameras, followed by guidance for disconnected cameras.
struct CameraTableView: Presentation {
    let cameras: [CameraReply]
    let json: Data
    let now: Date

    func lines(_ layout: Layout) -> [Line] {
        var lines = CameraColumnsView(cameras: cameras, columns: CameraColumnsView.list, now: now).lines(
            layout)
        let names = CameraLabels(cameras)
        for camera in cameras where !camera.isIgnored {
            guard let guidance = camera.guidance, !camera.isConnected else { continue }
            let tone = StateWords.camera(camera).tone == .danger ? Tone.danger : .warning
            lines += [
                .empty, Line(names.name(camera.name, id: camera.id), .section).cut(to: layout.inner, layout),
            ]
            lines += GuidanceView(tone, guidance).lines(layout)
        }
        return lines
    }

    func plain() -> [String] { CameraLines.plain(cameras) }
}

/// The confirmation of a change to one camera.
struct CameraDoneView: Presentation {
    let word: String
    let camera: CameraReply
    let json: Data

    func lines(_ layout: Layout) -> [Line] {
        let state = StateWords.camera(camera)
        let gap = Span.gap(Spacing.md)
        let (head, tail) = (
            layout.badge(.success, word) + [gap], [gap] + layout.badge(state.tone, state.word)
        )
        let space = layout.inner - Line(head + tail).width
        let name = Cells.cutMiddle(TerminalText.escaped(camera.name), to: max(1, space), layout.ellipsis)
        return [Line(head + [Span(name, .emphasised)] + tail).cut(to: layout.inner, layout)]
    }

    func plain() -> [String] {
        [
            "\(word.lowercased()): \(TerminalText.escaped(camera.name))",
            "camera id: \(TerminalText.escaped(camera.id.rawValue))",
            "camera state: \(StateWords.camera(camera).word)",
        ]
    }
}

/// The result of a search for cameras on the network.
struct DiscoveryView: Presentation {
    let reply: DiscoveryReply
    let json: Data
    /// The service's cameras, with the addresses that the service uses.
    var cameras: [CameraReply] = []

    /// The steps for known cameras that have a new address.
    private var moved: [GuidanceView] {
        reply.found.compactMap { found in
            guard let id = found.camera, let port = cameras.first(where: { $0.id == id })?.port,
                port.hasPrefix("ptpip:"), TypedAddress(port) != TypedAddress(found.address)
            else { return nil }
            return GuidanceView(
                .warning, "\(id) has a new address. The service still uses \(TypedAddress(port).text).",
                steps: [
                    "Run `framefast cameras forget \(id)`. The photos are kept. If the camera is in the "
                        + "configuration, change its address there instead.",
                    "Run `framefast cameras add \(TypedAddress(found.address).text)`.",
                ])
        }
    }

    func lines(_ layout: Layout) -> [Line] {
        var lines: [Line] = []
        for found in reply.found {
            let name = found.cameraName.isEmpty ? "Camera" : found.cameraName
            let gap = Span.gap(Spacing.md)
            var spans = layout.badge(.success, "Found") + [gap, Span(name, .emphasised)]
            spans += [gap, Span(TypedAddress(found.address).text)]
            if let known = found.camera { spans += [gap, Span("known as \(known)", .caption)] }
            lines.append(Line(spans).cut(to: layout.inner, layout))
        }
        if reply.found.isEmpty {
            let guidance = reply.guidance ?? GuidanceReply(sentence: "No camera was found.")
            lines += GuidanceView(.warning, guidance).lines(layout)
        }
        for asking in reply.asking {
            lines += GuidanceView(
                .warning,
                "The camera at \(TypedAddress(asking.address).text) is waiting for you to accept this computer.",
                steps: [
                    "Accept this computer on the camera's screen.",
                    "Search again, or run `framefast connect --find`.",
                ]
            ).lines(layout)
        }
        lines += moved.flatMap { $0.lines(layout) }
        lines += TextView.wrapped(DiscoveryWords.summary(reply) + ".", .caption).lines(layout)
        if let skipped = DiscoveryWords.skippedNetworks(reply) {
            lines += TextView.wrapped(skipped).lines(layout)
        }
        if let new = reply.found.first(where: { $0.camera == nil }) {
            lines += TextView.wrapped(
                "Keep the camera connected with `framefast cameras add \(TypedAddress(new.address).text)`."
            ).lines(layout)
        }
        return lines
    }

    func plain() -> [String] {
        reply.found.map {
            "found: \(TerminalText.escaped($0.cameraName)) at \(TerminalText.escaped($0.address))"
                + ($0.camera.map { ", known as \(TerminalText.escaped($0.rawValue))" } ?? "")
        } + (reply.found.isEmpty ? ["found: none"] : [])
            + reply.asking.map { "waiting for pairing: \(TerminalText.escaped($0.address))" }
            + (reply.guidance.map { GuidanceView(.warning, $0).plain() } ?? [])
            + moved.flatMap { $0.plain() }
            + ["addresses tried: \(reply.tried)"]
            + (reply.sweep?.tooLarge ?? []).map { "not searched: \(TerminalText.escaped($0))" }
            + reply.failures.map {
                "addresses \(TerminalText.escaped(DiscoveryWords.word($0.$kind))): \($0.count)"
            }
    }
}
