import FrameFastAPI
import TerminalUI

/// A person's own status line: text with `{names}`.
struct StatusTemplate: Equatable {
    /// What can stand in braces.
    enum Field: String, CaseIterable {
        case glyph, word, tone, camera, cameras, battery, shots, session, photos, today, rate, free, held,
            queued
        case uploading, delivered, retrying, failed, percent, attention

        /// One line for people.
        var meaning: String {
            switch self {
            case .glyph: "the sign of the state"
            case .word: "the state, for example Ready"
            case .tone: "what the state means: neutral, info, busy, success, warning, danger"
            case .camera: "the camera, or how many"
            case .cameras: "how many cameras there are"
            case .battery: "the lowest battery in percent"
            case .shots: "the fewest shots left on a card"
            case .session: "the running session"
            case .photos: "shots of the running session: a RAW and its JPEG are one"
            case .today: "shots since midnight"
            case .rate: "shots in the last minute"
            case .free: "free space on the disk"
            case .held: "uploads that are held"
            case .queued: "uploads that wait"
            case .uploading: "uploads on their way"
            case .delivered: "uploads that are there"
            case .retrying: "uploads that are retried"
            case .failed: "uploads that were given up"
            case .percent: "share of the uploads that are there"
            case .attention: "what is the matter, worst first"
            }
        }
    }

    /// A part of a template.
    enum Part: Equatable {
        case text(String)
        case field(Field)
    }

    let parts: [Part]

    /// Why a template is not taken.
    struct Complaint: Error, Equatable {
        var text: String
    }

    /// Reads a template; `{{` and `}}` are braces.
    init(_ text: String) throws(Complaint) {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.first {
            rest.removeFirst()
            if character == "{" || character == "}", rest.first == character {
                rest.removeFirst()
                plain.append(character)
                continue
            }
            guard character == "{" else {
                plain.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw Complaint(text: "a brace is not closed; {{ is a brace")
            }
            let name = String(rest[..<end])
            guard let field = Field(rawValue: name) else {
                let all = Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw Complaint(text: "{\(name)} is not known; there are \(all)")
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.field(field))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// The line. What is not known is empty.
    ///
    /// - Parameter status: `nil` while the daemon is away.
    func text(_ view: StatusBarView, _ status: StatusSummaryReply?, hasUnicode: Bool) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): Self.value(field, view, status, hasUnicode)
            }
        }.joined()
    }

    private static func value(
        _ field: Field, _ view: StatusBarView, _ status: StatusSummaryReply?, _ hasUnicode: Bool
    ) -> String {
        switch field {
        case .glyph: return view.badge.tone.glyph.text(hasUnicode: hasUnicode)
        case .word: return view.badge.word
        case .tone: return view.badge.tone.word
        case .camera: return view.title
        default: break
        }
        guard let status else { return "" }
        let number: Int? =
            switch field {
            case .cameras: status.cameras.reduce(0) { $0 + $1.count }
            case .battery: status.batteryPercent
            case .shots: status.shotsLeft
            case .photos: status.sessionShots
            case .today: status.shotsToday
            case .rate: status.shotsPerMinute
            case .held: status.uploads.held
            case .queued: status.uploads.queued
            case .uploading: status.uploads.uploading + status.uploads.verifying
            case .delivered: status.uploads.delivered
            case .retrying: status.uploads.retrying
            case .failed: status.uploads.failed
            case .percent: view.percentage
            default: nil
            }
        switch field {
        case .session: return status.sessionName ?? ""
        case .free: return Formatted.size(status.freeBytes)
        case .attention: return status.attention?.short ?? ""
        default: return number.map(Formatted.count) ?? ""
        }
    }
}
