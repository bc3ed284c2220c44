import FrameFastAPI

/// The failed uploads that a key applies to: the uploads of the focused photo or destination, or all failed
/// uploads if neither has the focus.
struct FailedUploads: Equatable {
    /// The destination of the uploads, or `nil` for all destinations.
    var destination: DestinationName?
    /// The numbers of the focused photo's uploads, or `nil` for the uploads of all photos.
    var ids: [JobID]?
    /// The name of the focused photo, or `nil` for all photos.
    var photo: String?
    /// The number of uploads that failed permanently.
    var failed: Int
    /// The number of uploads that will be retried.
    var retrying: Int

    /// Selects the uploads by the focus. Returns `nil` if the uploads of the focused photo are not loaded.
    init?(_ state: WatchState, _ status: StatusReply) {
        switch state.focus {
        case .destination(let name):
            let found = status.destinations.first { $0.name == name }?.statistics
            self.init(destination: name, failed: found?.failed ?? 0, retrying: found?.retrying ?? 0)
        case .photo(let id):
            guard let shot = state.model.shots.all.first(where: { $0.id == id }) else { return nil }
            let jobs = state.model.shots.uploads(of: shot).filter { [.failed, .retrying].contains($0.state) }
            if jobs.isEmpty, [.uploadFailed, .retrying].contains(shot.state.known) { return nil }
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

    /// The selection in words that follow `2 uploads`, for example ` to nas`. Empty for all uploads.
    var words: String { destination.map { " to \($0)" } ?? photo.map { " of \($0)" } ?? "" }

    /// Returns the selection for the daemon.
    func selection(_ state: UploadState? = nil) -> UploadSelection {
        var selection = UploadSelection(destination: destination, state: state, ids: ids)
        if selection.isEmpty { selection.all = true }
        return selection
    }
}
