import CLinux
import Glibc
import SystemIO

/// Runs programs and reads their output. Never uses a shell.
enum ShortCommand {
    /// The largest output, in bytes.
    static let outputBytesMax = 8 * 1024 * 1024

    struct Result {
        /// The exit status, or 128 plus the signal that ended the program.
        var status: Int32
        var output: [UInt8]
    }

    /// Runs a program, and discards its standard error.
    ///
    /// - Parameters:
    ///   - path: The path of the program, with at least one slash.
    ///   - output: The descriptor for the program's standard output, or `nil` to return the output.
    ///   - environment: The program's variables, in addition to this process's environment. They replace
    ///     variables with the same names.
    ///   - timeoutMs: The time after which the program is killed, in milliseconds.
    /// - Returns: The result. `nil` if the program cannot be started, takes too long, or prints too much.
    static func run(
        _ path: String, _ arguments: [String], output: Int32? = nil, environment: [String: String] = [:],
        timeoutMs: Int = 20_000
    ) -> Result? {
        guard let (child, end) = start(path, arguments, output: output, environment: environment) else {
            return nil
        }
        defer { close(end) }
        return waitForExit(child, reading: end, timeoutMs: timeoutMs)
    }

    /// Runs a program without a time limit, and passes each line of its output to a function. Discards the
    /// program's standard error.
    ///
    /// - Returns: Whether the program was started.
    static func readLines(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        _ handleLine: (ArraySlice<UInt8>) -> Void
    ) -> Bool {
        guard let (child, end) = start(path, arguments, output: nil, environment: environment) else {
            return false
        }
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while let count = try? IO.read(from: end, into: &buffer), count > 0 {
            pending += buffer[..<count]
            while let newline = pending.firstIndex(of: UInt8(ascii: "\n")) {
                handleLine(pending[..<newline])
                pending.removeSubrange(...newline)
            }
        }
        close(end)
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return true
    }

    /// Starts a program that may outlive this process, such as a browser. Discards the program's output.
    ///
    /// - Parameter name: The name of the program, which is in a folder of `PATH`.
    /// - Returns: Whether the program was started.
    static func startInBackground(_ name: String, _ arguments: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var argv = ([name] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var variables = variables(with: [:])
        defer { variables.forEach { free($0) } }
        var child = pid_t()
        return posix_spawnp(&child, name, &actions, nil, &argv, &variables) == 0
    }

    /// Starts a program with its standard output on a pipe or on `output`.
    ///
    /// - Returns: The process, and the read end of the pipe. `nil` if the program cannot be started.
    private static func start(
        _ path: String, _ arguments: [String], output: Int32?, environment: [String: String]
    ) -> (child: pid_t, end: Int32)? {
        var ends: [Int32] = [-1, -1]
        // The pipe closes on exec, so a program that another thread starts does not keep the pipe open. The
        // child inherits the pipe only as its standard output.
        guard framefast_pipe(&ends) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output ?? ends[1], STDOUT_FILENO)
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var variables = variables(with: environment)
        defer { variables.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawn(&child, path, &actions, nil, &argv, &variables)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            return nil
        }
        return (child, ends[0])
    }

    /// Returns the variables of this process merged with others, as C strings.
    private static func variables(with others: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var texts: [String] = []
        var next = environ
        while let text = next.pointee {
            texts.append(String(cString: text))
            next += 1
        }
        texts.removeAll { text in others.keys.contains { text.hasPrefix($0 + "=") } }
        return (texts + others.map { "\($0)=\($1)" }).map { strdup($0) } + [nil]
    }

    /// Reads the output until the child exits. Kills the child if it takes too long, if it prints too much,
    /// or if its output cannot be read.
    private static func waitForExit(_ child: pid_t, reading end: Int32, timeoutMs: Int) -> Result? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let deadline = milliseconds() + timeoutMs
        var status: Int32 = 0
        var isOpen = true
        var hasFailed = false
        while true {
            let left = deadline - milliseconds()
            if left <= 0 || bytes.count > outputBytesMax || hasFailed {
                kill(child, SIGKILL)
                waitpid(child, &status, 0)
                return nil
            }
            if isOpen {
                do throws(SystemCallFailure) {
                    let events = try IO.poll(end, for: POLLIN, milliseconds: Int32(clamping: left))
                    guard events != 0 else { continue }
                    let count = try IO.read(from: end, into: &buffer)
                    bytes += buffer[..<count]
                    isOpen = count > 0
                } catch { hasFailed = true }
                continue
            }
            // The child closed its output, but may still be running.
            if waitpid(child, &status, WNOHANG) == child { break }
            poll(nil, 0, 5)
        }
        let signal = status & 0x7F
        return Result(status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: bytes)
    }

    private static func milliseconds() -> Int { Int(SystemTime.monotonicNs / 1_000_000) }

    /// Returns the path of a program in this program's folder or in `PATH`, or `nil` if neither has the
    /// program.
    static func find(_ name: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        var folders: [String] = []
        if length > 0 {
            let own = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            folders.append(own.split(separator: "/").dropLast().map { "/" + $0 }.joined())
        }
        let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        folders += search.split(separator: ":").map(String.init)
        return folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }
}
