import CLinux
import Glibc
import SystemIO

/// A trial of the sandbox. The trial tries forbidden and permitted operations inside the sandbox, and prints
/// one line for each operation.
///
/// Run `framefast-camera trial --show-confinement --port usb:001,004 --photos FOLDER` as the service's user.
/// The exit status is 0 if every operation has the expected result. The trial tests this machine's kernel,
/// which automated tests on other machines can't do.
struct SandboxTrial {
    private let options: WorkerOptions
    private let fixture: TrialFixture
    // Evaluated before the worker enters the sandbox, because the sandbox blocks these calls.
    private let landlock = framefast_landlock_version()
    private let filtersCalls = framefast_has_call_filters() == 1

    /// Prepares a trial before the worker enters the sandbox. The trial uses its own home folder instead of
    /// the caller's.
    init(_ options: WorkerOptions) {
        self.options = options
        guard let fixture = TrialFixture.make() else {
            Log.line("cannot prepare the trial in /tmp: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.notConfined)
        }
        self.fixture = fixture
    }

    /// Runs the trial, prints the results and ends the process.
    ///
    /// - Parameter failures: The steps that failed when the worker entered the sandbox.
    func run(_ failures: [String]) -> Never {
        print("landlock: \(landlock > 0 ? "version \(landlock)" : "no")")
        print("system call filter: \(filtersCalls ? "yes" : "no")")
        for failure in failures { print("cannot \(failure)") }
        var isAsExpected = failures.isEmpty
        for (what, errno, isExpected) in tries() {
            let (word, isAllowed) = evaluate(errno, isTryOfFile: true)
            if isAllowed != isExpected { isAsExpected = false }
            let wrong =
                isAllowed == isExpected ? "" : isExpected ? " (should be allowed)" : " (should be refused)"
            print("\(what): \(word)\(wrong)")
        }
        for call in BlockedCalls.all(fixture) {
            let (word, isAllowed) = evaluate(call.attempt(), isTryOfFile: false)
            if isAllowed { isAsExpected = false }
            print("\(call.what) (\(call.name)): \(word)\(isAllowed ? " (should be refused)" : "")")
        }
        fflush(nil)
        _exit(isAsExpected ? WorkerExit.requested : WorkerExit.notConfined)
    }

    /// Returns the result of a try. If one of the ``BlockedCalls`` fails because of its arguments, the result
    /// is that the sandbox allows the call.
    private func evaluate(_ errno: Int32, isTryOfFile: Bool) -> (word: String, isAllowed: Bool) {
        let reason = String(cString: strerror(errno))
        switch errno {
        case 0: return ("allowed", true)
        case EPERM, EACCES: return ("refused, \(reason)", false)
        case ENOSYS: return ("not available", false)
        default: return isTryOfFile ? ("refused, \(reason)", false) : ("not blocked, \(reason)", true)
        }
    }

    /// Returns each try with its errno and whether the sandbox should allow it.
    private func tries() -> [(what: String, errno: Int32, isExpected: Bool)] {
        var tries: [(String, Int32, Bool)] = [
            ("a network socket", socket(AF_INET), options.isOnNetwork),
            ("a network socket over IPv6", socket(AF_INET6), options.isOnNetwork),
            ("a raw socket to the network card", socket(AF_PACKET), false),
            ("a local socket", socket(AF_UNIX), options.usbEmulation != nil),
            ("device events from the kernel", socket(AF_NETLINK, 15), true),
            ("the network routing table", socket(AF_NETLINK, 0), false),
            ("/etc/shadow", open("/etc/shadow", O_RDONLY), false),
            ("/etc/passwd", open("/etc/passwd", O_RDONLY), false),
            ("/proc/1/environ", open("/proc/1/environ", O_RDONLY), false),
            ("reading a file outside its folders", open(fixture.foreignFile, O_RDONLY), false),
            ("writing a file outside its folders", open(fixture.foreignFile, O_WRONLY), false),
            ("truncating a file outside its folders", open(fixture.foreignFile, O_WRONLY | O_TRUNC), false),
            ("removing a file outside its folders", result(unlink(fixture.foreignFile)), false),
            (
                "renaming a file outside its folders",
                result(rename(fixture.foreignFile, fixture.home + "/taken")), false
            ),
            ("a file in /tmp", make("/tmp/framefast-trial-\(getpid())"), false),
            ("a file next to the photos", make(options.photos + "/../framefast-trial"), false),
            ("a part file", make(options.photos + "/framefast-trial"), true),
            ("a file in its home", make(fixture.home + "/framefast-trial"), true),
            ("a thread", startThread(), true),
            ("a signal to itself", result(raise(0)), true),
            ("another program", run("/usr/bin/true"), false),
            ("a different kind of device", open("/dev/full", O_RDWR), false),
        ]
        if let node = options.node { tries.append(("its camera \(node)", open(node, O_RDWR), true)) }
        for other in otherNodes() { tries.append(("the device \(other)", open(other, O_RDWR), false)) }
        return tries
    }

    // MARK: Tries. Each returns 0 or an errno.

    private func result(_ status: Int32) -> Int32 { status == 0 ? 0 : errno }

    private func startThread() -> Int32 {
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { _ in nil }, nil)
        if status == 0 { pthread_join(thread, nil) }
        return status
    }

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

    /// Returns the nodes of the other USB devices.
    private func otherNodes() -> [String] {
        names(in: WorkerOptions.nodes).flatMap { bus in
            names(in: "\(WorkerOptions.nodes)/\(bus)").map { "\(WorkerOptions.nodes)/\(bus)/\($0)" }
        }
        .filter { $0 != options.node }
    }

    private func names(in folder: String) -> [String] {
        ((try? IO.names(inFolder: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }
}
