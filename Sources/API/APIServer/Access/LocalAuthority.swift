import Glibc

/// A check of a request's authority, which is its Host header: `127.0.0.1:9481`, `[::1]`, `localhost`.
enum LocalAuthority {
    /// Returns whether the authority is a loopback address or `localhost`. Any other name may be a DNS
    /// rebinding attack by a web page, even a name that starts with digits.
    static func isLoopback(_ authority: String) -> Bool {
        guard let (host, port) = parts(authority) else { return false }
        guard port.map(isPort) ?? true else { return false }
        switch host {
        case .bracketed(let address): return isLoopback6(address)
        case .plain(let name): return name.lowercased() == "localhost" || isLoopback4(name)
        }
    }

    private enum Host {
        case plain(Substring)
        case bracketed(Substring)
    }

    /// Splits an authority into host and port, or returns `nil` if it is malformed. The port is not
    /// validated.
    private static func parts(_ authority: String) -> (Host, port: Substring?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let address = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            return (.bracketed(address), rest.isEmpty ? nil : rest.dropFirst())
        }
        let pieces = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = pieces.first else { return nil }
        return (.plain(host), pieces.count > 1 ? pieces[1] : nil)
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(text) != nil
    }

    private static func isLoopback4(_ text: Substring) -> Bool {
        var address = in_addr()
        // Accepts only four numbers, unlike inet_aton.
        return inet_pton(AF_INET, String(text), &address) == 1
            && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func isLoopback6(_ text: Substring) -> Bool {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return false }
        return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
