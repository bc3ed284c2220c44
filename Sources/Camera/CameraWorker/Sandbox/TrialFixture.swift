import CLinux
import Glibc

/// The targets of the sandbox trial: a home folder, a foreign file and a foreign process of the same user.
/// The worker creates the targets before it enters the sandbox. The targets do not depend on the caller's
/// home folder and photos.
struct TrialFixture {
    /// The home folder for the trial.
    let home: String
    /// A file of the same user outside the worker's folders. The file represents a photo of another camera.
    let foreignFile: String
    /// A process of the same user. The process represents the daemon.
    let neighbor: pid_t

    /// Creates the targets in `/tmp`. The foreign process deletes them when this process ends.
    ///
    /// - Returns: The targets, or `nil` on failure with the reason in errno.
    static func make() -> Self? {
        var template = Array("/tmp/framefast-trial-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (home, file) = (folder + "/home", folder + "/foreign.jpg")
        guard mkdir(home, 0o700) == 0 else { return nil }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        setenv("HOME", home, 1)
        guard let neighbor = startNeighbor(folder) else { return nil }
        return Self(home: home, foreignFile: file, neighbor: neighbor)
    }

    /// Starts the foreign process, which ends when its standard input closes. The standard input closes when
    /// this process ends.
    private static func startNeighbor(_ folder: String) -> pid_t? {
        var ends: [Int32] = [0, 0]
        guard framefast_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // The caller waits until the trial's output is closed. The foreign process must not inherit the
        // output, because it would keep the output open.
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let line = ["sh", "-c", "read line; PATH=/usr/bin:/bin; rm -rf \"$0\"", folder]
        var arguments: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var neighbor = pid_t()
        let status = posix_spawn(&neighbor, "/bin/sh", &actions, nil, &arguments, &environment)
        if status != 0 { errno = status }
        return status == 0 ? neighbor : nil
    }
}
