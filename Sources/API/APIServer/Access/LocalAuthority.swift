import Glibc

/// A check of a request's authority, which is its Host header: `127.0.0.1:9481`, `[::1]`, `localhost`.
enum LocalAuthority {
    /// Returns whether the authority is a loopback address or `localhost`. A request under another name may
    /// be a DNS rebinding attack by a web page. Such a name can look like an address, for example
    /// `127.0.0.1.example.com`.
    static func isLoopback(_ authority: String) -> Bool {
        guard let authority = RequestAuthority(authority) else { return false }
        if authority.isBracketed { return isLoopback6(authority.host) }
        return authority.host == "localhost" || isLoopback4(authority.host)
    }

    private static func isLoopback4(_ text: String) -> Bool {
        var address = in_addr()
        // Accepts only four numbers, unlike inet_aton.
        return inet_pton(AF_INET, text, &address) == 1
            && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func isLoopback6(_ text: String) -> Bool {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
        return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
