import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization
import WorkerProtocol

/// Shots of several cameras at one moment: each is told the moment before it comes, and waits for it in a process of its own.
final class GroupShots: Sendable {
    /// A camera that is to take part.
    struct Member: Sendable {
        var id: CameraID
        var name: String
        var session: CameraSession
    }

    /// What became of a shot.
    struct Outcome: Sendable {
        /// Cameras whose shutters were released, and when.
        var fired: [(name: String, tick: IntervalTick)] = []
        /// The others, and why.
        var missing: [MissingCamera] = []
        /// Those of the others that may have taken a photo all the same: they said nothing.
        var silent: Set<String> = []
    }

    /// Why no shutter was released: too few were ready.
    struct TooFew: Error {
        var ready: Int
        var missing: [MissingCamera]
    }

    private static let saidNothing = "It said nothing of its release."

    /// What is heard while a shot is under way.
    private enum News: Sendable {
        /// A camera waits for the moment.
        case armed(CameraID)
        /// A camera does not take part.
        case refused(CameraID, reason: String)
        /// A camera that waits for the moment says what became of it.
        case told(CameraID, CameraOperationProgress)
        /// Enough cameras are ready now, or it is called off.
        case decision
        /// Nobody waits for more.
        case end
    }

    /// Time before the moment at which it is decided whether enough cameras are ready, in milliseconds: those that are must be
    /// told to let go of it.
    private static let decisionMs = 100
    /// Time after the moment in which each camera says what became of it, in milliseconds: a body that looks for focus takes
    /// seconds.
    private static let patienceMs = 8_000

    private static let isEngaged = "It takes part in another shot at this moment."

    /// Who waits to hear of a camera.
    private let waiting = Mutex<[CameraID: AsyncStream<News>.Continuation]>([:])

    /// A camera tells how far it is.
    func camera(_ status: CameraStatus) {
        // That a release has ended comes after what became of it, and may come when the next one is under way.
        guard let progress = status.operation, progress.kind == .release,
            progress.tick != nil || [.failed, .stopped].contains(progress.state)
        else { return }
        _ = waiting.withLock { $0[status.id]?.yield(.told(status.id, progress)) }
    }

    /// Releases the shutters.
    ///
    /// - Parameters:
    ///   - members: Each camera once.
    ///   - atNs: The moment, in nanoseconds of CLOCK_BOOTTIME.
    ///   - require: The fewest cameras that must be ready.
    func shoot(_ members: [Member], atNs: UInt64, require: Int) async throws(TooFew) -> Outcome {
        let (news, teller) = AsyncStream<News>.makeStream()
        // Two may ask for a shot at a time: a camera takes part in one.
        let free = waiting.withLock { waiting in
            let free = members.filter { waiting[$0.id] == nil }
            for member in free { waiting[member.id] = teller }
            return free
        }
        defer { waiting.withLock { waiting in for member in free { waiting[member.id] = nil } } }
        let engaged = Set(members.map(\.id)).subtracting(free.map(\.id))
        for id in engaged { teller.yield(.refused(id, reason: Self.isEngaged)) }
        let isOff = Flag()
        arm(free, atNs: atNs, isOff, teller)
        let clock = Task {
            let now = BootTime.nowNs
            let inMs = Int((atNs - min(now, atNs)) / 1_000_000)
            try await Task.sleep(for: .milliseconds(max(0, inMs - Self.decisionMs)))
            teller.yield(.decision)
            try await Task.sleep(for: .milliseconds(Self.decisionMs + Self.patienceMs))
            teller.yield(.end)
        }
        defer { clock.cancel() }

        var outcome = Outcome()
        var open = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0.name) })
        var armed: Set<CameraID> = []
        var (answers, hasDecided) = (0, false)
        for await one in news {
            switch one {
            case .armed(let id):
                answers += 1
                armed.insert(id)
            case .refused(let id, let reason):
                answers += 1
                guard let name = open.removeValue(forKey: id) else { continue }
                outcome.missing.append(.init(name: name, reason: reason))
            case .told(let id, let progress):
                // What is said before is of an earlier shot.
                guard armed.contains(id), let name = open.removeValue(forKey: id) else { continue }
                if let tick = progress.tick, tick.outcome == .shot {
                    outcome.fired.append((name, tick))
                } else {
                    let reason = progress.tick?.reason ?? progress.reason
                    outcome.missing.append(.init(name: name, reason: reason ?? Self.saidNothing))
                }
            case .decision:
                hasDecided = true
            case .end:
                outcome.missing += open.values.sorted().map { .init(name: $0, reason: Self.saidNothing) }
                outcome.silent = Set(open.values)
                return outcome
            }
            // Nobody lets go of a moment that it was not told yet: those who are quick wait for the others.
            let isNews = if case .decision = one { true } else { !hasDecided && answers == members.count }
            if isNews, open.count(where: { armed.contains($0.key) }) < require {
                isOff.set()
                for member in members where armed.contains(member.id) && open[member.id] != nil {
                    try? await member.session.endOperation()
                }
                let silent = open.filter { !armed.contains($0.key) }.values.sorted()
                throw TooFew(
                    ready: open.count - silent.count,
                    missing: outcome.missing
                        + silent.map { .init(name: $0, reason: "It did not answer before the moment.") })
            }
            if hasDecided, open.isEmpty { return outcome }
        }
        return outcome
    }

    /// Tells each camera the moment. One that answers when the shot is called off lets go of it again.
    private func arm(
        _ members: [Member], atNs: UInt64, _ isOff: Flag, _ teller: AsyncStream<News>.Continuation
    ) {
        for member in members {
            Task {
                do throws(WorkerFailure) {
                    try await member.session.begin(.release(ReleaseOrder(atNs: atNs)))
                } catch {
                    let reason = ControlError(error, "release its shutter").message
                    teller.yield(.refused(member.id, reason: reason))
                    return
                }
                teller.yield(.armed(member.id))
                if isOff.isSet { try? await member.session.endOperation() }
            }
        }
    }
}

/// Something that is once, and then for good.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
}
