import FoundationEssentials
import FrameFastAPI

/// The cameras as a table, and below it what some of them need.
struct CameraTableView: Presentation {
    let cameras: [CameraReply]
    let json: Data
    var now = Date()

    private static let headings = ["State", "Name", "Model", "Battery", "Card", "Where", "Last seen"]

    func human(_ style: Style) -> [String] {
        let layout = style.layout()
        guard !cameras.isEmpty else {
            return [
                Line("No cameras.", .strong), Line("Connect one with `framefast connect`.", .dim),
            ].map(style.encode)
        }
        let table = self.table(layout)
        let fits = table.allSatisfy { $0.width <= (style.columns ?? .max) }
        var lines = fits ? table : cameras.flatMap { stacked($0, layout) }
        for camera in cameras where !camera.isIgnored {
            guard let guidance = camera.guidance, !camera.isConnected else { continue }
            let tone = StateWords.camera(camera).tone == .danger ? Tone.danger : .warning
            lines += [.empty, Line(camera.name, .strong)]
            lines += GuidanceView(tone, guidance).lines(layout)
        }
        return lines.map(style.encode)
    }

    func plain() -> [String] {
        CamerasView(cameras: cameras, json: json).plain()
    }

    private func cells(_ camera: CameraReply) -> [String] {
        [
            StateWords.camera(camera).word, camera.name, CameraFacts.model(camera) ?? "",
            camera.batteryPercent.map { "\($0) %" } ?? "", CameraFacts.cardShort(camera) ?? "",
            CameraFacts.place(camera) ?? "", lastSeen(camera) ?? "",
        ].map(TerminalText.escaped)
    }

    private func lastSeen(_ camera: CameraReply) -> String? {
        if camera.isConnected { return "now" }
        return camera.lastSeenAt.map { Figures.age(of: $0, now: now) }
    }

    /// A line a camera; columns that nobody fills are left out, figures stand right.
    private func table(_ layout: Layout) -> [Line] {
        let rows = cameras.map(cells)
        let columns = Self.headings.indices.filter { column in
            column < 2 || rows.contains { !$0[column].isEmpty }
        }
        let widths = Self.headings.indices.map { column in
            max(Cells.width(Self.headings[column]), rows.map { Cells.width($0[column]) }.max() ?? 0)
        }
        let figures: Set = [3, 4]
        let cell = { (text: String, column: Int) -> String in
            let gap = String(repeating: " ", count: widths[column] - Cells.width(text))
            return figures.contains(column) ? gap + text : text + gap
        }
        let gutter = layout.hasUnicode ? 2 : 3
        let head = Line(
            [Span(String(repeating: " ", count: gutter))]
                + columns.map { Span(cell(Self.headings[$0], $0) + "  ", .dim) })
        let lines =
            [head]
            + zip(cameras, rows).map { camera, row in
                let tone = StateWords.camera(camera).tone
                return Line(
                    [layout.glyph(tone), Span(" ")]
                        + columns.map { column in
                            let role: Span.Role =
                                column == 0 ? .tone(tone) : column == 1 ? .strong : .plain
                            return Span(cell(row[column], column) + "  ", role)
                        })
            }
        return lines.map { Line(Self.withoutTrailingSpace($0.spans)) }
    }

    private static func withoutTrailingSpace(_ spans: [Span]) -> [Span] {
        guard let last = spans.last else { return spans }
        let text = String(last.text.reversed().drop { $0 == " " }.reversed())
        return text.isEmpty
            ? withoutTrailingSpace(Array(spans.dropLast())) : spans.dropLast() + [Span(text, last.role)]
    }

    /// State and name, and below them the facts: for terminals that are too narrow for a table.
    private func stacked(_ camera: CameraReply, _ layout: Layout) -> [Line] {
        let state = StateWords.camera(camera)
        let facts = cells(camera).dropFirst(2).filter { !$0.isEmpty }.joined(separator: layout.dot)
        let head = Line(layout.badge(state.tone, state.word) + [Span("  "), Span(camera.name, .strong)])
        return [head.cut(to: layout.width, layout)]
            + Cells.wrap(facts, to: layout.width - 3).map { Line($0, .dim).indented(2) }
    }
}

/// One camera after something was done to it.
struct CameraDoneView: Presentation {
    let word: String
    let camera: CameraReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let state = StateWords.camera(camera)
        let layout = style.layout()
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
        let layout = style.layout()
        var lines: [Line] = []
        for found in reply.found {
            let name = found.cameraName.isEmpty ? "Camera" : found.cameraName
            var spans = layout.badge(.success, "Found") + [Span("  "), Span(name, .strong)]
            spans += [Span("  " + NetworkAddress(found.address).text)]
            if let known = found.camera { spans += [Span("  known as " + known, .dim)] }
            lines.append(Line(spans))
        }
        if reply.found.isEmpty {
            let guidance = reply.guidance ?? GuidanceReply(sentence: "No camera was found.")
            lines += GuidanceView(.warning, guidance).lines(layout)
        }
        lines += Cells.wrap(DiscoveryWords.summary(reply) + ".", to: layout.width).map { Line($0, .dim) }
        if let new = reply.found.first(where: { $0.camera == nil }) {
            lines.append(
                Line("Keep it connected with `framefast cameras add \(NetworkAddress(new.address).text)`."))
        }
        return lines.map(style.encode)
    }

    func plain() -> [String] {
        reply.found.map {
            "found: \(TerminalText.escaped($0.cameraName)) at \(TerminalText.escaped($0.address))"
                + ($0.camera.map { ", known as \(TerminalText.escaped($0))" } ?? "")
        } + (reply.found.isEmpty ? ["found: none"] : [])
            + (reply.guidance.map { GuidanceView(.warning, $0).plain() } ?? [])
            + ["addresses tried: \(reply.tried)"]
            + reply.failures.map {
                "addresses \(TerminalText.escaped(DiscoveryWords.word($0.kind))): \($0.count)"
            }
    }
}
