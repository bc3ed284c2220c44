import FrameFastModel
import Store

/// The text of the condition about a destination's held photos.
struct HeldPhotos {
    /// The reasons with their numbers of photos. Unsorted photos come first, followed by the other reasons,
    /// largest number first.
    private let reasons: [(hold: UploadHold, count: Int)]

    /// - Returns: `nil` if no photo is held.
    init?(_ holds: [UploadHold: UploadCounts.Sum]) {
        reasons = holds.filter { $0.value.jobs > 0 }.map { (hold: $0.key, count: $0.value.jobs) }
            .sorted { Self.rank($0) < Self.rank($1) }
        if reasons.isEmpty { return nil }
    }

    private static func rank(_ reason: (hold: UploadHold, count: Int)) -> (Int, Int, String) {
        (reason.hold == .unsorted ? 0 : 1, -reason.count, reason.hold.rawValue)
    }

    /// Returns the number of photos and an explanation for each reason.
    func sentence(_ destination: DestinationName) -> String {
        reasons.enumerated().map { index, reason in
            let photos = index == 0 ? Self.photos(reason.count) : Self.photos(reason.count, "more ")
            let place = index == 0 ? " for \(destination)" : ""
            return "\(photos)\(place) \(reason.count == 1 ? "is" : "are") held. \(reason.hold.sentence)"
        }.joined(separator: " ")
    }

    /// The next step for each reason. With several reasons, also the number of photos that `queue release`
    /// releases.
    var nextStep: String {
        guard reasons.count > 1 else { return reasons[0].hold.nextStep }
        var steps = reasons.map { reason in
            guard reason.hold != .unsorted else { return reason.hold.nextStep }
            let step = reason.hold.nextStep
            return "For \(Self.photos(reason.count)): \(step.prefix(1).lowercased())\(step.dropFirst())"
        }
        let total = reasons.reduce(0) { $0 + $1.count }
        let releasable = reasons.reduce(0) { $0 + ($1.hold == .unsorted ? 0 : $1.count) }
        let which = releasable < total ? "only the other" : "all"
        steps.append("'framefast queue release' releases \(which) \(Self.photos(releasable)).")
        return steps.joined(separator: " ")
    }

    static func photos(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)photo" : "\(count) \(more)photos"
    }
}
