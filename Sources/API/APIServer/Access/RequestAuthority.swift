/// The authority of a request, which is its Host header: `127.0.0.1:9481`, `[::1]`, `localhost`.
package struct RequestAuthority: Hashable, Sendable {
    /// The host in lower case, without brackets.
    package let host: String
    /// Whether the host was in brackets. An IPv6 address must be in brackets, but the parser accepts
    /// brackets around any host.
    package let isBracketed: Bool
    /// The port, or `nil` if the authority has no port.
    package let port: UInt16?

    /// Parses an authority, or returns `nil` if it is malformed.
    package init?(_ text: String) {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end].lowercased()
            isBracketed = true
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = Self.port(rest.dropFirst())
            if !rest.isEmpty, port == nil { return nil }
        } else {
            let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = pieces[0].lowercased()
            isBracketed = false
            port = pieces.count > 1 ? Self.port(pieces[1]) : nil
            if pieces.count > 1, port == nil { return nil }
        }
        guard !host.isEmpty else { return nil }
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }
}
