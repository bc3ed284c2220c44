import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// Whose shutters were released.
struct TriggerView: Presentation {
    let reply: TriggerReply
    let json: Data

    func human(_ style: Style) -> [String] {
        reply.triggered.map { style.badge(.success, "Released") + "  " + TerminalText.escaped($0) }
            + reply.refused.map {
                style.badge(.danger, "Refused") + "  " + TerminalText.escaped($0.camera) + ": "
                    + TerminalText.escaped($0.message)
            }
    }

    func plain() -> [String] {
        reply.triggered.map { "released: \(TerminalText.escaped($0))" }
            + reply.refused.map {
                "refused: \(TerminalText.escaped($0.camera)): \(TerminalText.escaped($0.message))"
            }
    }
}

/// Photos that are read once more.
struct CapturesRetryView: Presentation {
    let page: CapturesReply
    let json: Data

    func human(_ style: Style) -> [String] {
        guard !page.captures.isEmpty else { return plain() }
        return page.captures.map {
            style.badge(.busy, "Reading again") + "  " + TerminalText.escaped($0.originalName)
        }
    }

    func plain() -> [String] {
        page.captures.isEmpty
            ? ["No photo is damaged."]
            : page.captures.map { "reading again: \(TerminalText.escaped($0.originalName))" }
    }
}

/// Names, one a line.
struct NamesView: Presentation {
    let names: [String]
    let json: Data

    func human(_ style: Style) -> [String] { plain() }
    func plain() -> [String] { names.map(TerminalText.escaped) }
}

/// Versions of both ends.
struct VersionsView: Presentation {
    /// As JSON.
    struct Versions: Codable {
        var client: String
        @OrNull var daemon: String?
        @OrNull var apiVersion: Int?

        init(client: String, daemon: String?, apiVersion: Int?) {
            self.client = client
            self._daemon = OrNull(wrappedValue: daemon)
            self._apiVersion = OrNull(wrappedValue: apiVersion)
        }
    }

    let versions: Versions
    let json: Data

    func human(_ style: Style) -> [String] { plain() }

    func plain() -> [String] {
        let daemon = versions.daemon.map(TerminalText.escaped) ?? "not running"
        let api = versions.apiVersion.map { " (API \($0))" } ?? ""
        return ["framefast \(versions.client)", "framefastd \(daemon)\(api)"]
    }
}

/// Where photos go after a person said that it is right.
struct StorageAdoptView: Presentation {
    let disk: DiskReply
    let json: Data

    func human(_ style: Style) -> [String] { plain() }
    func plain() -> [String] { ["Photos go to \(TerminalText.escaped(disk.directory))."] }
}
