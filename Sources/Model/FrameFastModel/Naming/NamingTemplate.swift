/// How a photo's file is named: text and `{tokens}`, folders separated by `/`.
public struct NamingTemplate: Hashable, Sendable {
    /// One piece of a template.
    enum Piece: Hashable, Sendable {
        case text(String)
        case token(TokenUse)
    }

    /// What is between the slashes, from the outermost folder to the file.
    let components: [[Piece]]
    /// The template as it was written.
    public let source: String
    /// What `{host}` stands for.
    let host: FleetHostName

    /// Widest counter: more digits than a working life of photos.
    public static let maximumCounterWidth = 12
    /// The template used when none is configured.
    public static let standardSource = "{session}/{date}/{camera}-{counter:05}.{ext}"

    /// Parses a template.
    ///
    /// - Parameter host: this computer, for `{host}`.
    /// - Throws: ``NamingTemplateError`` that says what to change.
    public init(_ source: String, host: FleetHostName = "host") throws(NamingTemplateError) {
        self.host = host
        guard !source.isEmpty else { throw .empty }
        guard !source.hasPrefix("/") else { throw .absolute }
        var pieces: [Piece] = []
        var rest = Substring(source)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { throw .unbalanced }
            if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
            pieces.append(.token(try TokenUse(rest[rest.index(after: brace)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        components = Self.components(of: pieces)
        self.source = source
        guard uses(.ext) else { throw .noExtension }
        guard source.split(separator: "/").allSatisfy({ $0 != ".." && $0 != "." }) else {
            throw .leavesFolder
        }
    }

    /// Whether the template has this token.
    public func uses(_ token: NamingToken) -> Bool {
        components.joined().contains { if case .token(let use) = $0 { use.token == token } else { false } }
    }

    /// The folder, below the capture directory, that all photos of a session lie in by this template; `nil` when it does not
    /// begin with `{session}/`, whatever is done to its letters.
    ///
    /// - Parameter name: Name of the session; `nil` for photos without one.
    public func folder(ofSession name: String?) -> String? {
        guard components.count > 1, components[0].count == 1, case .token(let use) = components[0][0],
            use.token == .session
        else { return nil }
        return Self.cleanedFile(SafeName.component(use.changed(name ?? NamingToken.noSession)))
    }

    /// Whether names tell cameras apart; then each camera counts for itself.
    public var separatesCameras: Bool { uses(.camera) || uses(.serial) }

    /// Bytes of a value that stay however long the names beside it are.
    private static let valueBytesKept = 24

    /// The path for a photo, relative to the capture directory. Every component is cleaned by ``SafeName``.
    ///
    /// - Parameter counter: Its running number.
    public func path(for photo: Photo, counter: Int) -> String {
        components.map { component in
            Self.name(
                component.map { piece in
                    switch piece {
                    case .text(let text): (text, isValue: false)
                    // A value is never a separator: "a/b" in a session's name stays one component.
                    case .token(let use):
                        (SafeName.component(use.text(of: photo, counter: counter, host: host)), isValue: true)
                    }
                })
        }.joined(separator: "/")
    }

    /// One component. Where it is too long its longest values give way: the numbers beside them tell photos apart.
    private static func name(_ parts: [(text: String, isValue: Bool)]) -> String {
        var parts = parts
        while true {
            let name = parts.map(\.text).joined()
            let values = parts.indices.filter { parts[$0].isValue }
            let excess = name.utf8.count - SafeName.maximumBytes
            guard excess > 0,
                let longest = values.max(by: { parts[$0].text.utf8.count < parts[$1].text.utf8.count }),
                parts[longest].text.utf8.count > valueBytesKept
            else { return cleanedFile(name) }
            let kept = max(valueBytesKept, parts[longest].text.utf8.count - excess)
            parts[longest].text = SafeName.component(SafeName.cut(parts[longest].text, toBytes: kept))
        }
    }

    /// Splits a template's pieces at its slashes. By byte: a text that begins with a combining mark would make another
    /// character of the "/" before it.
    private static func components(of pieces: [Piece]) -> [[Piece]] {
        var components: [[Piece]] = [[]]
        for piece in pieces {
            guard case .text(let text) = piece else {
                components[components.count - 1].append(piece)
                continue
            }
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index > 0 { components.append([]) }
                if !part.isEmpty { components[components.count - 1].append(.text(String(Substring(part)))) }
            }
        }
        return components.filter { !$0.isEmpty }
    }

    /// Cuts long names in the stem, so that the extension stays.
    private static func cleanedFile(_ component: String) -> String {
        let (stem, ext) = SafeName.split(component)
        guard !ext.isEmpty else { return SafeName.component(component) }
        return SafeName.component(SafeName.cut(stem, toBytes: SafeName.maximumBytes - ext.utf8.count - 1))
            + "." + ext
    }

    /// The same path with a number before the extension, for a name that is taken.
    public static func path(_ path: String, suffix: Int) -> String {
        let (folder, stem, ext) = split(path)
        return folder + stem + "-\(suffix)" + (ext.isEmpty ? "" : "." + ext)
    }

    /// The same path without its file's extension.
    static func withoutExtension(_ path: String) -> String {
        let (folder, stem, _) = split(path)
        return folder + stem
    }

    /// The folder with its `/`, and the file's stem and extension.
    private static func split(_ path: String) -> (folder: Substring, stem: String, ext: String) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (stem, ext) = SafeName.split(String(path[slash...]))
        return (path[..<slash], stem, ext)
    }
}

/// Why a template cannot be used.
public enum NamingTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was given.
    case empty
    /// It starts with `/`.
    case absolute
    /// A brace has no partner.
    case unbalanced
    /// A `..` or `.` component.
    case leavesFolder
    /// No `{ext}`: RAW and JPEG of one shot would want the same name.
    case noExtension
    /// There is no such token.
    case unknownToken(String)
    /// A width, a length or another word behind a token that it does not take.
    case badWidth(String)
    /// `{field}` without the name of one.
    case badField(String)

    /// For people: what is wrong, and where it helps what to do.
    public var description: String {
        switch self {
        case .empty: "the template is empty: try '\(NamingTemplate.standardSource)'"
        case .absolute:
            "the template starts with '/': names are inside the capture directory, leave the slash out"
        case .unbalanced: "the template has a brace without its partner: tokens look like {date}"
        case .leavesFolder:
            "the template has '.' or '..' as a folder: names stay inside the capture directory"
        case .noExtension:
            "the template has no {ext}: a RAW and its JPEG would get the same name; end it with .{ext}"
        case .unknownToken(let name):
            "there is no token {\(name)}: use one of "
                + NamingToken.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        case .badWidth(let text):
            "{\(text)} is no token: the numbers {counter} and {shot} take a width of 1 to "
                + "\(NamingTemplate.maximumCounterWidth), as in {counter:05}; texts take a length and 'upper' or "
                + "'lower', as in {camera:upper:8}"
        case .badField(let text):
            "{\(text)} names no field: write {field:job}; a name has \(FieldName.rule)"
        }
    }
}
