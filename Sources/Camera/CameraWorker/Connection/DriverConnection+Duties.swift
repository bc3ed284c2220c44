import FrameFastModel

/// A task of the worker that sends requests to the camera. A duty defines when it is due, when it may run,
/// and its next step.
///
/// A duty handles its own errors, because the reply to the daemon depends on the request.
/// ``DriverConnection/classify(_:during:)`` decides whether an error ends the connection.
protocol Duty {
    /// The situations and conditions in which the duty may run.
    var admission: Admission { get }

    /// Returns the time at which the duty next needs the camera, or `nil` if the duty is idle. Sends no
    /// request.
    func due(on connection: borrowing DriverConnection, at now: Instant, in situation: Admission) -> Instant?

    /// Performs the due step. The step must change the result of ``due(on:at:in:)``.
    mutating func perform(on connection: inout DriverConnection)
}

/// The ranks of duties, highest first.
enum DutyRank: Comparable {
    /// A release that waits until the camera accepts it.
    case waitingRelease
    /// A command to release the shutter or to stop an operation.
    case release
    /// A step of an operation, for example the end of an exposure.
    case exposure
    /// A poll for events that must precede other work.
    case event
    /// A command of the daemon, for example to fetch a photo.
    case command
    /// A read of the camera's free buffer during a burst.
    case buffer
    case settings
    case listing
    case focus
    case liveView
    /// Work that the worker performs when nothing else is due.
    case idle
}

/// A duty and its rank.
struct RankedDuty {
    let rank: DutyRank
    var duty: any Duty

    init(_ rank: DutyRank, _ duty: some Duty) {
        self.rank = rank
        self.duty = duty
    }
}

extension DriverConnection {
    /// Performs the due duty with the highest rank.
    ///
    /// - Returns: Whether a duty was due.
    mutating func performNextDuty() -> Bool {
        let now = Instant.now
        for index in duties.indices {
            guard let due = dueTime(of: index, in: .idle, at: now), due <= now else { continue }
            performDuty(at: index)
            return true
        }
        return false
    }

    /// Performs each due duty once, highest rank first. Performs only one duty of each rank, because the work
    /// in progress must continue soon.
    ///
    /// - Parameter situation: The work in progress.
    mutating func performDuties(in situation: Admission) {
        var performed: DutyRank?
        for index in duties.indices where loss == nil && duties[index].rank != performed {
            let now = Instant.now
            guard let due = dueTime(of: index, in: situation, at: now), due <= now else { continue }
            performDuty(at: index)
            performed = duties[index].rank
        }
    }

    /// Returns the earliest time at which a duty is due, or `nil` if all duties are idle.
    ///
    /// - Parameters:
    ///   - situation: The work in progress.
    ///   - rank: The lowest rank to consider.
    func nextDue(in situation: Admission, through rank: DutyRank = .idle) -> Instant? {
        let now = Instant.now
        var earliest: Instant?
        for index in duties.indices where duties[index].rank <= rank {
            guard let due = dueTime(of: index, in: situation, at: now) else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    private mutating func performDuty(at index: Int) {
        // Works on a copy of the duty, because the duty gets exclusive access to the connection, which stores
        // the duties.
        var duty = duties[index].duty
        duty.perform(on: &self)
        duties[index].duty = duty
    }

    /// Returns the time at which a duty is due, or `nil` if the duty is idle or may not run now.
    private func dueTime(of index: Int, in situation: Admission, at now: Instant) -> Instant? {
        let duty = duties[index].duty
        guard duty.admission.isSuperset(of: conditions.union(situation)) else { return nil }
        return duty.due(on: self, at: now, in: situation)
    }

    /// Whether this worker holds the shutter open.
    var isExposing: Bool { if case .open = operation?.step { true } else { false } }

    /// Whether reading the card must wait, because of the running operation or recent shots.
    var holdsCard: Bool { operationHoldsCard || shutter.rest.delay(at: .now) > .zero }

    /// Whether reading the card must wait for the end of the running operation.
    var operationHoldsCard: Bool { operation?.toggle?.holdsCard == true }

    /// Whether polls for events must wait for the end of the exposure. The driver reads the card for each
    /// announced photo. Several Nikons close the shutter when the card is read during a bulb exposure
    /// (gphoto2 issues 52 and 546).
    var holdsEvents: Bool { isExposing && operationHoldsCard }

    /// The current conditions, which a duty must admit.
    private var conditions: Admission {
        guard operation != nil else { return [] }
        return isExposing ? [.duringOperation, .duringExposure] : .duringOperation
    }
}
