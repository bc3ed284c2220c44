/// A template for file names: text and `{tokens}`, with folders separated by `/`.
public struct NamingTemplate: Hashable, Sendable {
    /// A part of a template.
    enum Part: Hashable, Sendable {
        case text(String)
        case token(NamingToken, width: Int)
    }

    let parts: [Part]

    /// The largest width of a counter, in digits.
    public static let maximumCounterWidth = 12
    /// The default template.
    public static let standardSource = "{session}/{date}/{camera}-{counter:05}.{ext}"

    /// Creates a template from its text.
    ///
    /// - Throws: A ``NamingTemplateError`` that describes the problem and the fix.
    public init(_ source: String) throws(NamingTemplateError) {
        guard !source.isEmpty else { throw .empty }
        guard !source.hasPrefix("/") else { throw .absolute }
        var parts: [Part] = []
        var rest = Substring(source)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { throw .unbalanced }
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            parts.append(try Self.token(rest[rest.index(after: brace)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
        guard uses(.ext) else { throw .noExtension }
        guard source.split(separator: "/").allSatisfy({ $0 != ".." && $0 != "." }) else {
            throw .leavesFolder
        }
    }

    private static func token(_ text: Substring) throws(NamingTemplateError) -> Part {
        let fields = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let token = NamingToken(rawValue: String(fields[0])) else {
            throw .unknownToken(String(fields[0]))
        }
        guard fields.count == 2 else { return .token(token, width: 0) }
        guard token == .counter, fields[1].allSatisfy(\.isWholeNumber), let width = Int(fields[1]),
            (1...maximumCounterWidth).contains(width)
        else { throw .badWidth(String(text)) }
        return .token(token, width: width)
    }

    /// Returns whether the template contains this token.
    public func uses(_ token: NamingToken) -> Bool {
        parts.contains { if case .token(token, _) = $0 { true } else { false } }
    }

    /// Whether the template contains the camera's name or serial number. If so, each camera has its own
    /// counter.
    public var separatesCameras: Bool { uses(.camera) || uses(.serial) }

    /// Returns the path for a photo, relative to the capture directory. ``SafeName`` makes every component
    /// safe.
    ///
    /// - Parameter counter: The photo's sequence number.
    public func path(for photo: Photo, counter: Int) -> String {
        let text = parts.map { part in
            switch part {
            case .text(let text): text
            // A slash in a value is not a separator. A session named "a/b" is one component.
            case .token(let token, let width):
                SafeName.component(token.text(of: photo, counter: counter, width: width))
            }
        }.joined()
        // Splits by bytes, because a "/" and a combining mark at the start of a value form one character.
        return text.utf8.split(separator: UInt8(ascii: "/"))
            .map { Self.cleanedFile(String(Substring($0))) }.joined(separator: "/")
    }

    /// Truncates the stem of a long name, and keeps its extension.
    private static func cleanedFile(_ component: String) -> String {
        let (stem, ext) = SafeName.split(component)
        guard !ext.isEmpty else { return SafeName.component(component) }
        return SafeName.component(SafeName.cut(stem, toBytes: SafeName.maximumBytes - ext.utf8.count - 1))
            + "." + ext
    }

    /// Returns the path with a number before the extension, for a path that is already in use.
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
    /// The template has no `{ext}`. The RAW file and the JPEG of a shot would have the same name.
    case noExtension
    /// A token is unknown.
    case unknownToken(String)
    /// The width of a token is invalid.
    case badWidth(String)

    /// The problem and the fix, for people.
    public var description: String {
        switch self {
        case .empty: "the template is empty: use, for example, '\(NamingTemplate.standardSource)'"
        case .absolute:
            "the template starts with '/': remove the slash, because names are relative to the capture directory"
        case .unbalanced: "the template has an unmatched brace: write tokens like {date}"
        case .leavesFolder:
            "the template has '.' or '..' as a folder: remove it, because photos must stay in the capture directory"
        case .noExtension:
            "the template has no {ext}: end it with .{ext}, because a RAW file and its JPEG would have the same name"
        case .unknownToken(let name):
            "unknown token {\(name)}: use one of "
                + NamingToken.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        case .badWidth(let text):
            "invalid token {\(text)}: only the counter can have a width, from 1 to \(NamingTemplate.maximumCounterWidth), "
                + "as in {counter:05}"
        }
    }
}
