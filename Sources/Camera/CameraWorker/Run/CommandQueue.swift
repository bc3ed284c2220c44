import CLinux
import Glibc
import Synchronization
import WorkerProtocol

/// Commands on their way from the control thread to the driver thread.
final class CommandQueue: Sendable {
    /// Most commands waiting. The daemon sends a few fetches ahead; far more is an error of its own.
    static let limit = 1_000

    /// Readable while commands wait, so that the driver thread can sleep on it together with the camera's sockets.
    let descriptor: Int32
    private let waiting = Mutex<[WorkerCommand]>([])

    init() {
        descriptor = framefast_eventfd()
        if descriptor < 0 { _exit(WorkerExit.noRoom) }
    }

    /// Adds a command; false when too many wait.
    func push(_ command: WorkerCommand) -> Bool {
        let isTaken = waiting.withLock { commands in
            guard commands.count < Self.limit else { return false }
            commands.append(command)
            return true
        }
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
        return isTaken
    }

    /// The next command: triggers first, then in order, but for shots, which go before other photos.
    func next() -> WorkerCommand? {
        waiting.withLock { commands in
            guard !commands.isEmpty else {
                quieten()
                return nil
            }
            return commands.remove(
                at: commands.firstIndex { $0.isUrgent } ?? Self.shot(among: commands) ?? 0)
        }
    }

    /// The next command that needs nothing of the card.
    func nextBesideCard() -> WorkerCommand? {
        waiting.withLock { commands in
            guard let index = commands.firstIndex(where: { !$0.readsCard }) else {
                quieten()
                return nil
            }
            return commands.remove(at: index)
        }
    }

    /// The next shot that may interrupt the fetch of another photo.
    func nextShot() -> (id: UInt64, request: FetchRequest)? {
        waiting.withLock { commands in
            guard let index = Self.shot(among: commands), case .fetch(let id, let request) = commands[index]
            else { return nil }
            commands.remove(at: index)
            return (id, request)
        }
    }

    /// The first shot that only photos are before: what else was asked for keeps its place.
    private static func shot(among commands: [WorkerCommand]) -> Int? {
        for (index, command) in commands.enumerated() {
            guard case .fetch(_, let request) = command else { return nil }
            if request.isShot { return index }
        }
        return nil
    }

    /// The next command that may interrupt a fetch.
    func nextUrgent() -> WorkerCommand? {
        waiting.withLock { commands in
            commands.firstIndex { $0.isUrgent }.map { commands.remove(at: $0) }
        }
    }

    /// Sleeps until another command comes or the time is up; not at all while one waits that may interrupt a fetch.
    func waitForUrgent(timeoutMs: Int32) {
        let waits = waiting.withLock { commands in
            quieten()
            return commands.contains(where: \.isUrgent)
        }
        if !waits { _ = wait(timeoutMs: timeoutMs) }
    }

    /// Whether any command waits.
    var isEmpty: Bool { waiting.withLock(\.isEmpty) }
    /// Whether a command waits that may interrupt others.
    var hasUrgent: Bool { waiting.withLock { $0.contains(where: \.isUrgent) } }
    /// Whether a shot is to be fetched over the camera's link.
    var hasShot: Bool {
        waiting.withLock { commands in
            commands.contains {
                if case .fetch(_, let request) = $0 { request.isShot && request.folder != "/" } else { false }
            }
        }
    }

    /// Sleeps until there is a command.
    func wait() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, -1)
    }

    /// Sleeps until there is a command or the time is up; true when there is one.
    func wait(timeoutMs: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, timeoutMs) > 0
    }

    private func quieten() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}

extension WorkerCommand {
    /// The shutter does not wait for a download.
    var isUrgent: Bool {
        switch self {
        case .trigger, .end: true
        default: false
        }
    }

    /// Whether it is about what is on the card.
    var readsCard: Bool {
        switch self {
        case .list, .reconcile, .fetch, .delete, .refresh: true
        default: false
        }
    }

    /// The number that answers carry; `nil` for `close`.
    var id: UInt64? {
        switch self {
        case .open(let id, _), .list(let id), .reconcile(let id), .fetch(let id, _), .delete(let id, _),
            .trigger(let id), .refresh(let id), .readSettings(let id, _), .writeSettings(let id, _),
            .setClock(let id, _), .begin(let id, _), .end(let id), .focus(let id, _), .liveFrame(let id, _):
            id
        case .close: nil
        }
    }
}
