/// A template for file names: text and `{tokens}`, with folders separated by `/`.
public struct NamingTemplate: Hashable, Sendable {
    /// A piece of a template.
    enum Piece: Hashable, Sendable {
        case text(String)
        case token(NamingToken, width: Int)
    }

    let pieces: [Piece]
    /// The template as it was written.
    public let source: String

    /// The widest counter, in digits: more than a lifetime of photos needs.
    public static let maximumCounterWidth = 12
    /// The default template.
    public static let standardSource = "{session}/{date}/{camera}-{counter:05}.{ext}"

    /// Parses a template.
    ///
    /// - Throws: A ``NamingTemplateError`` that says what to change.
    public init(_ source: String) throws(NamingTemplateError) {
        guard !source.isEmpty else { throw .empty }
        guard !source.hasPrefix("/") else { throw .absolute }
        var pieces: [Piece] = []
        var rest = Substring(source)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { throw .unbalanced }
            if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
            pieces.append(try Self.token(rest[rest.index(after: brace)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
        self.source = source
        guard uses(.ext) else { throw .noExtension }
        guard source.split(separator: "/").allSatisfy({ $0 != ".." && $0 != "." }) else {
            throw .leavesFolder
        }
    }

    private static func token(_ text: Substring) throws(NamingTemplateError) -> Piece {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let token = NamingToken(rawValue: String(parts[0])) else {
            throw .unknownToken(String(parts[0]))
        }
        guard parts.count == 2 else { return .token(token, width: 0) }
        guard token == .counter, parts[1].allSatisfy(\.isWholeNumber), let width = Int(parts[1]),
            (1...maximumCounterWidth).contains(width)
        else { throw .badWidth(String(text)) }
        return .token(token, width: width)
    }

    /// Returns whether the template contains this token.
    public func uses(_ token: NamingToken) -> Bool {
        pieces.contains { if case .token(token, _) = $0 { true } else { false } }
    }

    /// Whether the names distinguish cameras. If so, each camera has its own counter.
    public var separatesCameras: Bool { uses(.camera) || uses(.serial) }

    /// Returns the path for a photo, relative to the capture directory. ``SafeName`` cleans every component.
    ///
    /// - Parameter counter: The photo's sequence number.
    public func path(for photo: Photo, counter: Int) -> String {
        let text = pieces.map { piece in
            switch piece {
            case .text(let text): text
            // A slash in a value is not a separator: "a/b" in a session's name stays one component.
            case .token(let token, let width):
                SafeName.component(token.text(of: photo, counter: counter, width: width))
            }
        }.joined()
        // Splits by bytes, because a value that begins with a combining mark would form one character with
        // the "/" before it.
        return text.utf8.split(separator: UInt8(ascii: "/"))
            .map { Self.cleanedFile(String(Substring($0))) }.joined(separator: "/")
    }

    /// Truncates the stem of a long name, so that the extension stays.
    private static func cleanedFile(_ component: String) -> String {
        let (stem, ext) = SafeName.split(component)
        guard !ext.isEmpty else { return SafeName.component(component) }
        return SafeName.component(SafeName.cut(stem, toBytes: SafeName.maximumBytes - ext.utf8.count - 1))
            + "." + ext
    }

    /// Returns the path with a number before the extension, for a name that already exists.
    public static func path(_ path: String, suffix: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (stem, ext) = SafeName.split(String(path[slash...]))
        return path[..<slash] + stem + "-\(suffix)" + (ext.isEmpty ? "" : "." + ext)
    }
}

/// The reason why a template is invalid.
public enum NamingTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The template is empty.
    case empty
    /// The template starts with `/`.
    case absolute
    /// A brace is unbalanced.
    case unbalanced
    /// The template has a `..` or `.` component.
    case leavesFolder
    /// The template has no `{ext}`, so the RAW and the JPEG of one shot would have the same name.
    case noExtension
    /// A token is unknown.
    case unknownToken(String)
    /// The width of a token is invalid.
    case badWidth(String)

    /// The problem and the fix, for people.
    public var description: String {
        switch self {
        case .empty: "the template is empty: try '\(NamingTemplate.standardSource)'"
        case .absolute:
            "the template starts with '/': names are relative to the capture directory, remove the slash"
        case .unbalanced: "the template has an unmatched brace: tokens look like {date}"
        case .leavesFolder:
            "the template has '.' or '..' as a folder: names stay inside the capture directory"
        case .noExtension:
            "the template has no {ext}: a RAW and its JPEG would get the same name; end it with .{ext}"
        case .unknownToken(let name):
            "there is no token {\(name)}: use one of "
                + NamingToken.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        case .badWidth(let text):
            "{\(text)} is not a token: only the counter takes a width of 1 to \(NamingTemplate.maximumCounterWidth), "
                + "as in {counter:05}"
        }
    }
}
