import CJPEG
import Glibc
import PictureProtocol
import SystemIO

/// The loop over the daemon's requests.
enum DescriptorService {
    /// The maximum number of descriptors of a request: the photo and the file for the result.
    private static let descriptorsMax = 2
    private static let socket = STDIN_FILENO

    /// Processes requests until the end of the stream.
    static func run() -> Never {
        ColorConversion.prepare()
        guard PictureSandbox.enter(for: .descriptors) else { _exit(PictureWorker.failureExitCode) }
        guard (try? IO.send([PictureRequest.ready], descriptors: [], to: socket)) == 1 else {
            _exit(PictureWorker.failureExitCode)
        }
        while let (request, descriptors) = receive() {
            let job = PictureJob(
                request: request, photo: descriptors[0],
                file: descriptors.count > 1 ? descriptors[1] : nil)
            var result = job.run()
            for descriptor in descriptors { close(descriptor) }
            let seconds = framefast_processor_time() / 1_000_000_000
            result.isLast = seconds >= UInt64(PictureLimits.workerSecondsMax)
            guard send(result) else { _exit(PictureWorker.failureExitCode) }
            if result.isLast { break }
        }
        _exit(0)
    }

    /// Receives the next request with its descriptors. Returns `nil` at the end of the stream. Ends the
    /// process after an invalid request.
    private static func receive() -> (request: PictureRequest, descriptors: [Int32])? {
        var (bytes, descriptors): ([UInt8], [Int32]) = ([], [])
        while bytes.count < PictureRequest.byteCount {
            let rest = PictureRequest.byteCount - bytes.count
            guard let piece = try? IO.receive(rest, descriptorsMax: descriptorsMax, from: socket) else {
                _exit(PictureWorker.failureExitCode)
            }
            descriptors += piece.descriptors
            bytes += piece.bytes
            if piece.bytes.isEmpty {
                if bytes.isEmpty { return nil }
                _exit(PictureWorker.failureExitCode)
            }
        }
        guard let request = PictureRequest(bytes: bytes),
            descriptors.count == (request.task.writesFile ? 2 : 1)
        else { _exit(PictureWorker.failureExitCode) }
        return (request, descriptors)
    }

    private static func send(_ result: PictureResult) -> Bool {
        var rest = result.encode()[...]
        while !rest.isEmpty {
            guard let count = try? IO.send(Array(rest), descriptors: [], to: socket), count > 0 else {
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
