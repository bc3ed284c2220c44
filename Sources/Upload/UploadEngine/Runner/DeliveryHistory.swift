import Foundation
import FrameFastModel
import Store

/// The recent deliveries of a runner, and its last failure.
struct DeliveryHistory: Hashable, Sendable {
    /// The failure that stopped or slowed down uploads, or `nil` if the destination works.
    var lastFailure: DestinationFailure?
    private var rate = RateWindow()

    /// Records a delivery.
    mutating func recordDelivery(_ bytes: UInt64, at now: Date) {
        rate.add(bytes, at: now)
    }

    /// Returns the destination's statistics, with its speed in the last minute.
    mutating func statistics(
        _ destination: DestinationName, _ state: DestinationState, _ counts: UploadCounts,
        running: [UploadJob],
        at now: Date
    ) -> UploadStatistics {
        UploadStatistics(
            destination: destination, state: state, counts: counts, running: running,
            // During an outage, the window may still contain deliveries, but the speed is 0.
            bytesPerSecond: state.isAway ? 0 : rate.bytesPerSecond(at: now),
            lastFailure: lastFailure)
    }
}
