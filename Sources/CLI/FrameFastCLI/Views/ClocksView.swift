import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The clocks of cameras.
struct ClocksView: ComponentPresentation {
    let reply: ClocksReply
    /// Whether the verb set the clocks.
    var wasSet = false
    let json: Data

    /// The text for cameras whose clock can be set but not read.
    private static let notAvailable = "not available"

    private static let columns: [TableView.Column] = [
        .init(heading: "Clock"), .init(heading: "Camera"), .init(heading: "Now"),
        .init(heading: "Before", lead: "before", dropOrder: 1),
    ]

    var parts: [any Component] {
        guard !reply.clocks.isEmpty || !reply.refused.isEmpty else {
            return [
                EmptyView(
                    "No camera is connected.",
                    nextStep: "See what each camera needs with `framefast cameras`.")
            ]
        }
        let rows = reply.clocks.map { clock in
            TableView.Row(
                clock.isCorrect ? .success : .warning,
                [
                    clock.isCorrect ? wasSet ? "Set" : "Correct" : "Off", clock.camera.name,
                    clock.driftMs.map(Self.words) ?? Self.notAvailable,
                    clock.driftBeforeMs.map(Self.words) ?? (wasSet ? Self.notAvailable : ""),
                ])
        }
        let table: [any Component] = rows.isEmpty ? [] : [TableView(columns: Self.columns, rows: rows)]
        return table + reply.refused.map { BannerView(.warning, "Skipped", "\($0.camera): \($0.message)") }
    }

    func plain() -> [String] {
        guard !reply.clocks.isEmpty || !reply.refused.isEmpty else { return ["clocks: none"] }
        return reply.clocks.flatMap { clock -> [String] in
            let prefix = "clock \(TerminalText.escaped(clock.camera.name))"
            let now = clock.driftMs.map(Self.words) ?? Self.notAvailable
            guard wasSet else { return ["\(prefix): \(now)"] }
            let before = clock.driftBeforeMs.map(Self.words) ?? Self.notAvailable
            return ["\(prefix): \(clock.isCorrect ? "set, " : "")\(now)", "\(prefix) before: \(before)"]
        }
            + reply.refused.map {
                "clock \(TerminalText.escaped($0.camera)) not read or set: \(TerminalText.escaped($0.message))"
            }
    }

    /// Returns a drift in words. Less than half a second is `exact`, because cameras report whole seconds.
    static func words(_ driftMs: Int) -> String {
        let seconds = (Double(abs(driftMs)) / 1000).rounded()
        guard seconds >= 1 else { return "exact" }
        return "\(Formatted.count(Int(seconds))) s \(driftMs > 0 ? "ahead" : "behind")"
    }
}
