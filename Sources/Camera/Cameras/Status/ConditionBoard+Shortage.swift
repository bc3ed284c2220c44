public import FrameFastModel
public import SystemPackage

extension ConditionBoard {
    /// Records the limit of open files. A low limit raises the condition `fewDescriptors`.
    public func recordOpenFileLimit(_ count: UInt) { changeShortage { $0.recordLimit(count) } }

    /// Reports that a part of the service failed for lack of resources.
    ///
    /// - Parameters:
    ///   - subject: The part: a camera, the folder for photos, or a destination.
    ///   - effect: The effect of the failure, phrased as the end of a sentence.
    public func reportShortage(_ subject: ConditionSubject, _ effect: String, _ reason: Errno) {
        changeShortage { $0.recordFailure(subject, effect, reason) }
    }

    /// Reports that a part of the service has enough resources again.
    public func endShortage(of subject: ConditionSubject) { changeShortage { $0.recordSuccess(subject) } }
}
