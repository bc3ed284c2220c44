/// JavaScript modules that are joined into one module. Without a bundle, a browser would load the modules one
/// after another.
///
/// Each import is one line, `import { a, b } from "./name.js";`. All modules of a bundle share one scope, so
/// a top-level name may exist only once in a bundle.
struct ModuleBundle {
    /// The names of the modules, each after the modules that it imports.
    private(set) var modules: [String] = []
    /// The names that the modules import from other bundles.
    private(set) var imports: Set<String> = []
    /// The names that the root module exports.
    private var exports: [String] = []
    /// The texts of all modules, without imports.
    private var body = ""

    private let sources: [String: String]
    private let others: Set<String>

    /// Joins a module with all modules that it imports.
    ///
    /// - Parameters:
    ///   - root: The name of the module.
    ///   - sources: The texts of all modules, by name.
    ///   - others: The names of modules that belong to another bundle.
    init(root: String, sources: [String: String], others: Set<String> = []) {
        self.sources = sources
        self.others = others
        var visited: Set<String> = []
        add(root, to: &visited)
        exports = (sources[root] ?? "").split(separator: "\n").flatMap(Self.exportedNames)
    }

    /// Returns the text of the joined module.
    ///
    /// - Parameters:
    ///   - file: The name of the file that exports the names in ``imports``.
    ///   - more: Names that other bundles import from this bundle.
    func text(importingFrom file: String, exporting more: Set<String> = []) -> String {
        let imported = imports.sorted().joined(separator: ", ")
        let exported = (exports + more.sorted()).joined(separator: ", ")
        var text = imported.isEmpty ? "" : "import { \(imported) } from \"./\(file)\";\n"
        text += body
        if !exported.isEmpty { text += "export { \(exported) };\n" }
        return text
    }

    private mutating func add(_ name: String, to visited: inout Set<String>) {
        guard visited.insert(name).inserted, let source = sources[name] else { return }
        var own = ""
        for line in source.split(separator: "\n") {
            if let (names, file) = Self.importedNames(line) {
                if others.contains(file) { imports.formUnion(names) } else { add(file, to: &visited) }
            } else {
                own.append(contentsOf: line.hasPrefix("export ") ? line.dropFirst(7) : line)
                own.append("\n")
            }
        }
        body += own
        modules.append(name)
    }

    /// Returns the names and the file of an import, or `nil` for another line.
    private static func importedNames(_ line: Substring) -> (names: [String], file: String)? {
        let parts = line.split(separator: "\"")
        guard line.hasPrefix("import { "), parts.count == 3, let list = parts[0].split(separator: "}").first
        else { return nil }
        return (names(in: list.dropFirst(9)), String(parts[1].dropFirst(2)))
    }

    /// Returns the names that a line exports: a function, a variable, or variables in braces.
    private static func exportedNames(_ line: Substring) -> [String] {
        guard line.hasPrefix("export ") else { return [] }
        let words = line.dropFirst(7).split(separator: " ").drop { $0 == "async" }.dropFirst()
        if words.first == "{" { return names(in: line.split(separator: "}")[0].split(separator: "{")[1]) }
        return words.first.map { [String($0.prefix { $0.isLetter || $0.isNumber })] } ?? []
    }

    private static func names(in list: Substring) -> [String] {
        list.split(separator: ",").map { String($0.filter { $0 != " " }) }
    }
}
