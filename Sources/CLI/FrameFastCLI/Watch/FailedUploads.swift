import FrameFastAPI
import Localization

/// Failed uploads that a key is about: those of the photo or of the destination with the focus, else all.
struct FailedUploads: Equatable {
    /// Where they go; `nil` for everywhere.
    var destination: DestinationName?
    /// Numbers of those of one photo; `nil` for all.
    var ids: [JobID]?
    /// What a person calls the photo.
    var photo: String?
    /// How many failed for good, and how many will be tried again.
    var failed: Int
    var retrying: Int

    /// What has the focus decides; `nil` where the uploads of that photo are not known here.
    init?(_ state: WatchState, _ status: StatusReply) {
        switch state.focus {
        case .destination(let name):
            let found = status.destinations.first { $0.name == name }?.statistics
            self.init(destination: name, failed: found?.failed ?? 0, retrying: found?.retrying ?? 0)
        case .photo(let id):
            guard let shot = state.model.shots.all.first(where: { $0.id == id }) else { return nil }
            let jobs = state.model.shots.uploads(of: shot).filter { [.failed, .retrying].contains($0.state) }
            if jobs.isEmpty, [.uploadFailed, .retrying].contains(shot.state) { return nil }
            self.init(
                ids: jobs.map(\.id), photo: shot.name, failed: jobs.count { $0.state == .failed },
                retrying: jobs.count { $0.state == .retrying })
        case .camera, .part, nil:
            self.init(failed: status.uploads.failed, retrying: status.uploads.retrying)
        }
    }

    init(
        destination: DestinationName? = nil, ids: [JobID]? = nil, photo: String? = nil, failed: Int,
        retrying: Int
    ) {
        self.destination = destination
        self.ids = ids
        self.photo = photo
        self.failed = failed
        self.retrying = retrying
    }

    /// In words, behind `2 uploads`: ` to nas`.
    var words: String {
        destination.map { " " + localized("to \($0)", "a destination") } ?? photo.map {
            " " + localized("of \($0)", "a photo")
        } ?? ""
    }

    /// The selection in the daemon's terms.
    func selection(_ state: UploadJobReply.State? = nil) -> UploadSelection {
        var selection = UploadSelection(destination: destination, state: state, ids: ids)
        if selection.isEmpty { selection.all = true }
        return selection
    }
}
