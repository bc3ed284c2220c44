import FrameFastAPI
import TerminalUI

/// A template for the status line: text with names in braces.
struct StatusTemplate: Equatable {
    /// A name that can be used in braces.
    enum Field: String, CaseIterable {
        case glyph, word, tone, camera, cameras, battery, shots, exposure, session, photos, today, rate, free,
            held,
            queued
        case uploading, delivered, retrying, failed, percent, attention

        /// The meaning of the name, for the help.
        var meaning: String {
            switch self {
            case .glyph: "the state's symbol"
            case .word: "the state, for example Ready"
            case .tone: "the state's tone: neutral, info, busy, success, warning, danger"
            case .camera: "the camera's name, or the number of cameras"
            case .cameras: "the number of cameras"
            case .battery: "the lowest battery level, in percent"
            case .shots: "the smallest number of shots left on a card"
            case .exposure:
                "the exposure settings, for example 1/125 f/5.6 ISO 400; empty with several cameras"
            case .session: "the running session"
            case .photos: "shots of the running session: a RAW+JPEG pair counts once"
            case .today: "shots since midnight"
            case .rate: "shots in the last minute"
            case .free: "free space on the disk"
            case .held: "held uploads"
            case .queued: "queued uploads"
            case .uploading: "running uploads"
            case .delivered: "delivered uploads"
            case .retrying: "uploads being retried"
            case .failed: "failed uploads"
            case .percent: "percentage of delivered uploads"
            case .attention: "the most severe condition, in a few words"
            }
        }
    }

    /// A part of a template.
    enum Part: Equatable {
        case text(String)
        case field(Field)
    }

    let parts: [Part]

    /// The reason why a template is invalid.
    struct ParseError: Error, Equatable {
        var text: String
    }

    /// Parses a template. `{{` and `}}` are escaped braces.
    init(_ text: String) throws(ParseError) {
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
                throw ParseError(text: "unclosed brace: write {{ for a literal brace")
            }
            let name = String(rest[..<end])
            guard let field = Field(rawValue: name) else {
                let all = Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw ParseError(text: "{\(name)} is unknown: use one of \(all)")
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.field(field))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// Returns the line. Unknown values are empty.
    ///
    /// - Parameter status: The status, or `nil` while the daemon is unreachable.
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
        case .exposure: return status.exposure ?? ""
        case .free: return status.diskGuard == .away ? "" : Formatted.size(status.freeBytes)
        case .attention: return status.attention?.short ?? ""
        default: return number.map(Formatted.count) ?? ""
        }
    }
}
