import Foundation
import TestRig

/// The clients of live view that tests start.
extension DaemonRig {
    /// Starts `framefast live --mjpeg` for the camera `studio`.
    func startViewer(_ options: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            Programs.path("framefast"), ["live", "studio", "--mjpeg", "--socket", socket] + options,
            log: folder.url.appending(path: "mjpeg-\(UUID().uuidString.prefix(4))"))
    }

    /// Starts `curl` with the options of the API guide, and with additional options.
    ///
    /// - Parameter query: The query of the stream, for example `?rate=60`.
    func startStream(query: String = "", _ options: [String] = []) throws -> RunningProgram {
        let address = "http://localhost/v1/cameras/studio/live.mjpeg\(query)"
        return try RunningProgram(
            MetricsReader.curl,
            ["-sf", "--no-buffer", "--dump-header", "-", "--unix-socket", socket, address] + options,
            log: folder.url.appending(path: "stream"))
    }
}

extension RunningProgram {
    /// Returns the number of bytes that the program has written.
    func outputBytes() throws -> Int { try Data(contentsOf: log).count }

    /// Returns whether SIGSTOP has stopped the program. In `/proc/PID/stat`, the state follows the name in
    /// parentheses.
    func isStopped() throws -> Bool {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return stat.split(separator: ")").last?.hasPrefix(" T") == true
    }
}
