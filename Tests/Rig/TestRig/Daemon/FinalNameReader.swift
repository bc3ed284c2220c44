import Foundation
import Glibc
import Synchronization

/// Reads every file that appears under a final name, at once, as an impatient program next to the daemon would.
///
/// Woken by inotify: what it reads is what stands there microseconds after the name appeared.
public final class FinalNameReader: Sendable {
    /// A file as it was when its name was first seen.
    public struct Sight: Hashable, Sendable {
        /// Path below the folder.
        public var name: String
        /// Bytes.
        public var size: UInt64
        /// SHA-256, lower-case hex.
        public var sha256: String
    }

    private struct State {
        var sights: [String: Sight] = [:]
        var watched: Set<String> = []
        var isStopped = false
    }
    private let folder: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// Longest time between two looks, in milliseconds, for what inotify does not tell.
    private static let lookMs: Int32 = 100

    /// Starts reading below `folder`, which may not be there yet.
    public init(_ folder: String) {
        self.folder = folder
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        Thread.detachNewThread { [self] in run() }
    }

    /// Ends after a last look.
    ///
    /// - Returns: every file that was ever seen, as it was at first sight.
    public func stop() -> [Sight] {
        state.withLock { $0.isStopped = true }
        ended.wait()
        return state.withLock { Array($0.sights.values) }
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let isLast = state.withLock(\.isStopped)
            look()
            if isLast { break }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, Self.lookMs)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
        close(descriptor)
        ended.signal()
    }

    private func look() {
        watch(folder)
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return }
        for case let name as String in walk {
            if name == ".framefast" {
                walk.skipDescendants()
            } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
                watch(folder + "/" + name)
            } else if !state.withLock({ $0.sights.keys.contains(name) }) {
                let path = folder + "/" + name
                let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64) ?? 0
                let hash = (try? DaemonRig.sha256(ofFile: path)) ?? "unreadable"
                state.withLock { $0.sights[name] = Sight(name: name, size: size, sha256: hash) }
            }
        }
    }

    private func watch(_ path: String) {
        guard !state.withLock({ $0.watched.contains(path) }) else { return }
        let events = UInt32(IN_CREATE | IN_MOVED_TO)
        if inotify_add_watch(descriptor, path, events) >= 0 { _ = state.withLock { $0.watched.insert(path) } }
    }
}
