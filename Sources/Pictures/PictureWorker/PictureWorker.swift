import CLinux
import CSeccomp
import Glibc
import PictureProtocol
import SystemIO

/// A worker that decodes pictures for another program. The worker is a separate process, because a malicious
/// picture may take control of the decoder.
///
/// Without arguments, the worker decodes JPEGs for a terminal. A request is the length of a JPEG (4 bytes),
/// the maximum width and height of the decoded picture (2 bytes each), and the JPEG.
/// The response is the width and height of the picture (2 bytes each) and three bytes for each pixel. Width
/// and height are 0 if the data cannot be decoded. All numbers are big-endian.
///
/// With `--descriptors`, the worker receives open files from the daemon. ``PictureRequest`` describes the
/// protocol.
public enum PictureWorker {
    /// The largest JPEG of a request for a terminal, in bytes.
    private static let jpegBytesMax = 16 * 1_024 * 1_024
    private static let headBytes = 8
    /// The exit code if the sandbox cannot be entered, a request is invalid or a response cannot be written.
    static let failureExitCode: Int32 = 1
    /// The argument that makes one system call in the sandbox of `--descriptors`. The exit status is 0 if the
    /// sandbox allows the call. Otherwise, the kernel ends the process with SIGSYS.
    private static let trialArgument = "--try-call"

    /// Runs the worker with the arguments of this process.
    public static func run() -> Never {
        let words = CommandLine.arguments.dropFirst()
        if words.isEmpty { decodeForTerminal() }
        if words == [PictureRequest.programArgument] { DescriptorService.run() }
        if words.count == 2, words.first == trialArgument, let name = words.last {
            let number = seccomp_syscall_resolve_name(name)
            if number >= 0 { tryCall(number) }
        }
        let usage = """
            Other programs start framefast-picture. Do not run this program manually.
              \(PictureRequest.programArgument)    serves requests on the socket at the standard input
              \(trialArgument) NAME   makes a system call in the sandbox

            """
        _ = write(Array(usage.utf8), to: STDERR_FILENO)
        _exit(EX_USAGE)
    }

    /// Processes requests for a terminal until the end of the standard input.
    private static func decodeForTerminal() -> Never {
        guard PictureSandbox.enter(for: .bytes) else { _exit(failureExitCode) }
        while let head = read(headBytes) {
            let count = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            let box = (width: Int(head[4]) << 8 | Int(head[5]), height: Int(head[6]) << 8 | Int(head[7]))
            guard (1...jpegBytesMax).contains(count), box.width > 0, box.height > 0, let jpeg = read(count)
            else { _exit(failureExitCode) }
            let picture = Picture(jpeg: jpeg, fitting: box) ?? Picture(width: 0, height: 0, bytes: [])
            let size = [picture.width, picture.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            guard write(size + picture.bytes, to: STDOUT_FILENO) else { _exit(failureExitCode) }
        }
        _exit(0)
    }

    /// Makes a system call in the sandbox, with arguments that have no effect.
    private static func tryCall(_ number: Int32) -> Never {
        guard PictureSandbox.enter(for: .descriptors) else { _exit(failureExitCode) }
        let arguments = [-1, -1, -1, -1]
        _ = framefast_try_call(number, arguments)
        _exit(0)
    }

    /// Reads this number of bytes from the standard input. Returns `nil` at the end of the input, or if the
    /// read fails.
    private static func read(_ count: Int) -> [UInt8]? { try? IO.readExactly(count, from: STDIN_FILENO) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        (try? IO.writeAll(bytes, to: descriptor)) != nil
    }
}
