import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The clocks of cameras.
struct ClocksView: ComponentPresentation {
    let reply: ClocksReply
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("Clock")), .init(heading: localized("Camera")),
            .init(heading: localized("Now")),
            .init(heading: localized("Before"), lead: localized("before"), givesWay: 1),
        ]
    }

    var parts: [any Component] {
        guard !reply.clocks.isEmpty || !reply.refused.isEmpty else {
            return [
                EmptyView(
                    localized("No camera is connected."),
                    nextStep: localized("See what they need with `framefast cameras`."))
            ]
        }
        let rows = reply.clocks.map { clock in
            TableView.Row(
                clock.driftMs == nil ? .info : clock.isRight ? .success : .warning,
                [
                    clock.driftMs == nil
                        ? localized("Not told") : clock.isRight ? localized("Right") : localized("Off"),
                    clock.camera.name,
                    clock.driftMs.map(Self.words) ?? "", clock.driftBeforeMs.map(Self.words) ?? "",
                ])
        }
        let table: [any Component] = rows.isEmpty ? [] : [TableView(columns: Self.columns, rows: rows)]
        return table
            + reply.refused.map { BannerView(.warning, localized("Skipped"), "\($0.camera): \($0.message)") }
    }

    func plain() -> [String] {
        guard !reply.clocks.isEmpty || !reply.refused.isEmpty else { return ["clocks: none"] }
        return reply.clocks.flatMap { clock in
            let prefix = "clock \(TerminalText.escaped(clock.camera.name))"
            return ["\(prefix): \(clock.driftMs.map(Self.words) ?? "not told")"]
                + (clock.driftBeforeMs.map { ["\(prefix) before: \(Self.words($0))"] } ?? [])
        }
            + reply.refused.map {
                "clock \(TerminalText.escaped($0.camera)) not told or set: \(TerminalText.escaped($0.message))"
            }
    }

    /// A drift in words: half a second is as good as none, cameras tell whole ones.
    static func words(_ driftMs: Int) -> String {
        let seconds = (Double(abs(driftMs)) / 1000).rounded()
        guard seconds >= 1 else { return localized("exact") }
        return Formatted.drift(driftMs > 0 ? Int(seconds) : -Int(seconds))
    }
}
