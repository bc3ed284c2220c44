import CLinux
import Glibc

/// Restricts a worker to its camera and its folders, because it parses data from an untrusted device.
///
/// Landlock restricts files, and seccomp restricts system calls. Both are kernel features that require no
/// privileges and can't be undone. The worker enters the sandbox before it starts any thread, because
/// Landlock does not apply to threads that already run.
enum Sandbox {
    /// The paths that the libraries read: drivers, character sets, time zones, device descriptions and shared
    /// libraries.
    private static let readable = [
        "/usr", "/lib", "/lib64", "/sys", "/run/udev", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom",
    ]

    /// Enters the sandbox. Skips features that the kernel does not have. The daemon reports a missing feature
    /// only once for all workers.
    ///
    /// - Returns: The failed steps, phrased to follow "cannot".
    static func enter(_ options: WorkerOptions) -> [String] {
        restrictFiles(options) + restrictCalls(options)
    }

    /// Returns whether the sandbox is the only reason why the worker can't create a file. In this case, the
    /// folder was recreated or its disk was remounted after the worker started.
    static func blocksCreation(of path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard file < 0 else {
            close(file)
            unlink(path)
            return false
        }
        // access(2) ignores Landlock.
        return errno == EACCES && access(String(path[..<slash]), W_OK | X_OK) == 0
    }

    /// Exits so that the daemon starts a new worker. The new worker's sandbox allows the new folder.
    static func exitForReplacedFolder() -> Never {
        Log.line("the folder for part files was replaced: a new worker is needed")
        _exit(WorkerExit.folderReplaced)
    }

    private static func restrictFiles(_ options: WorkerOptions) -> [String] {
        guard framefast_landlock_version() > 0 else { return [] }
        let list = framefast_landlock_begin()
        guard list >= 0 else { return ["restrict file access: \(String(cString: strerror(errno)))"] }
        var failures: [String] = []
        func allow(_ path: String, _ access: framefast_access) {
            let status = framefast_landlock_allow(list, path, Int32(access.rawValue))
            if status != 0 {
                failures.append("allow access to \(path): \(String(cString: strerror(status)))")
            }
        }
        for path in readable { allow(path, FRAMEFAST_READ) }
        if let drivers = getenv("CAMLIBS") { allow(String(cString: drivers), FRAMEFAST_READ) }
        if let home = getenv("HOME") { allow(String(cString: home), FRAMEFAST_WRITE) }
        allow(options.photos, FRAMEFAST_WRITE)
        allow("/dev/null", FRAMEFAST_DEVICE)
        // libusb lists the nodes when it starts. The worker can see the nodes of other cameras, but can't
        // open them.
        if !options.isOnNetwork { allow(WorkerOptions.nodes, FRAMEFAST_LIST) }
        if let node = options.node { allow(node, FRAMEFAST_DEVICE) }
        if let emulation = options.usbEmulation { allow(emulation, FRAMEFAST_WRITE) }
        let status = framefast_landlock_enforce(list)
        if status != 0 { failures.append("restrict file access: \(String(cString: strerror(status)))") }
        return failures
    }

    private static func restrictCalls(_ options: WorkerOptions) -> [String] {
        guard framefast_has_call_filters() == 1 else { return [] }
        return CallFilter(options).enter()
    }
}
