import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The result of releasing shutters, camera by camera.
struct TriggerView: ComponentPresentation {
    let reply: TriggerReply
    let json: Data

    private static let words = (released: "Released", refused: "Refused")

    var parts: [any Component] {
        let cells = max(Cells.width(Self.words.released), Cells.width(Self.words.refused))
        return reply.triggered.map { BannerView(.success, Self.words.released, $0, wordCells: cells) }
            + reply.refused.map { refused in
                BannerView(
                    .danger, Self.words.refused, "\(refused.camera): \(refused.message)", wordCells: cells)
            }
    }

    func plain() -> [String] {
        reply.triggered.map { "released: \(TerminalText.escaped($0))" }
            + reply.refused.map {
                "refused: \(TerminalText.escaped($0.camera)): \(TerminalText.escaped($0.message))"
            }
    }
}

/// The damaged photos that the daemon reads again.
struct CapturesRetryView: ComponentPresentation {
    let page: CapturesReply
    let json: Data

    var parts: [any Component] {
        page.captures.isEmpty
            ? [EmptyView("No photo is damaged.")]
            : [
                BadgeView(.busy, "Reading \(Formatted.photos(page.captures.count)) again"),
                NamesView(page.captures.map(\.originalName)),
            ]
    }

    func plain() -> [String] {
        page.captures.isEmpty
            ? ["No photo is damaged."]
            : page.captures.map { "reading again: \(TerminalText.escaped($0.originalName))" }
    }
}

/// The file names that a template would produce, one per line.
struct TemplateNamesView: ComponentPresentation {
    let names: [String]
    let json: Data

    var parts: [any Component] { [NamesView(names)] }
    func plain() -> [String] { NamesView(names).plain() }
}

/// The versions of `framefast` and `framefastd`.
struct VersionsView: ComponentPresentation {
    /// The versions, as `framefast version` prints them in JSON.
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

    var parts: [any Component] {
        [InfoRowView(rows: [("framefast", versions.client), ("framefastd", daemon)])]
    }

    func plain() -> [String] {
        ["framefast \(versions.client)", "framefastd \(TerminalText.escaped(daemon))"]
    }

    private var daemon: String {
        (versions.daemon ?? "not running") + (versions.apiVersion.map { " (API \($0))" } ?? "")
    }
}

/// The confirmation that a disk was adopted for photos.
struct StorageAdoptView: ComponentPresentation {
    let disk: DiskReply
    let json: Data

    var parts: [any Component] { [BannerView(.success, "Adopted", sentence)] }
    func plain() -> [String] { [TerminalText.escaped(sentence)] }

    private var sentence: String { "Photos are saved in \(disk.directory)." }
}
