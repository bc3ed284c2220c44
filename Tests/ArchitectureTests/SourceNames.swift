/// The names that a Swift file declares and uses, found without the compiler.
struct SourceNames {
    /// The declared types with the names of their outer types, for example `CaptureEngine.Shared`.
    private(set) var types: Set<String> = []
    /// The declared types that other files cannot use.
    private(set) var privateTypes: Set<String> = []
    /// The global functions that other files can call.
    private(set) var functions: Set<String> = []
    /// The types that the file extends.
    private(set) var extendedTypes: Set<String> = []
    /// Whether an extension in the file adds more than nested types: members or a conformance.
    private(set) var extendsBehavior = false
    /// The used types, with the nested types that follow after dots.
    private(set) var usedTypes: Set<String> = []
    /// The functions that the file calls without a type or a value in front of the name.
    private(set) var calledFunctions: Set<String> = []
    /// The names of the declared and extended types and of their outer types, longest name first.
    ///
    /// The last name is empty and represents the module. Code in a type can omit the type's name.
    private(set) var outerTypes: [String] = []

    /// The body of a declaration.
    private struct Scope {
        /// The full name of the type, or `nil` for the body of anything else.
        var type: String?
        var isExtension = false
    }

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "actor", "protocol", "typealias", "extension",
    ]
    private static let modifiers: Set<String> = [
        "public", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]
    private static let members: Set<String> = ["func", "var", "let", "init", "subscript"]

    /// Finds the names in a source text.
    init(_ text: String) {
        let tokens = SwiftTokens.tokens(of: text)
        var scopes: [Scope] = []
        var next = Scope()
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            let before = index > 0 ? tokens[index - 1] : ""
            let after = index + 1 < tokens.count ? tokens[index + 1] : ""
            let start = index
            index += 1
            switch token {
            case "{":
                scopes.append(next)
                next = Scope()
            case "}": _ = scopes.popLast()
            case ":" where next.isExtension: recordBehavior(of: next)
            case _ where before == ".": break
            case _ where Self.kinds.contains(token) && Self.isName(after):
                guard scopes.allSatisfy({ $0.type != nil }) else { break }
                let name = Self.path(in: tokens, from: &index)
                if token == "extension" {
                    extendedTypes.insert(name)
                    next = Scope(type: name, isExtension: true)
                } else {
                    let full = scopes.last?.type.map { "\($0).\(name)" } ?? name
                    if Self.isPrivate(tokens, before: start) {
                        privateTypes.insert(full)
                    } else {
                        types.insert(full)
                    }
                    if token != "typealias" { next = Scope(type: full) }
                }
            case "func" where scopes.isEmpty && SwiftTokens.isWord(after):
                if !Self.isPrivate(tokens, before: start) { functions.insert(after) }
                index += 1
            case _ where Self.members.contains(token):
                if scopes.count == 1, scopes[0].isExtension { recordBehavior(of: scopes[0]) }
                // The name of a method is not a call.
                if token == "func" && SwiftTokens.isWord(after) { index += 1 }
            case _ where Self.isTypeName(token):
                index -= 1
                usedTypes.insert(Self.path(in: tokens, from: &index))
            case _ where SwiftTokens.isWord(token) && after == "(": calledFunctions.insert(token)
            default: break
            }
        }
        outerTypes = namesWithOuterTypes()
    }

    /// Returns the value of ``outerTypes``.
    private func namesWithOuterTypes() -> [String] {
        var outer: Set<String> = [""]
        for name in types.union(privateTypes).union(extendedTypes) {
            var rest = name[...]
            while outer.insert(String(rest)).inserted, let dot = rest.lastIndex(of: ".") {
                rest = rest[..<dot]
            }
        }
        return outer.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    private mutating func recordBehavior(of scope: Scope) {
        extendsBehavior = true
        if let type = scope.type { usedTypes.insert(type) }
    }

    /// Reads the name of a type with its nested types, and moves the index past the name.
    private static func path(in tokens: [String], from index: inout Int) -> String {
        var name = tokens[index]
        index += 1
        while index + 1 < tokens.count, tokens[index] == ".", isTypeName(tokens[index + 1]) {
            name += "." + tokens[index + 1]
            index += 2
        }
        return name
    }

    /// Whether the modifiers before a keyword make its declaration private.
    private static func isPrivate(_ tokens: [String], before keyword: Int) -> Bool {
        tokens[..<keyword].reversed().prefix { modifiers.contains($0) }
            .contains { $0 == "private" || $0 == "fileprivate" }
    }

    /// Whether the token after a keyword such as `class` is a type's name, unlike `func` in `class func`.
    private static func isName(_ token: String) -> Bool {
        SwiftTokens.isWord(token) && !members.contains(token)
    }

    private static func isTypeName(_ token: String) -> Bool {
        token.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }
}
