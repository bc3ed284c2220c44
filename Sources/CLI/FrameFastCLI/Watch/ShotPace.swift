import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The number of shots a minute, over the last half hour. Counts a shot with several files once.
struct ShotPace: Equatable {
    /// The shots by minute since 1970.
    private var shots: [Int: Set<ShotID>] = [:]

    mutating func add(_ id: ShotID, savedAt: Date) {
        let minute = Self.minute(savedAt)
        shots[minute, default: []].insert(id)
        if shots.count > 2 * SparklineView.pointsMax {
            let newest = shots.keys.max() ?? minute
            shots = shots.filter { $0.key > newest - SparklineView.pointsMax }
        }
    }

    /// Returns one count for each minute, the oldest first. The last count is of the current minute, which is
    /// incomplete.
    func values(now: Date) -> [Int] {
        let last = Self.minute(now)
        return ((last - SparklineView.pointsMax + 1)...last).map { shots[$0]?.count ?? 0 }
    }

    private static func minute(_ date: Date) -> Int { Int((date.timeIntervalSince1970 / 60).rounded(.down)) }
}
