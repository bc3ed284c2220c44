import Foundation
import WorkerProtocol

extension ZoneOffsets {
    /// Creates the offsets of a time zone: the offset at the given time, and the next changes.
    init(_ zone: TimeZone, from now: Date) {
        self.init(seconds: zone.secondsFromGMT(for: now))
        var moment = now
        while changes.count < Self.changesMax,
            let next = zone.nextDaylightSavingTimeTransition(after: moment),
            next > moment
        {
            moment = next
            changes.append(
                Change(
                    at: Int64(next.timeIntervalSince1970.rounded()), seconds: zone.secondsFromGMT(for: next)))
        }
    }
}
