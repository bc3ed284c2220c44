import FrameFastModel

/// The photos that a camera announced last. A further file of one of these photos does not prove that a new
/// photo was taken.
struct RecentPhotos: Hashable {
    private struct Photo: Hashable {
        let stem: String
        let time: Int64?
    }

    /// The maximum number of photos.
    static let countMax = 16
    /// The maximum difference between the times of the files of a photo, in seconds. A camera that restarts
    /// its names in each connection may give a new photo the name of an earlier photo.
    static let timeDifferenceMax: Int64 = 5

    private var photos: [Photo] = []

    /// Records an announced file.
    mutating func record(_ object: CameraObject) {
        let photo = Photo(stem: AnnouncedPhotos.stem(of: object.name), time: object.cameraTime)
        photos.removeAll { $0.stem == photo.stem }
        photos.append(photo)
        if photos.count > Self.countMax { photos.removeFirst() }
    }

    /// Returns whether a file belongs to one of these photos.
    func contains(_ object: CameraObject) -> Bool {
        let stem = AnnouncedPhotos.stem(of: object.name)
        guard let photo = photos.first(where: { $0.stem == stem }) else { return false }
        guard let earlier = photo.time, let time = object.cameraTime else { return true }
        let (difference, isOverflow) = time.subtractingReportingOverflow(earlier)
        return !isOverflow && difference.magnitude <= Self.timeDifferenceMax.magnitude
    }
}
