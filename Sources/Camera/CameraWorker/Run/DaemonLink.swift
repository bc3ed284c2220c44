import FoundationEssentials
import Glibc
import Synchronization
import SystemIO
import WorkerProtocol

/// The socket to the daemon. All threads may send. Only one thread receives.
final class DaemonLink: Sendable {
    let descriptor: Int32
    private let sending = Mutex(())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Sends an event, reduced to the daemon's limits. Waits while the socket is full. If the daemon has
    /// exited, drops the event. The thread that reads from the socket then ends the process.
    func send(_ event: WorkerEvent) {
        let message: Data
        do { message = try WorkerMessage.encode(event.reducedToLimits) } catch {
            // Encoding fails only for a part of a listing that exceeds the size limit.
            Log.line("cannot send an event: \(error)")
            return
        }
        sending.withLock { _ in
            message.withUnsafeBytes { bytes in
                _ = try? IO.writeAll(bytes, to: descriptor, waitsUntilWritable: true)
            }
        }
    }

    /// Reads the available bytes and returns the complete commands, or `nil` if the daemon has exited. Ends
    /// the process on invalid data.
    func receive(into buffer: inout Data) -> [WorkerCommand]? {
        var bytes = [UInt8](repeating: 0, count: 16 * 1_024)
        let count: Int
        do throws(SystemCallFailure) { count = try IO.read(from: descriptor, into: &bytes) } catch {
            return error.number == EAGAIN ? [] : nil
        }
        guard count > 0 else { return nil }
        buffer.append(contentsOf: bytes[..<count])
        var commands: [WorkerCommand] = []
        do {
            while buffer.count >= WorkerMessage.prefixBytes {
                let length = try WorkerMessage.bodyLength(prefix: buffer.prefix(WorkerMessage.prefixBytes))
                guard buffer.count >= WorkerMessage.prefixBytes + length else { break }
                let body = Data(buffer.dropFirst(WorkerMessage.prefixBytes).prefix(length))
                buffer = Data(buffer.dropFirst(WorkerMessage.prefixBytes + length))
                commands.append(try WorkerMessage.decodeCommand(from: body))
            }
        } catch {
            Log.line("cannot read the daemon's message: \(error)")
            _exit(WorkerExit.badMessage)
        }
        return commands
    }
}
