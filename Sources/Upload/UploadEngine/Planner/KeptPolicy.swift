import Foundation
public import FrameFastModel

/// A person's change to the modes at run time. A property of `nil` leaves the setting unchanged.
public struct UploadPolicyChange: Hashable, Sendable {
    /// The minimum rating in mode `rated`, 1...5.
    public var minimumRating: Int?
    /// The time windows of mode `scheduled`.
    public var windows: [UploadSchedule.Window]?
    /// The number of waiting photos at which their upload starts outside of the windows, or 0 to always wait
    /// for a window.
    public var afterPhotos: Int?

    /// Creates a change.
    public init(
        minimumRating: Int? = nil, windows: [UploadSchedule.Window]? = nil, afterPhotos: Int? = nil
    ) {
        self.minimumRating = minimumRating
        self.windows = windows
        self.afterPhotos = afterPhotos
    }

    /// Returns the policy with this change.
    func applied(to policy: UploadModePolicy) -> UploadModePolicy {
        var policy = policy
        if let minimumRating { policy.minimumRating = minimumRating }
        if let windows { policy.schedule.windows = windows }
        if let afterPhotos { policy.schedule.afterPhotos = afterPhotos > 0 ? afterPhotos : nil }
        return policy
    }
}

/// A changed policy as a value for the ledger. The change is valid until the configured value changes,
/// because the configuration is then the newer decision.
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

    /// - Returns: `nil` if the text cannot be decoded.
    init?(text: String) {
        guard let stored = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = stored
    }

    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// Returns the configured policy with the person's changes that are still valid.
    func applied(to policy: UploadModePolicy) -> UploadModePolicy {
        var policy = policy
        if configured.minimumRating == policy.minimumRating { policy.minimumRating = chosen.minimumRating }
        if configured.schedule == policy.schedule { policy.schedule = chosen.schedule }
        return policy
    }
}
