import Cameras
import FrameFastModel
import UploadEngine

extension HealthBoard {
    /// Records the conditions of uploads. An event that is on the board may not be left out.
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
