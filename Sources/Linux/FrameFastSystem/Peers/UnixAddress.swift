import Glibc

/// Conversion of paths to addresses of Unix sockets.
enum UnixAddress {
    /// Calls `body` with the address of a path. A leading `@` means an abstract name, as in systemd.
    ///
    /// - Returns: The result of `body`, or `nil` if the path is too long for an address.
    static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(path.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
