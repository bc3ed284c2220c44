import Foundation

/// The TCP sockets that listen in this network namespace, from `/proc/net/tcp`.
public enum ListeningSockets {
    /// The state `TCP_LISTEN` in the table.
    private static let listening = "0A"

    /// Returns whether any program listens on a port, at any address.
    public static func exist(on port: Int) -> Bool { !inodes(on: port).isEmpty }

    /// Returns the names, as in `/proc/PID/fd`, of the sockets that listen on a port.
    fileprivate static func inodes(on port: Int) -> Set<String> {
        // Most calls find no such port. Therefore, the tables are parsed only if they contain its number.
        let number = Data(":\(String(format: "%04X", port)) ".utf8)
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].compactMap {
            FileManager.default.contents(atPath: $0)
        }.filter { $0.range(of: number) != nil }.map { String(decoding: $0, as: UTF8.self) }
        // Index 1 is the local address, index 3 is the state, and index 9 is the inode.
        let rows = tables.flatMap { $0.split(separator: "\n").dropFirst() }.map { $0.split(separator: " ") }
        return Set(
            rows.filter { row in
                row.count > 9 && row[3] == listening
                    && row[1].split(separator: ":").last.flatMap { Int($0, radix: 16) } == port
            }.map { "socket:[\($0[9])]" })
    }
}

extension RunningProgram {
    /// Returns whether the program or one of its descendants listens on a TCP port.
    public func listens(on port: Int) -> Bool {
        let sockets = ListeningSockets.inodes(on: port)
        guard !sockets.isEmpty else { return false }
        return ([pid] + Self.descendants(of: pid)).contains { process in
            let folder = "/proc/\(process)/fd"
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return descriptors.contains { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                return target.map(sockets.contains) ?? false
            }
        }
    }

    /// Waits until the program or one of its descendants listens on a TCP port.
    ///
    /// A listener of another program is ignored.
    ///
    /// - Parameter name: The name of the server in the error.
    /// - Throws: ``WaitTimeout`` with the output, immediately if the program has ended.
    public func waitUntilListening(on port: Int, _ name: String) async throws {
        do {
            try await eventually("\(name) to listen on port \(port)", every: 100) {
                if listens(on: port) { return () }
                guard isRunning else {
                    throw WaitTimeout(description: "\(name) ended with \(status) before it listened")
                }
                return nil
            }
        } catch {
            throw WaitTimeout(description: "\(error); it printed: \(output.suffix(1500))")
        }
    }
}
