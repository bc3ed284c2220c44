import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What was sealed.
struct SealView: Presentation {
    let seal: SealReply
    let json: Data

    private var sentence: String {
        guard seal.manifest != nil else { return localized("Nothing new to seal") }
        return localized("Sealed \(UploadWords.files(seal.sealed))")
    }

    private var notes: [String] {
        [
            seal.manifest.map { localized("manifest: \(seal.folder)/\($0)") },
            seal.read > 0 ? localized("read for it: \(UploadWords.files(seal.read))") : nil,
            seal.awaitingReread > 0
                ? localized(
                    "left for the next one: \(UploadWords.files(seal.awaitingReread)) waiting for the second reading"
                )
                : nil,
            seal.leftOut > 0
                ? localized(
                    "left out: \(UploadWords.files(seal.leftOut)) outside \(seal.folder), missing or changed")
                : nil,
        ].compactMap { $0 }
    }

    func human(_ style: Style) -> [String] {
        let layout = style.page
        let tone: Tone = seal.leftOut > 0 ? .warning : .success
        return NotedView(tone: tone, head: sentence, notes: notes).lines(layout).map(style.encode)
    }

    func plain() -> [String] { ([sentence.begunSmall] + notes).map(TerminalText.escaped) }
}

/// How far a verification is, and what it found.
struct VerificationView: Presentation {
    let verification: VerificationReply
    let json: Data

    /// How far it is, in one line.
    static func progress(_ reply: VerificationReply) -> String {
        localized(
            "Verifying: \(reply.filesDone) of \(UploadWords.files(reply.files)), \(Formatted.size(reply.bytesRead))"
        )
    }

    private var head: (tone: Tone, text: String) {
        switch (verification.state, verification.result) {
        case (.running, _): (.busy, Self.progress(verification))
        case (.cancelled, _): (.neutral, localized("Verification cancelled"))
        case (_, .intact?): (.success, localized("\(UploadWords.files(verification.verified)) verified"))
        case (_, .missing?): (.danger, localized("\(UploadWords.files(verification.missing)) missing"))
        case (_, .changed?): (.danger, localized("\(UploadWords.files(verification.changed)) changed"))
        case (_, .manifestEdited?): (.danger, localized("A manifest was edited"))
        case (_, .manifestGone?): (.danger, localized("A manifest is gone"))
        case (_, .chainGone?): (.danger, localized("The chain file is gone"))
        case (_, .notSealed?): (.warning, localized("Never sealed"))
        default: (.danger, localized("Verification failed"))
        }
    }

    private var notes: [String] {
        [localized("folder: \(verification.folder)")] + (verification.reason.map { [$0] } ?? [])
            + verification.findings.map { finding in
                switch finding.what {
                case .cleared where finding.destinations.isEmpty: localized("cleared: \(finding.path)")
                case .cleared:
                    localized(
                        "cleared, delivered to \(finding.destinations.map(\.rawValue).joined(separator: ", ")): "
                    )
                        + finding.path
                default: "\(finding.what.rawValue): \(finding.path)"
                }
            }
    }

    func human(_ style: Style) -> [String] {
        NotedView(tone: head.tone, head: head.text, notes: notes).lines(style.page).map(style.encode)
    }

    func plain() -> [String] { ([head.text.begunSmall] + notes).map(TerminalText.escaped) }
}

/// A badge, and what there is to say of it below, a paragraph each.
private struct NotedView {
    let tone: Tone
    let head: String
    let notes: [String]

    func lines(_ layout: Layout) -> [Line] {
        BadgeView(tone, head).lines(layout)
            + notes.flatMap { Line.hanging([.gap(Spacing.base)], $0, to: layout.prose) }
    }
}

extension String {
    /// As it stands behind another word: units keep their capitals.
    fileprivate var begunSmall: String { prefix(1).lowercased() + dropFirst() }
}
