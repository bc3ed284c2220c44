import Foundation

extension Browser {
    /// The rules of axe-core, from the wheel that `scripts/prepare-test-servers` installs.
    private static func axe() throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(
            at: ServerPrograms.libraries, includingPropertiesForKeys: nil)
        guard
            let source = folders.lazy.compactMap({ folder in
                try? String(
                    contentsOf: folder.appending(path: "site-packages/axe_playwright_python/axe.min.js"),
                    encoding: .utf8)
            }).first
        else {
            throw WaitTimeout(description: "axe-core is missing: run scripts/prepare-test-servers")
        }
        return source
    }

    /// Checks the current page with the rules of axe-core for accessibility.
    ///
    /// - Parameter rules: The names of the rules, for example `color-contrast`, or an empty list for all
    ///   rules.
    /// - Returns: The violations, each with its rule and its first three places, or an empty list.
    public func violations(of rules: [String] = []) throws -> [String] {
        if try script("return window.axe === undefined", as: Bool.self) { try run(Self.axe()) }
        return try script(
            """
            const [rules] = arguments, options = { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) };
            const { violations } = await axe.run(document, options);
            return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ` + nodes.slice(0, 3).map((node) =>
              `${node.html.slice(0, 160)}: ${(node.any[0]?.message ?? node.failureSummary).slice(0, 200)}`).join("; "));
            """, [rules], as: [String].self)
    }
}
