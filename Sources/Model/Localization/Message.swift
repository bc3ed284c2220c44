/// A text for people as the program has it, in English, with what is filled in kept apart: a translation may put it elsewhere.
///
///     localized("\(shots) of \(cameras) cameras")   // key: {1} of {2} cameras
public struct Message: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// What the catalogue finds it by: `{1}` stands for the first argument, and a brace of the text for itself is doubled.
    public let key: String
    /// What is filled in, in the order of the English text.
    public let arguments: [String]

    /// A text without arguments.
    public init(stringLiteral text: String) {
        key = Self.escaped(text)
        arguments = []
    }

    /// A text with arguments.
    public init(stringInterpolation parts: StringInterpolation) {
        key = parts.key
        arguments = parts.arguments
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var arguments: [String] = []

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }

        /// A piece of the text.
        public mutating func appendLiteral(_ text: String) { key += Message.escaped(text) }

        /// Something that is filled in.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            arguments.append(value.description)
            key += "{\(arguments.count)}"
        }
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return text
        }
        return text.reduce(into: "") { $0 += $1 == "{" || $1 == "}" ? "\($1)\($1)" : "\($1)" }
    }

    /// Fills the arguments in.
    ///
    /// - Parameter form: ``key``, or a translation of it. What names an argument that is not there stays as it is.
    public func filled(into form: String) -> String {
        guard form.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return form
        }
        var text = ""
        var rest = form[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            text += rest[..<brace]
            let after = rest[rest.index(after: brace)...]
            if after.first == rest[brace] {
                text.append(rest[brace])
                rest = after.dropFirst()
            } else if rest[brace] == "{", let end = after.firstIndex(of: "}"),
                let number = Int(after[..<end]),
                arguments.indices.contains(number - 1)
            {
                text += arguments[number - 1]
                rest = after[after.index(after: end)...]
            } else {
                text.append(rest[brace])
                rest = after
            }
        }
        return text + rest
    }
}
