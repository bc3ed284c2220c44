import CLinux
import Glibc

/// Tries from inside what a worker must not be able to do, and prints a line for each try.
///
/// `framefast-camera --show-confinement --port usb:001,004 --photos FOLDER`, as the service's user: exit status 0 when
/// everything is as it should be. It looks at the kernel that runs, which no test elsewhere can.
struct SandboxTrial {
    private let place: WorkerPlace

    init(_ place: WorkerPlace) { self.place = place }

    /// Prints what holds.
    func run() -> Never {
        print("landlock: \(version(framefast_landlock_version()))")
        print("filter of system calls: \(framefast_has_call_filters() == 1 ? "yes" : "no")")
        var isAsItShould = true
        for (what, errno, isExpected) in tries() {
            let isAllowed = errno == 0
            if isAllowed != isExpected { isAsItShould = false }
            let verdict =
                isAllowed == isExpected ? "" : isExpected ? " (should be allowed)" : " (should be refused)"
            let word = isAllowed ? "allowed" : "refused, \(String(cString: strerror(errno)))"
            print("\(what): \(word)\(verdict)")
        }
        fflush(nil)
        _exit(isAsItShould ? WorkerExit.asked : WorkerExit.notConfined)
    }

    private func version(_ number: Int32) -> String { number > 0 ? "version \(number)" : "no" }

    /// What is tried, its errno, and whether it should be allowed.
    private func tries() -> [(what: String, errno: Int32, isExpected: Bool)] {
        var tries: [(String, Int32, Bool)] = [
            ("a network socket", socket(AF_INET), place.isOnNetwork),
            ("a network socket of version 6", socket(AF_INET6), place.isOnNetwork),
            ("a raw socket to the network card", socket(AF_PACKET), false),
            ("a local socket", socket(AF_UNIX), place.bed != nil),
            ("messages of the kernel about devices", socket(AF_NETLINK, 15), true),
            ("a table of the network", socket(AF_NETLINK, 0), false),
            ("/etc/shadow", open("/etc/shadow", O_RDONLY), false),
            ("/etc/passwd", open("/etc/passwd", O_RDONLY), false),
            ("/proc/1/environ", open("/proc/1/environ", O_RDONLY), false),
            ("a file in /tmp", make("/tmp/framefast-trial-\(getpid())"), false),
            besideThePhotos(),
            ("a part file", make(place.photos + "/framefast-trial"), true),
            ("another program", run("/usr/bin/true"), false),
            ("a device of another kind", open("/dev/full", O_RDWR), false),
        ]
        if let node = place.node { tries.append(("its camera \(node)", open(node, O_RDWR), true)) }
        for other in otherNodes() { tries.append(("the device \(other)", open(other, O_RDWR), false)) }
        return tries
    }

    /// Shut, unless the photos are in the worker's own home, as when a person tries this as the service's user.
    private func besideThePhotos() -> (String, Int32, Bool) {
        let isHome = getenv("HOME").map { isInside(place.photos + "/..", of: String(cString: $0)) } ?? false
        return (
            "a file beside the photos" + (isHome ? ", which is in its home" : ""),
            make(place.photos + "/../framefast-trial"), isHome
        )
    }

    private func isInside(_ path: String, of folder: String) -> Bool {
        guard let inner = resolved(path), let outer = resolved(folder) else { return false }
        return inner == outer || inner.hasPrefix(outer == "/" ? "/" : outer + "/")
    }

    private func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: tries; each gives 0 or an errno

    private func socket(_ family: Int32, _ number: Int32 = 0) -> Int32 {
        let kind = family == AF_NETLINK || family == AF_PACKET ? SOCK_RAW : SOCK_STREAM
        return closing(Glibc.socket(family, Int32(kind.rawValue), number))
    }

    private func open(_ path: String, _ flags: Int32) -> Int32 {
        closing(Glibc.open(path, flags | O_CLOEXEC))
    }

    private func make(_ path: String) -> Int32 {
        let status = closing(Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        if status == 0 { unlink(path) }
        return status
    }

    private func run(_ program: String) -> Int32 {
        var child = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        defer { free(arguments[0]) }
        let status = posix_spawn(&child, program, nil, nil, &arguments, nil)
        if status == 0 { waitpid(child, nil, 0) }
        return status
    }

    private func closing(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return 0
    }

    /// Nodes of other devices on the USB.
    private func otherNodes() -> [String] {
        names(in: WorkerPlace.nodes).flatMap { bus in
            names(in: "\(WorkerPlace.nodes)/\(bus)").map { "\(WorkerPlace.nodes)/\(bus)/\($0)" }
        }
        .filter { $0 != place.node }
    }

    private func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX)) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
