import Glibc
import Synchronization
import SystemIO
import WorkerProtocol

/// A queue of commands from the control thread to the driver thread.
final class CommandQueue: Sendable {
    /// The maximum number of queued commands. The daemon sends only a few fetches in advance. A full queue
    /// indicates a bug in the daemon.
    static let limit = 1_000

    /// An event descriptor that becomes readable when a command arrives. A function that finds no command to
    /// run, or waits for an urgent command, resets the descriptor. The driver thread polls the descriptor
    /// together with the camera's sockets.
    var descriptor: Int32 { wake.descriptor }
    private let wake: WakeDescriptor
    private let waiting = Mutex<[WorkerCommand]>([])

    init() {
        do throws(SystemCallFailure) { wake = try WakeDescriptor() } catch {
            _exit(WorkerExit.outOfResources)
        }
    }

    /// Adds a command. Returns `false` if the queue is full.
    func push(_ command: WorkerCommand) -> Bool {
        let isQueued = waiting.withLock { commands in
            guard commands.count < Self.limit else { return false }
            commands.append(command)
            return true
        }
        wake.signal()
        return isQueued
    }

    /// Removes and returns the next command. The order is: urgent commands, then shots that are preceded only
    /// by fetches, then the remaining commands in order of arrival.
    func next() -> WorkerCommand? {
        waiting.withLock { commands in
            guard !commands.isEmpty else {
                wake.reset()
                return nil
            }
            return commands.remove(
                at: commands.firstIndex { $0.isUrgent } ?? Self.shotIndex(in: commands) ?? 0)
        }
    }

    /// Removes and returns the next command that does not use the card.
    func nextWithoutCard() -> WorkerCommand? {
        waiting.withLock { commands in
            guard let index = commands.firstIndex(where: { !$0.usesCard }) else {
                wake.reset()
                return nil
            }
            return commands.remove(at: index)
        }
    }

    /// Returns whether the queue contains a command that may run. If `false`, the next wait lasts until a new
    /// command arrives.
    ///
    /// - Parameter mayUseCard: Whether to include commands that use the card.
    func hasNext(mayUseCard: Bool) -> Bool {
        waiting.withLock { commands in
            if commands.contains(where: { mayUseCard || !$0.usesCard }) { return true }
            wake.reset()
            return false
        }
    }

    /// Removes and returns the next shot that may interrupt the fetch of another photo.
    func nextShot() -> (id: UInt64, request: FetchRequest)? {
        waiting.withLock { commands in
            guard let index = Self.shotIndex(in: commands), case .fetch(let id, let request) = commands[index]
            else { return nil }
            commands.remove(at: index)
            return (id, request)
        }
    }

    /// Returns the index of the first shot that is preceded only by fetches. A shot never overtakes a command
    /// of another kind.
    private static func shotIndex(in commands: [WorkerCommand]) -> Int? {
        for (index, command) in commands.enumerated() {
            guard case .fetch(_, let request) = command else { return nil }
            if request.isShot { return index }
        }
        return nil
    }

    /// Removes and returns the next command that may interrupt a fetch.
    func nextUrgent() -> WorkerCommand? {
        waiting.withLock { commands in
            commands.firstIndex { $0.isUrgent }.map { commands.remove(at: $0) }
        }
    }

    /// Waits until a new command arrives or the timeout has passed. Returns immediately if a queued command
    /// may interrupt a fetch.
    func waitForUrgent(for timeout: Duration) {
        let waits = waiting.withLock { commands in
            wake.reset()
            return commands.contains(where: \.isUrgent)
        }
        if !waits { _ = wait(for: timeout) }
    }

    /// Whether the queue is empty.
    var isEmpty: Bool { waiting.withLock(\.isEmpty) }
    /// Whether the queue contains a command that may interrupt a fetch.
    var hasUrgent: Bool { waiting.withLock { $0.contains(where: \.isUrgent) } }
    /// Whether the queue contains a shot that must be fetched over the camera's link.
    var hasShot: Bool {
        waiting.withLock { commands in
            commands.contains {
                if case .fetch(_, let request) = $0 { request.isShot && request.folder != "/" } else { false }
            }
        }
    }

    /// Waits until a command arrives.
    func wait() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, -1)
    }

    /// Waits until a command arrives or the timeout has passed. Returns whether a command has arrived.
    func wait(for timeout: Duration) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, timeout.pollTimeout) > 0
    }
}

extension WorkerCommand {
    /// Whether the command may interrupt a fetch. The shutter must not wait for a transfer.
    var isUrgent: Bool {
        switch self {
        case .trigger, .end: true
        default: false
        }
    }

    /// Whether the command uses the card.
    var usesCard: Bool {
        switch self {
        case .list, .reconcile, .fetch, .delete, .refresh: true
        default: false
        }
    }

    /// The id that replies to the command contain, or `nil` for `close`.
    var id: UInt64? {
        switch self {
        case .open(let id, _), .list(let id), .reconcile(let id), .fetch(let id, _), .delete(let id, _),
            .trigger(let id), .refresh(let id), .readSettings(let id, _), .writeSettings(let id, _),
            .setClock(let id, _, _), .begin(let id, _), .end(let id), .focus(let id, _),
            .liveFrame(let id, _):
            id
        case .close: nil
        }
    }
}
