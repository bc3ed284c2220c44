import Foundation
import Glibc
import Synchronization

/// A program that waits for photos in a folder, of one of the kinds that there are.
final class FolderWatcher: Sendable {
    /// How it learns of a file.
    enum Kind: String, CaseIterable, Sendable {
        /// A name that something was renamed to.
        case movedTo
        /// The end of writing.
        case closeWrite
        /// A look at the folder now and then.
        case polling
    }

    /// A file when it was heard of.
    struct Sight: Hashable, Sendable {
        var name: String
        /// What was in it then.
        var bytes: Data
        /// What else lay in the folder then.
        var beside: Set<String>
    }

    /// Time between two looks, in milliseconds.
    private static let lookMs: Int32 = 20

    private let folder: String
    private let kind: Kind
    private let inotify: Int32
    private let sights = Mutex<[Sight]>([])
    private let isStopped = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ folder: String, _ kind: Kind) {
        self.folder = folder
        self.kind = kind
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        switch kind {
        case .movedTo: inotify_add_watch(inotify, folder, UInt32(IN_MOVED_TO))
        case .closeWrite: inotify_add_watch(inotify, folder, UInt32(IN_CLOSE_WRITE))
        case .polling: break
        }
        Thread.detachNewThread { [self] in run() }
    }

    /// Ends after a last look.
    ///
    /// - Returns: what it heard of, in order: a file twice of which it heard twice.
    func stop() -> [Sight] {
        isStopped.withLock { $0 = true }
        ended.wait()
        return sights.withLock { $0 }
    }

    private func run() {
        while true {
            let isLast = isStopped.withLock { $0 }
            var entry = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, Self.lookMs)
            if kind == .polling { look() } else { readEvents() }
            if isLast { break }
        }
        close(inotify)
        ended.signal()
    }

    private func look() {
        let known = Set(sights.withLock { $0.map(\.name) })
        for name in names.subtracting(known).sorted() { see(name) }
    }

    /// Events are a header of 16 bytes (its last four the length of the name) and the name, filled up with zeros.
    private func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(inotify, &buffer, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + 16 <= count {
            let length = buffer[(offset + 12)..<(offset + 16)].reversed().reduce(0) { $0 << 8 | Int($1) }
            let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
            see(String(decoding: name, as: UTF8.self))
            offset += 16 + length
        }
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            !$0.hasPrefix(".")
        }
    }

    private func see(_ name: String) {
        let bytes = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        let sight = Sight(name: name, bytes: bytes, beside: names.subtracting([name]))
        sights.withLock { $0.append(sight) }
    }
}
