import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The photos on this computer, by the state of their uploads.
struct StorageView: Presentation {
    let summary: StorageSummaryReply
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "Uploads"), .init(heading: "Session"),
        .init(heading: "Files", isFigure: true, unit: "files"),
        .init(heading: "Size", isFigure: true), .init(heading: "Pending", isFigure: true, unit: "pending"),
        .init(heading: "Failed", isFigure: true, unit: "failed"),
        .init(heading: "Cleared", isFigure: true, unit: "cleared"), .init(heading: "Kept"),
    ]

    func lines(_ layout: Layout) -> [Line] {
        guard summary.total.files + summary.cleared.files > 0 else {
            return EmptyView(
                "No photos are stored here.",
                nextStep: "Take a photo with a connected camera, or run `framefast shoot`."
            ).lines(layout)
        }
        var lines = [meter.line(layout), .empty]
        lines += TableView(columns: Self.amountColumns, rows: amounts).lines(layout)
        if !summary.sessions.isEmpty {
            lines += [.empty]
            lines += TableView(columns: Self.columns, rows: summary.sessions.map(row)).lines(layout)
        }
        if summary.uploaded.files > 0 {
            lines += [.empty]
            lines += TextView.wrapped(
                "Free some space with `framefast storage clear --delivered`.", .caption
            ).lines(layout)
        }
        return lines
    }

    func plain() -> [String] {
        Self.plain(
            "photos", summary.total, summary.uploaded, summary.pending, summary.failed, summary.local,
            summary.cleared)
            + meter.plain()
            + summary.sessions.flatMap { session in
                let name = "session \(TerminalText.escaped(session.name ?? "none"))"
                return ["\(name) kept: \(TerminalText.escaped(session.keep))"]
                    + Self.plain(
                        name, session.total, session.uploaded, session.pending, session.failed, session.local,
                        session.cleared)
            }
    }

    private var meter: MeterView {
        MeterView(part: summary.uploaded.bytes, whole: summary.total.bytes, label: "uploaded")
    }

    private static let amountColumns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Files", isFigure: true),
        .init(heading: "Size", isFigure: true),
    ]

    /// The rows of the summary table, which counts all photos by state.
    private var amounts: [TableView.Row] {
        let rows: [(tone: Tone, name: String, amount: StorageAmountReply)] = [
            (.info, "Total", summary.total), (.success, "Uploaded", summary.uploaded),
            (.neutral, "Pending", summary.pending),
            (summary.failed.files > 0 ? .danger : .neutral, "Failed", summary.failed),
            (.neutral, "Local only", summary.local), (.neutral, "Cleared", summary.cleared),
        ]
        return rows.map {
            .init($0.tone, [$0.name, Formatted.count($0.amount.files), Formatted.size($0.amount.bytes)])
        }
    }

    private func row(_ session: SessionStorageReply) -> TableView.Row {
        let count = { (amount: StorageAmountReply) in
            amount.files == 0 ? "" : Formatted.count(amount.files)
        }
        let state: (word: String, tone: Tone) =
            session.failed.files > 0
            ? ("Failed", .danger)
            : session.pending.files > 0
                ? ("Pending", .neutral)
                : session.local.files > 0 ? ("Local only", .neutral) : ("Uploaded", .success)
        return TableView.Row(
            state.tone,
            [
                state.word, session.name ?? "no session", Formatted.count(session.total.files),
                Formatted.size(session.total.bytes), count(session.pending), count(session.failed),
                count(session.cleared), Self.keep(session.keep),
            ])
    }

    /// Returns the text for how long photos are kept.
    static func keep(_ word: String) -> String {
        word == "until-delivered" ? "until delivered" : TerminalText.escaped(word)
    }

    private static func plain(
        _ name: String, _ total: StorageAmountReply, _ uploaded: StorageAmountReply,
        _ pending: StorageAmountReply, _ failed: StorageAmountReply, _ local: StorageAmountReply,
        _ cleared: StorageAmountReply
    ) -> [String] {
        [
            ("total", total), ("uploaded", uploaded), ("pending", pending), ("failed", failed),
            ("local only", local), ("cleared", cleared),
        ].map { "\(name) \($0.0): \($0.1.files) files, \($0.1.bytes) bytes" }
    }
}

/// The result of clearing local files.
struct StorageClearView: ComponentPresentation {
    let amount: StorageClearReply
    let json: Data

    var parts: [any Component] {
        let what = "\(UploadWords.files(amount.files)) removed, \(Formatted.size(amount.bytes)) free"
        let done =
            amount.files > 0
            ? BadgeView(.success, what) : BadgeView(.neutral, "Nothing was removed: nothing matches.")
        guard amount.kept > 0 else { return [done] }
        return [
            done,
            TextView.wrapped(
                "\(UploadWords.files(amount.kept)) not removed: changed since the photo was saved, or missing. "
                    + "The service's log names these files.", .caption),
        ]
    }

    func plain() -> [String] {
        [
            "files removed: \(amount.files)", "bytes removed: \(amount.bytes)",
            "files not removed: \(amount.kept)",
        ]
    }
}
