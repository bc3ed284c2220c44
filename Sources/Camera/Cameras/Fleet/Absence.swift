import Foundation
import FrameFastModel

/// Whether it is worth a word that a camera is not there.
struct Absence: Hashable {
    /// A camera that nobody named in the configuration is missed for this long after it was unplugged, in seconds: long
    /// enough to notice a cable that came loose in a shoot, short enough not to list every body that was ever here.
    static let attentionSeconds: TimeInterval = 600
    /// How often the fleet looks whether a camera is missed no longer.
    static let lookInterval: Duration = .seconds(20)

    /// Whether the configuration names it.
    var isConfigured: Bool
    /// When it was unplugged; `nil` when that was not seen, because it was before the service began.
    var leftAt: Date?

    /// - Parameter now: a clock that is set back makes no absence longer.
    func deservesAttention(at now: Date) -> Bool {
        if isConfigured { return true }
        guard let leftAt else { return false }
        return abs(now.timeIntervalSince(leftAt)) < Self.attentionSeconds
    }
}

extension Absence {
    init(of member: CameraMember) {
        self.init(isConfigured: member.origin == .configured, leftAt: member.leftAt)
    }
}
