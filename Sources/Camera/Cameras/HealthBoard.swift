import Foundation
public import FrameFastModel
import Synchronization

/// The list of what is wrong right now. Status, status bars and the log all say what stands here.
public final class HealthBoard: Sendable {
    private struct Key: Hashable {
        var code: String
        var subject: String?
    }
    private let conditions = Mutex<[Key: Condition]>([:])
    private let onChange: @Sendable ([Condition]) -> Void

    /// - Parameter onChange: Told the whole list whenever it changes.
    public init(onChange: @escaping @Sendable ([Condition]) -> Void) { self.onChange = onChange }

    /// Everything that is wrong, worst first, then oldest first.
    public var current: [Condition] { conditions.withLock { Self.sorted($0) } }

    /// Something is wrong. Says so once: the same condition keeps its first time.
    public func raise(
        _ code: String, _ severity: Condition.Severity, subject: String? = nil, sentence: String,
        nextStep: String
    ) {
        change { conditions in
            let key = Key(code: code, subject: subject)
            conditions[key] = Condition(
                code: code, severity: severity, since: conditions[key]?.since ?? Date(), subject: subject,
                sentence: sentence, nextStep: nextStep)
        }
    }

    /// It is well again.
    public func clear(_ code: String, subject: String? = nil) {
        change { $0[Key(code: code, subject: subject)] = nil }
    }

    private func change(_ body: (inout [Key: Condition]) -> Void) {
        let news = conditions.withLock { conditions -> [Condition]? in
            let before = conditions
            body(&conditions)
            return before == conditions ? nil : Self.sorted(conditions)
        }
        if let news { onChange(news) }
    }

    private static func sorted(_ conditions: [Key: Condition]) -> [Condition] {
        conditions.values.sorted { ($1.severity, $0.since, $0.code) < ($0.severity, $1.since, $1.code) }
    }
}
