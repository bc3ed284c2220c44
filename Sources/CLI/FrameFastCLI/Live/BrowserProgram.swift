import Glibc

/// The person's browser, by the desktop's own way to open an address.
enum BrowserProgram {
    /// Opens an address.
    ///
    /// - Returns: false where there is no desktop that does.
    static func open(_ address: String) -> Bool {
        var arguments = [strdup("xdg-open"), strdup(address), nil]
        defer { arguments.forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, "xdg-open", nil, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
