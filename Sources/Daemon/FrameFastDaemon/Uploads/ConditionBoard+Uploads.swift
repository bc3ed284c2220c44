import Cameras
import FrameFastModel
import UploadEngine

extension ConditionBoard {
    /// Raises and clears the conditions of uploads. This function is called synchronously, because the event
    /// queue may drop events.
    func record(_ event: UploadEvent) {
        switch event {
        case .raised(let condition): raise(condition)
        case .cleared(let kind, let subject): clear(kind, subject: subject)
        case .shortage(let name, let reason?):
            reportShortage(.destination(name), "uploads to \(name) wait", reason)
        case .shortage(let name, nil): endShortage(of: .destination(name))
        default: break
        }
    }
}
