import Foundation
import Repository
import TestRig
import Testing

/// axe-core, unpacked by `scripts/prepare-test-servers`.
struct Axe {
    /// Its program; `nil` when it was not unpacked.
    static let script: String? = try? String(
        contentsOf: Repository.file(".build/test-servers/axe.min.js"), encoding: .utf8)

    /// Why nothing can be looked at here; `nil` when it can.
    static let obstacle: String? =
        Browser.obstacle ?? (script == nil ? "axe-core is missing: scripts/prepare-test-servers" : nil)

    /// What people want of a page, in turn.
    static let wishes = [
        ["prefers-color-scheme": "light"], ["prefers-color-scheme": "dark"],
        ["prefers-color-scheme": "light", "prefers-contrast": "more"],
        ["prefers-color-scheme": "dark", "prefers-contrast": "more"],
        ["prefers-color-scheme": "dark", "forced-colors": "active"],
    ]

    let script: String
    /// Rules that do not hold for what is looked at.
    var without: [String] = []

    /// Expects that no rule is broken, whatever a person wants.
    func expectNothing(
        in page: Browser, _ view: String, _ place: SourceLocation = #_sourceLocation
    ) async throws {
        let rules = without.map { "'\($0)': { enabled: false }" }.joined(separator: ", ")
        try await page.command("Runtime.evaluate", ["expression": script])
        for wish in Self.wishes {
            try await page.prefer(wish.merging(["prefers-reduced-motion": "reduce"]) { $1 })
            try await page.run(
                "window.found = null; axe.run({ rules: { \(rules) } }).then((result) => { window.found = result.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`); })"
            )
            try await page.wait("axe", "return window.found !== null")
            let found = try await page.run("return window.found") as? [String] ?? ["?"]
            #expect(found == [], "\(view), \(wish.values.sorted())", sourceLocation: place)
        }
    }
}
