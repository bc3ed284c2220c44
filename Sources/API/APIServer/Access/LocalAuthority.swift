import Glibc

/// The name under which a request asks, as its Host header has it: `127.0.0.1:9481`, `[::1]`, `localhost`.
enum LocalAuthority {
    /// Whether it is this computer by a number, or by the one name that no name server gives away. Every other name
    /// may be a page's in somebody's browser that was led here (DNS rebinding), also one that begins like a number.
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

    /// `nil` for what is no authority. A port is all behind the host's colon.
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
        // Four numbers only, unlike inet_aton.
        return inet_pton(AF_INET, String(text), &address) == 1
            && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func isLoopback6(_ text: Substring) -> Bool {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return false }
        return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
