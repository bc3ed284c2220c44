import Foundation
import Glibc
import Synchronization

/// Starts programs on one thread that lives as long as the test program: PR_SET_PDEATHSIG means the end of the thread
/// that started the child (prctl(2)), and threads of a pool come and go.
final class Parent: Sendable {
    static let shared = Parent()
    private let wanted = Mutex<[@Sendable () -> Void]>([])
    private let bell = DispatchSemaphore(value: 0)

    private init() {
        Thread { [self] in
            while true {
                bell.wait()
                wanted.withLock { $0.removeFirst() }()
            }
        }.start()
    }

    /// - Parameter log: File that its output is added to.
    /// - Returns: The process id.
    func start(_ words: [String], environment: [String], log: String) throws -> pid_t {
        let result = Mutex<(error: Int32, pid: pid_t)>((0, 0))
        let isDone = DispatchSemaphore(value: 0)
        wanted.withLock { wanted in
            wanted.append {
                result.withLock { $0 = Self.spawn(words, environment, log) }
                isDone.signal()
            }
        }
        bell.signal()
        isDone.wait()
        let (error, pid) = result.withLock { $0 }
        guard error == 0 else {
            throw Impatience(description: "cannot start \(words): \(String(cString: strerror(error)))")
        }
        return pid
    }

    private static func spawn(_ words: [String], _ environment: [String], _ log: String)
        -> (error: Int32, pid: pid_t)
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Those that nobody marked to be closed by itself.
        for descriptor: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        // Threads of a pool block signals, and this one may have been made by one of them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer {
            for text in arguments + variables { free(text) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        return (error, pid)
    }
}
