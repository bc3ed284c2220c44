import Foundation
public import FrameFastModel
public import FrameFastSystem
import Synchronization

/// The list of current conditions, which the status, status bars and the log show.
public final class ConditionBoard: Sendable {
    private let conditions = Mutex<[Condition.Key: Condition]>([:])
    /// This mutex is locked only while ``conditions`` is locked. The shortage and the conditions therefore
    /// change in the same order.
    private let shortage = Mutex(HostShortage())
    private let clock: HostClock
    private let delivery: OrderedDelivery<[Condition]>

    /// - Parameters:
    ///   - clock: The clock of the conditions' start times.
    ///   - onChange: Called with the whole list after each change, in the order of the changes.
    public init(clock: HostClock = .system, onChange: @escaping @Sendable ([Condition]) -> Void) {
        self.clock = clock
        delivery = OrderedDelivery(onChange)
    }

    /// All conditions, worst first, then oldest first.
    public var current: [Condition] { conditions.withLock { Self.sorted($0) } }

    /// Raises a condition. A condition that is already raised keeps its start time.
    ///
    /// - Parameters:
    ///   - severity: The severity, or `nil` for the default of the kind.
    ///   - subject: The subject. Each kind has a fixed type of subject.
    public func raise(
        _ kind: ConditionKind, _ severity: Condition.Severity? = nil, subject: ConditionSubject? = nil,
        sentence: String,
        nextStep: String
    ) {
        raise(
            Condition(
                kind, severity, since: clock.now(), subject: subject, sentence: sentence, nextStep: nextStep))
    }

    /// Raises a condition that another module has created.
    public func raise(_ condition: Condition) {
        change { conditions in
            let key = condition.key
            var condition = condition
            condition.since = conditions[key]?.since ?? condition.since
            conditions[key] = condition
        }
    }

    /// Clears a condition.
    public func clear(_ kind: ConditionKind, subject: ConditionSubject? = nil) {
        change { $0[Condition.Key(kind: kind, subject: subject)] = nil }
    }

    /// Clears a camera's conditions that end when the camera connects, except one kind.
    public func clearObstacles(of camera: CameraID, except kind: ConditionKind? = nil) {
        clearConditions(of: .camera(camera)) { $0.end == .connection && $0 != kind }
    }

    /// Clears a camera's conditions that end when the camera is disconnected, except one kind.
    public func clearDeparted(_ camera: CameraID, except kind: ConditionKind? = nil) {
        endShortage(of: .camera(camera))
        clearConditions(of: .camera(camera)) { $0.end != .none && $0 != kind }
    }

    /// Clears all conditions of a camera, destination, hook or folder that was removed.
    public func forget(_ subject: ConditionSubject) {
        endShortage(of: subject)
        clearConditions(of: subject) { _ in true }
    }

    /// Changes the recorded shortages of this computer, and updates the condition `fewDescriptors`.
    func changeShortage(_ body: (inout HostShortage) -> Void) {
        change { conditions in
            let advice = shortage.withLock { shortage in
                body(&shortage)
                return shortage.advice
            }
            let key = Condition.Key(kind: .fewDescriptors, subject: nil)
            conditions[key] = advice.map {
                Condition(
                    key.kind, since: conditions[key]?.since ?? clock.now(), sentence: $0.sentence,
                    nextStep: $0.nextStep)
            }
        }
    }

    private func clearConditions(of subject: ConditionSubject, where isOver: (ConditionKind) -> Bool) {
        change { conditions in
            conditions = conditions.filter { key, _ in key.subject != subject || !isOver(key.kind) }
        }
    }

    private func change(_ body: (inout [Condition.Key: Condition]) -> Void) {
        conditions.withLock { conditions in
            let before = conditions
            body(&conditions)
            if before != conditions { delivery.enqueue(Self.sorted(conditions)) }
        }
        delivery.deliver()
    }

    private static func sorted(_ conditions: [Condition.Key: Condition]) -> [Condition] {
        conditions.values.sorted { ($1.severity, $0.since, $0.code) < ($0.severity, $1.since, $1.code) }
    }
}
