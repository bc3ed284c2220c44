import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// Whose shutters were released.
struct TriggerView: ComponentPresentation {
    let reply: TriggerReply
    let json: Data

    private static var words: (released: String, refused: String) {
        (released: localized("Released"), refused: localized("Refused"))
    }

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

/// Photos that are read once more.
struct CapturesRetryView: ComponentPresentation {
    let page: CapturesReply
    let json: Data

    var parts: [any Component] {
        page.captures.isEmpty
            ? [EmptyView(localized("No photo is damaged."))]
            : [
                BadgeView(.busy, localized("Reading \(Formatted.photos(page.captures.count)) again")),
                NamesView(page.captures.map(\.originalName)),
            ]
    }

    func plain() -> [String] {
        page.captures.isEmpty
            ? ["No photo is damaged."]
            : page.captures.map { "reading again: \(TerminalText.escaped($0.originalName))" }
    }
}

/// The names that a template would give, one a line.
struct TemplateNamesView: ComponentPresentation {
    let names: [String]
    let json: Data

    var parts: [any Component] { [NamesView(names)] }
    func plain() -> [String] { NamesView(names).plain() }
}

/// Versions of both ends.
struct VersionsView: ComponentPresentation {
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

    var parts: [any Component] {
        [InfoRowView(rows: [("framefast", versions.client), ("framefastd", daemon)])]
    }

    func plain() -> [String] {
        ["framefast \(versions.client)", "framefastd \(TerminalText.escaped(daemon))"]
    }

    private var daemon: String {
        (versions.daemon ?? localized("not running"))
            + (versions.apiVersion.map { localized(" (API \($0))") } ?? "")
    }
}

/// Where photos go after a person said that it is right.
struct StorageAdoptView: ComponentPresentation {
    let disk: DiskReply
    let json: Data

    var parts: [any Component] { [BannerView(.success, localized("Adopted"), sentence)] }
    func plain() -> [String] { [TerminalText.escaped(sentence)] }

    private var sentence: String { localized("Photos go to \(disk.directory).") }
}
