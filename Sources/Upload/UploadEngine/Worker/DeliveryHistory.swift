import Foundation
import FrameFastModel
import Store

/// What a worker has delivered since the service started, and what went wrong last.
struct DeliveryHistory: Hashable, Sendable {
    /// What happened when the destination went away or refused; `nil` when it is well.
    var trouble: UploadTrouble?
    private var rate = RateWindow()
    private var lastDeliveredAt: Date?

    /// So many bytes were delivered.
    mutating func delivered(_ bytes: UInt64, at now: Date) {
        rate.add(bytes, at: now)
        lastDeliveredAt = now
    }

    /// How the destination stands, with its speed of the last minute.
    mutating func statistics(
        _ destination: DestinationName, _ standing: UploadStanding, _ counts: UploadCounts,
        running: [UploadJob],
        at now: Date
    ) -> UploadStatistics {
        UploadStatistics(
            destination: destination, standing: standing, counts: counts, running: running,
            // What went out just before the destination was gone is no speed.
            bytesPerSecond: standing.isAway ? 0 : rate.bytesPerSecond(at: now),
            lastDeliveredAt: lastDeliveredAt,
            trouble: trouble)
    }
}
