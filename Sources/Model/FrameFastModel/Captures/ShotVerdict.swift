/// The rating of a shot, from the camera's ratings and all opinions. Applies to every file of the shot.
public struct ShotVerdict: Hashable, Sendable {
    /// The highest number of stars that the camera or an author gave, 0...5.
    public var stars: Int
    /// `false` if an owner rejected the shot. Otherwise `true` if an author picked the shot, `false` if only
    /// clients rejected the shot, and `nil` if no author picked or rejected the shot.
    public var pick: Bool?
    /// Whether an owner rejected the shot. Such a shot is not uploaded in mode `rated` or to a destination
    /// with a minimum rating, regardless of its stars.
    public var isRejectedByOwner: Bool

    /// Creates a verdict.
    ///
    /// - Parameters:
    ///   - cameraRatings: The ratings in the shot's files: -1 for rejected in the camera, `nil` for a file
    ///     that was not checked. A rejection in the camera counts as no stars.
    ///   - opinions: The opinions of all authors.
    public init(cameraRatings: [Int?] = [], opinions: [Opinion] = []) {
        let stars = cameraRatings.compactMap { $0 } + opinions.compactMap(\.stars)
        self.stars = min(max(stars.max() ?? 0, 0), Opinion.starsRange.upperBound)
        isRejectedByOwner = opinions.contains { $0.role == .owner && $0.pick == false }
        let picks = opinions.compactMap(\.pick)
        if isRejectedByOwner {
            pick = false
        } else {
            pick = picks.isEmpty ? nil : picks.contains(true)
        }
    }

    /// Returns the reason why a photo of the shot must not be uploaded, or `nil` if it may be uploaded. A
    /// rejection by an owner overrides stars and the protection in the camera.
    ///
    /// Mode `rated` and destinations with a minimum rating use this function.
    ///
    /// - Parameter minimumRating: The lowest rating, 1...5 stars. A protected photo needs no stars.
    public func hold(of photo: CaptureRecord, minimumRating: Int) -> UploadHold? {
        if isRejectedByOwner { return .rejected }
        let isRated = stars >= minimumRating || photo.isRatedOrProtected(minimumRating: minimumRating)
        return isRated ? nil : .unrated
    }
}
