import ArgumentParser
import Glibc

/// A measurement of the upper bound: the speed at which this machine can read the photos without processing
/// them.
@main struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ptpip-read",
        abstract: "Reads the objects of a PTP/IP camera as fast as possible, and prints the time.")

    @Argument(help: "Address and port of the camera.") var address = "127.0.0.1:15740"
    @Option(
        help:
            "Files to read: waits for the events of those that are not there yet. Without it: what is there.")
    var count: Int?
    @Option(help: "Bytes asked for at a time with GetPartialObject.") var piece = 1 << 20
    @Flag(help: "Read whole objects with GetObject.") var whole = false

    mutating func run() throws {
        let parts = address.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw ValidationError("say ADDRESS:PORT") }
        do throws(ReadFailure) { try measure(String(parts[0]), port) } catch {
            throw ValidationError(error.text)
        }
    }

    private func measure(_ host: String, _ port: UInt16) throws(ReadFailure) {
        var client = try RawClient.open(address: host, port: port)
        var seen: Set<UInt32> = []
        var waiting = try client.handles()[...]
        var objects = 0
        var bytes = 0
        var clock: (wall: Double, cpu: Double)?
        while true {
            if let handle = waiting.popFirst() {
                guard seen.insert(handle).inserted else { continue }
                if clock == nil { clock = (Self.wall(), Self.cpu()) }
                guard let size = try client.size(of: handle) else { continue }
                bytes += try client.read(handle, size: size, piece: whole ? nil : piece)
                objects += 1
            } else if let count, objects < count {
                waiting.append(try client.nextAdded())
            } else {
                break
            }
            if objects == count { break }
        }
        let start = clock ?? (Self.wall(), Self.cpu())
        print(
            """
            {"objects":\(objects),"bytes":\(bytes),"seconds":\(Self.wall() - start.wall),\
            "cpuSeconds":\(Self.cpu() - start.cpu)}
            """)
    }

    private static func wall() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
