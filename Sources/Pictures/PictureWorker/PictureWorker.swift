import Glibc
import SystemIO

/// A worker that decodes pictures for another program. The worker is a separate process, because a malicious
/// picture may take control of the decoder.
///
/// A request is the length of a JPEG (4 bytes), the maximum width and height of the decoded picture (2 bytes
/// each), and the JPEG.
/// The response is the width and height of the picture (2 bytes each) and three bytes for each pixel. Width
/// and height are 0 if the data cannot be decoded. All numbers are big-endian.
public enum PictureWorker {
    /// The largest JPEG, in bytes.
    private static let jpegBytesMax = 16 * 1_024 * 1_024
    private static let headBytes = 8
    /// The exit code if the sandbox cannot be entered or a request is invalid.
    private static let failureExitCode: Int32 = 1

    /// Processes requests until the end of the standard input.
    public static func run() -> Never {
        guard PictureSandbox.enter() else { _exit(failureExitCode) }
        while let head = read(headBytes) {
            let count = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            let box = (width: Int(head[4]) << 8 | Int(head[5]), height: Int(head[6]) << 8 | Int(head[7]))
            guard (1...jpegBytesMax).contains(count), box.width > 0, box.height > 0, let jpeg = read(count)
            else { _exit(failureExitCode) }
            let picture = Picture(jpeg: jpeg, fitting: box) ?? Picture(width: 0, height: 0, bytes: [])
            let size = [picture.width, picture.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            guard write(size + picture.bytes) else { _exit(failureExitCode) }
        }
        _exit(0)
    }

    /// Reads this number of bytes from the standard input. Returns `nil` at the end of the input, or if the
    /// read fails.
    private static func read(_ count: Int) -> [UInt8]? { try? IO.readExactly(count, from: STDIN_FILENO) }

    private static func write(_ bytes: [UInt8]) -> Bool {
        (try? IO.writeAll(bytes, to: STDOUT_FILENO)) != nil
    }
}
