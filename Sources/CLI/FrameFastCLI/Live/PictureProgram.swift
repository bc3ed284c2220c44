import CLinux
import Glibc
import SystemIO
import TerminalUI

/// A running `framefast-picture`, which decodes JPEGs. The command-line program does not decode pictures
/// itself.
final class PictureProgram {
    private let input: Int32
    private let output: Int32
    private let pid: pid_t
    /// Whether the program has exited, for example because the kernel killed it.
    private(set) var hasExited = false

    /// Starts the program. Returns `nil` if it cannot be started.
    init?(path: String = PictureProgram.path()) {
        var inputPipe: [Int32] = [0, 0]
        var outputPipe: [Int32] = [0, 0]
        guard framefast_pipe(&inputPipe) == 0 else { return nil }
        guard framefast_pipe(&outputPipe) == 0 else {
            for end in inputPipe { close(end) }
            return nil
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputPipe[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputPipe[1], STDOUT_FILENO)
        let name = strdup(path)
        defer { free(name) }
        var arguments = [name, nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child: pid_t = 0
        let status = posix_spawn(&child, path, &actions, nil, &arguments, &environment)
        close(inputPipe[0])
        close(outputPipe[1])
        guard status == 0 else {
            // Return before the properties are set. Otherwise, `deinit` would wait for an unrelated process.
            close(inputPipe[1])
            close(outputPipe[0])
            return nil
        }
        (input, output, pid) = (inputPipe[1], outputPipe[0], child)
    }

    deinit {
        // The program exits at the end of its input.
        close(input)
        close(output)
        waitpid(pid, nil, 0)
    }

    /// Decodes a JPEG to pixels that fit into a box.
    ///
    /// - Returns: The pixels, or `nil` if the JPEG is not valid or the program has exited. ``hasExited``
    ///   distinguishes these cases.
    func pixels(of jpeg: [UInt8], fitting box: (width: Int, height: Int)) -> Pixels? {
        let sides = [box.width, box.height].map { min(max($0, 1), Int(UInt16.max)) }
        let count = withUnsafeBytes(of: UInt32(jpeg.count).bigEndian) { Array($0) }
        let request = count + sides.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + jpeg
        // The functions for reading and writing fail only if the program has exited.
        hasExited = true
        guard FileDescriptorText.write(request, to: input), let size = try? IO.readExactly(4, from: output)
        else { return nil }
        let (width, height) = (Int(size[0]) << 8 | Int(size[1]), Int(size[2]) << 8 | Int(size[3]))
        guard let bytes = try? IO.readExactly(width * height * 3, from: output) else { return nil }
        hasExited = false
        return Pixels(width: width, height: height, bytes: bytes)
    }

    /// Returns the path of `framefast-picture`. An installation has the program in `../libexec/framefast`. A
    /// build folder has the program next to this program.
    static func path() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let here = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = here.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let name = "framefast-picture"
        let libexec = (folder.dropLast() + ["libexec", "framefast"]).joined(separator: "/") + "/" + name
        return access(libexec, X_OK) == 0 ? libexec : folder.joined(separator: "/") + "/" + name
    }
}
