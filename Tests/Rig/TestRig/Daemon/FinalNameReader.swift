import Foundation
import Glibc
import Synchronization

/// A reader that reads each file immediately after it appears under a final name, as an impatient program
/// might.
///
/// inotify wakes the reader, which reads the content microseconds after the name has appeared.
public final class FinalNameReader: Sendable {
    /// A file at the moment at which its name first appeared.
    public struct FoundFile: Hashable, Sendable {
        /// The path relative to the folder.
        public var name: String
        /// The size, in bytes.
        public var size: UInt64
        /// The SHA-256 in lower-case hexadecimal.
        public var sha256: String
    }

    private struct State {
        var found: [String: FoundFile] = [:]
        var watched: Set<String> = []
        var isStopped = false
    }
    private let folder: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// The maximum time between two scans, in milliseconds. Scans find files that inotify doesn't report.
    private static let scanIntervalMs: Int32 = 100

    /// Starts reading files below `folder`, which need not exist yet.
    public init(_ folder: String) {
        self.folder = folder
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        Thread.detachNewThread { [self] in run() }
    }

    /// Scans a last time and stops.
    ///
    /// - Returns: All files that appeared, with their first content.
    public func stop() -> [FoundFile] {
        state.withLock { $0.isStopped = true }
        ended.wait()
        return state.withLock { Array($0.found.values) }
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let isLast = state.withLock(\.isStopped)
            scan()
            if isLast { break }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, Self.scanIntervalMs)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
        close(descriptor)
        ended.signal()
    }

    private func scan() {
        watch(folder)
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return }
        for case let name as String in walk {
            if name == ".framefast" {
                walk.skipDescendants()
            } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
                watch(folder + "/" + name)
            } else if !state.withLock({ $0.found.keys.contains(name) }) {
                let path = folder + "/" + name
                let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64) ?? 0
                let hash = (try? DaemonRig.sha256(ofFile: path)) ?? "unreadable"
                state.withLock { $0.found[name] = FoundFile(name: name, size: size, sha256: hash) }
            }
        }
    }

    private func watch(_ path: String) {
        guard !state.withLock({ $0.watched.contains(path) }) else { return }
        let events = UInt32(IN_CREATE | IN_MOVED_TO)
        if inotify_add_watch(descriptor, path, events) >= 0 { _ = state.withLock { $0.watched.insert(path) } }
    }
}
