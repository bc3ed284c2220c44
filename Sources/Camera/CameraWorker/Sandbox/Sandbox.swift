import CLinux
import Glibc

/// Leaves a worker nothing but its camera and its folders: it parses what an untrusted device sends.
///
/// Files by Landlock, system calls by seccomp; both are the kernel's, need no rights and cannot be taken back. Entered
/// before any thread is started, because Landlock holds for threads that come later only.
enum Sandbox {
    /// What the libraries read: drivers, character sets and zones; how devices are described; how libraries are found.
    private static let readable = [
        "/usr", "/lib", "/lib64", "/sys", "/run/udev", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom",
    ]

    /// Enters it; what could not be done is returned as words that fit behind "cannot". What this kernel does not
    /// have is left out: the daemon says that once for all workers.
    static func enter(_ place: WorkerPlace) -> [String] {
        keepToFiles(place) + keepToCalls(place)
    }

    /// Whether nothing but this sandbox keeps the worker from making a file: the folder is another one than when it
    /// started, because it was made anew or is on a disk that was mounted again.
    static func isShutOut(of path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard file < 0 else {
            close(file)
            unlink(path)
            return false
        }
        // access(2) knows nothing of Landlock.
        return errno == EACCES && access(String(path[..<slash]), W_OK | X_OK) == 0
    }

    /// Ends the worker for a fresh one, which is given the folder as it is now.
    static func endShutOut() -> Never {
        Log.line("the folder of the part files is another one by now: a fresh worker is needed")
        _exit(WorkerExit.shutOut)
    }

    private static func keepToFiles(_ place: WorkerPlace) -> [String] {
        guard framefast_landlock_version() > 0 else { return [] }
        let list = framefast_landlock_begin()
        guard list >= 0 else { return ["be kept to its files: \(String(cString: strerror(errno)))"] }
        var failures: [String] = []
        func allow(_ path: String, _ access: framefast_access) {
            let status = framefast_landlock_allow(list, path, Int32(access.rawValue))
            if status != 0 { failures.append("be given \(path): \(String(cString: strerror(status)))") }
        }
        for path in readable { allow(path, FRAMEFAST_READ) }
        if let drivers = getenv("CAMLIBS") { allow(String(cString: drivers), FRAMEFAST_READ) }
        if let home = getenv("HOME") { allow(String(cString: home), FRAMEFAST_WRITE) }
        allow(place.photos, FRAMEFAST_WRITE)
        allow("/dev/null", FRAMEFAST_DEVICE)
        // libusb lists the nodes when it starts. Another camera's can be seen, and not opened.
        if !place.isOnNetwork { allow(WorkerPlace.nodes, FRAMEFAST_LIST) }
        if let node = place.node { allow(node, FRAMEFAST_DEVICE) }
        if let bed = place.bed { allow(bed, FRAMEFAST_WRITE) }
        let status = framefast_landlock_enforce(list)
        if status != 0 { failures.append("be kept to its files: \(String(cString: strerror(status)))") }
        return failures
    }

    private static func keepToCalls(_ place: WorkerPlace) -> [String] {
        guard framefast_has_call_filters() == 1 else { return [] }
        return CallFilter(place).enter()
    }
}
