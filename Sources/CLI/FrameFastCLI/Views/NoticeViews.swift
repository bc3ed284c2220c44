import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The notices, and why they do not arrive.
struct NoticesView: ComponentPresentation {
    let notices: [NoticeReply]
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Notice")),
            .init(heading: localized("Kind")), .init(heading: localized("Waiting")),
        ]
    }

    var parts: [any Component] {
        guard !notices.isEmpty else {
            return [
                EmptyView(
                    localized("No notices."),
                    nextStep: localized("Add a [[notice]] table to the configuration."))
            ]
        }
        let rows = notices.map { notice in
            TableView.Row(
                notice.failure == nil ? .success : .warning,
                [
                    notice.failure == nil ? localized("Ready") : localized("Failing"), notice.name.rawValue,
                    notice.kind.rawValue,
                    notice.waiting == 0 ? "" : Formatted.count(notice.waiting),
                ])
        }
        let failures = notices.compactMap { notice in
            notice.failure.map {
                GuidanceView(
                    .warning, "\(notice.name): \($0).",
                    steps: [localized("Try it: framefast notice test \(notice.name)")])
            }
        }
        return [TableView(columns: Self.columns, rows: rows)]
            + failures.flatMap { [TextView.gap, $0] as [any Component] }
    }

    func plain() -> [String] {
        guard !notices.isEmpty else { return ["notices: none"] }
        return notices.flatMap { notice in
            let name = TerminalText.escaped(notice.name.rawValue)
            return ["notice \(name): \(notice.kind.rawValue), \(notice.waiting) waiting"]
                + (notice.failure.map { ["notice \(name) failing: \(TerminalText.escaped($0))"] } ?? [])
        }
    }
}

/// What came of test notices.
struct NoticeTestView: ComponentPresentation {
    let replies: [NoticeTestReply]
    let json: Data

    var parts: [any Component] {
        guard !replies.isEmpty else {
            return [
                EmptyView(
                    localized("No notices."),
                    nextStep: localized("Add a [[notice]] table to the configuration."))
            ]
        }
        return replies.map { reply in
            GuidanceView(
                reply.ok ? .success : .danger, "\(reply.notice): \(reply.sentence)",
                steps: reply.nextStep.map { [$0] } ?? [])
        }
    }

    func plain() -> [String] {
        guard !replies.isEmpty else { return ["notices: none"] }
        return replies.flatMap { reply in
            let name = TerminalText.escaped(reply.notice.rawValue)
            return [
                "notice \(name): \(reply.ok ? "works" : "failed")",
                "result: \(TerminalText.escaped(reply.sentence))", "milliseconds: \(reply.tookMs)",
            ] + (reply.nextStep.map { ["next step: \(TerminalText.escaped($0))"] } ?? [])
        }
    }
}
