import FrameFastAPI
import FrameFastConfiguration
import SettingKeys

/// Notices, as the doctor sees them: whether a person would hear of anything.
extension Doctor {
    /// What stands in the way of notices.
    func notices() -> Check {
        let (id, title) = ("notices", "Notices")
        let notices = configuration.notices
        guard !notices.isEmpty else {
            return Check(id: id, title: title, verdict: .ok, sentence: "No notices are configured.")
        }
        let faults = configuration.noticeFaults(isByHand: service == nil)
        guard faults.isEmpty else {
            return Check(
                id: id, title: title, verdict: .warning,
                sentence: faults.map { "\($0.message)." }.joined(separator: " "),
                steps: ["Correct it, then try it: framefast notice test"])
        }
        let names = notices.map(\.name).joined(separator: ", ")
        return Check(
            id: id, title: title, verdict: .ok,
            sentence: "People are told what is wrong by \(names).")
    }
}
