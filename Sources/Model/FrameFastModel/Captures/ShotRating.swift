public import FoundationEssentials

/// What one person says of a shot.
public struct ShotRating: Hashable, Sendable {
    /// Who gives it.
    public struct Rater: Hashable, Sendable {
        /// Id of the device; empty for whoever controls the service.
        public var id: String
        /// What people call it.
        public var name: String
        /// Whether a rejection of theirs goes before what all others say.
        public var isOwner: Bool

        /// Creates a rater.
        public init(id: String, name: String, isOwner: Bool) {
            self.id = id
            self.name = name
            self.isOwner = isOwner
        }
    }

    /// Stars that can be given.
    public static let starsRange = 0...5
    /// Longest comment, in characters.
    public static let commentMax = 2_000

    /// Who gave it.
    public var rater: Rater
    /// Stars; `nil` when none were given.
    public var stars: Int?
    /// Picked or rejected; `nil` for neither.
    public var pick: Bool?
    /// In their words; `nil` for none.
    public var comment: String?
    /// When it was given last.
    public var givenAt: Date

    /// Creates a rating.
    public init(rater: Rater, stars: Int? = nil, pick: Bool? = nil, comment: String? = nil, givenAt: Date) {
        self.rater = rater
        self.stars = stars
        self.pick = pick
        self.comment = comment
        self.givenAt = givenAt
    }

    /// Stars of a shot by what all people say: the most of them; -1 when the owner rejects it; `nil` when nobody gave any.
    public static func stars(of ratings: [ShotRating]) -> Int? {
        if ratings.contains(where: { $0.rater.isOwner && $0.pick == false }) { return -1 }
        return ratings.compactMap(\.stars).max()
    }

    /// Whether a shot is picked, by what all people say: the owner's word goes first, then any pick, then any rejection.
    public static func pick(of ratings: [ShotRating]) -> Bool? {
        ratings.first { $0.rater.isOwner && $0.pick != nil }?.pick
            ?? (ratings.contains { $0.pick == true }
                ? true : ratings.contains { $0.pick == false } ? false : nil)
    }
}
