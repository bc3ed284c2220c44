import FrameFastSystem
import NIOCore

/// Which names a browser may have asked for, and from where it may come.
struct WebHosts: Sendable {
    /// Names of this computer: its host name, the same below `.local`, and what the configuration says.
    let names: Set<String>

    /// Whether a `Host` header means this service. An address is one of ours when it is the one that the connection came to: a
    /// page of somebody else's that leads its name here (DNS rebinding) comes with that name.
    func isOurs(_ authority: String?, local: SocketAddress?) -> Bool {
        guard let host = Self.host(of: authority ?? "") else { return false }
        if names.contains(host.lowercased()) { return true }
        guard let local else { return false }
        if Self.isLoopback(local), ["localhost", "127.0.0.1", "::1"].contains(host.lowercased()) {
            return true
        }
        return host == Self.text(local)
    }

    /// The host of `host`, `host:port`, `[::1]:port`; `nil` for what is none.
    static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let host = parts.first, !host.isEmpty else { return nil }
        return String(host)
    }

    /// An address without its port.
    static func text(_ address: SocketAddress) -> String {
        // A peer of the old protocol on a socket of the new one.
        let text = address.ipAddress ?? ""
        return text.lowercased().hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    /// Whether it is this computer's own network inside.
    static func isLoopback(_ address: SocketAddress) -> Bool {
        let text = text(address)
        return text == "::1" || text.hasPrefix("127.")
    }

    /// Whether an address is of a network that nobody outside reaches: loopback, RFC 1918, link-local, unique local.
    static func isPrivate(_ address: SocketAddress) -> Bool { isPrivate(text(address)) }

    /// Whether an address of version 6 is a network's own, as people set them up (RFC 4193).
    static func isUniqueLocal(_ text: String) -> Bool { text.hasPrefix("fc") || text.hasPrefix("fd") }

    static func isPrivate(_ text: String) -> Bool {
        let text = text.lowercased()
        if text.contains(":") {
            return text == "::1" || isUniqueLocal(text)
                || ["fe8", "fe9", "fea", "feb"].contains { text.hasPrefix($0) }
        }
        let parts = text.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4, parts.allSatisfy({ (0...255).contains($0) }) else { return false }
        switch (parts[0], parts[1]) {
        case (127, _), (10, _), (192, 168), (169, 254): return true
        case (172, let second): return (16...31).contains(second)
        default: return false
        }
    }
}
