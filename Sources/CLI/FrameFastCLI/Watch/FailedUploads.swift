import FrameFastAPI

/// The failed uploads that a key applies to: the uploads of the focused photo or destination. If neither has
/// the focus, the key applies to all failed uploads.
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

    /// The words that describe the selection after a count such as `2 uploads`, for example ` to nas`. Empty
    /// if all uploads are selected.
    var words: String { destination.map { " to \($0)" } ?? photo.map { " of \($0)" } ?? "" }

    /// Returns the selection for a request to the daemon. If `state` is not `nil`, selects only uploads in
    /// this state.
    func selection(_ state: UploadState? = nil) -> UploadSelection {
        var selection = UploadSelection(destination: destination, state: state, ids: ids)
        if selection.isEmpty { selection.all = true }
        return selection
    }
}
