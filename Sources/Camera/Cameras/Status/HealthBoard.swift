import Foundation
public import FrameFastModel
import Synchronization

/// The list of what is wrong right now. Status, status bars and the log all say what stands here.
public final class HealthBoard: Sendable {
    private let conditions = Mutex<[Condition.Key: Condition]>([:])
    /// Locked while ``conditions`` is locked, so that both change in the same order.
    private let shortage = Mutex(HostShortage())
    private let news: OrderedDelivery<[Condition]>

    /// - Parameter onChange: Told the whole list whenever it changed, in the order of the changes.
    public init(onChange: @escaping @Sendable ([Condition]) -> Void) { news = OrderedDelivery(onChange) }

    /// Everything that is wrong, worst first, then oldest first.
    public var current: [Condition] { conditions.withLock { Self.sorted($0) } }

    /// Something is wrong. Says so once: the same condition keeps its first time.
    ///
    /// - Parameters:
    ///   - severity: when it is not what the catalogue says.
    ///   - subject: what it is about, of the kind that the catalogue says.
    public func raise(
        _ kind: ConditionKind, _ severity: Condition.Severity? = nil, subject: ConditionSubject? = nil,
        sentence: String,
        nextStep: String
    ) {
        raise(
            Condition(kind, severity, since: Date(), subject: subject, sentence: sentence, nextStep: nextStep)
        )
    }

    /// Something is wrong that another room put into words.
    public func raise(_ condition: Condition) {
        change { conditions in
            let key = condition.key
            var condition = condition
            condition.since = conditions[key]?.since ?? condition.since
            conditions[key] = condition
        }
    }

    /// It is well again.
    public func clear(_ kind: ConditionKind, subject: ConditionSubject? = nil) {
        change { $0[Condition.Key(kind: kind, subject: subject)] = nil }
    }

    /// A camera has a session: nothing stands in its way, besides perhaps one thing.
    public func connected(camera: CameraID, except kind: ConditionKind? = nil) {
        end(.camera(camera)) { $0.end == .session && $0 != kind }
    }

    /// A camera is not there any more: what it said of itself is over, and what stood in its way.
    public func departed(camera: CameraID, except kind: ConditionKind? = nil) {
        endShortage(of: .camera(camera))
        end(.camera(camera)) { $0.end != .none && $0 != kind }
    }

    /// A camera, destination, hook or folder is forgotten, and everything that was said of it.
    public func forget(_ subject: ConditionSubject) {
        endShortage(of: subject)
        end(subject) { _ in true }
    }

    /// Changes the parts that fail for want of open files, processes or memory, and their condition with them.
    func changeShortage(_ body: (inout HostShortage) -> Void) {
        change { conditions in
            let advice = shortage.withLock { shortage in
                body(&shortage)
                return shortage.advice
            }
            let key = Condition.Key(kind: .fewDescriptors, subject: nil)
            conditions[key] = advice.map {
                Condition(
                    key.kind, since: conditions[key]?.since ?? Date(), sentence: $0.sentence,
                    nextStep: $0.nextStep)
            }
        }
    }

    private func end(_ subject: ConditionSubject, _ isOver: (ConditionKind) -> Bool) {
        change { conditions in
            conditions = conditions.filter { key, _ in key.subject != subject || !isOver(key.kind) }
        }
    }

    private func change(_ body: (inout [Condition.Key: Condition]) -> Void) {
        conditions.withLock { conditions in
            let before = conditions
            body(&conditions)
            if before != conditions { news.note(Self.sorted(conditions)) }
        }
        news.deliver()
    }

    private static func sorted(_ conditions: [Condition.Key: Condition]) -> [Condition] {
        conditions.values.sorted { ($1.severity, $0.since, $0.code) < ($0.severity, $1.since, $1.code) }
    }
}
