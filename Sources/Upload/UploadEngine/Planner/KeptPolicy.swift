import Foundation
public import FrameFastModel

/// What a person changes in the modes while the service runs. What is `nil` stays.
public struct UploadPolicyChange: Hashable, Sendable {
    /// Fewest stars in mode `rated`, 1...5.
    public var minimumRating: Int?
    /// When mode `scheduled` uploads.
    public var windows: [UploadSchedule.Window]?
    /// How many photos have to wait to go at any time; 0: their number does not matter.
    public var afterPhotos: Int?

    /// Creates a change.
    public init(
        minimumRating: Int? = nil, windows: [UploadSchedule.Window]? = nil, afterPhotos: Int? = nil
    ) {
        self.minimumRating = minimumRating
        self.windows = windows
        self.afterPhotos = afterPhotos
    }

    /// The policy with this change.
    func applied(to policy: UploadModePolicy) -> UploadModePolicy {
        var policy = policy
        if let minimumRating { policy.minimumRating = minimumRating }
        if let windows { policy.schedule.windows = windows }
        if let afterPhotos { policy.schedule.afterPhotos = afterPhotos > 0 ? afterPhotos : nil }
        return policy
    }
}

/// A changed policy as it outlives a restart. It holds until the configuration says something else than it did when
/// the change was made: then somebody has thought anew.
struct KeptPolicy: Codable, Hashable {
    private struct Values: Codable, Hashable {
        var minimumRating: Int
        var schedule: UploadSchedule

        init(_ policy: UploadModePolicy) {
            minimumRating = policy.minimumRating
            schedule = policy.schedule
        }
    }

    private var chosen: Values
    private var configured: Values

    init(chosen: UploadModePolicy, configured: UploadModePolicy) {
        self.chosen = Values(chosen)
        self.configured = Values(configured)
    }

    /// - Returns: `nil` when the text is none of ours.
    init?(text: String) {
        guard let kept = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = kept
    }

    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// The configured policy with what was chosen in its place.
    func applied(to policy: UploadModePolicy) -> UploadModePolicy {
        var policy = policy
        if configured.minimumRating == policy.minimumRating { policy.minimumRating = chosen.minimumRating }
        if configured.schedule == policy.schedule { policy.schedule = chosen.schedule }
        return policy
    }
}
