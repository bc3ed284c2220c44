public import FoundationEssentials

/// The opinion of one author about one shot. Only the newest opinion of an author about a shot counts.
///
/// The rating that the camera wrote into a file is not an opinion. See ``CaptureRecord/rating``.
public struct Opinion: Hashable, Sendable {
    /// The number of stars that an author may give.
    public static let starsRange = 0...5
    /// The longest comment, in Unicode scalars.
    public static let commentLengthMax = 2_000
    /// The longest name of an author, in Unicode scalars.
    public static let authorLengthMax = 64

    /// The stars, 0...5, or `nil` if the author gave none.
    public var stars: Int?
    /// `true` if the author picked the shot, `false` if the author rejected the shot, `nil` for neither.
    public var pick: Bool?
    /// The comment, or `nil` without one. Untrusted text without control characters.
    public var comment: String?
    /// The name of the author. Untrusted text without control characters. Two authors may have the same name.
    public var author: String
    /// The identity of the author: `device:7` for a device of the web page, `user:eva` for a user of this
    /// computer.
    public var authorKey: String
    /// The author's role when the opinion was given. Authors with different roles are different authors.
    public var role: WebRole
    /// The time of the last change, by this computer's clock.
    public var at: Date

    /// Creates an opinion.
    public init(
        stars: Int? = nil, pick: Bool? = nil, comment: String? = nil, author: String, authorKey: String,
        role: WebRole, at: Date
    ) {
        self.stars = stars
        self.pick = pick
        self.comment = comment
        self.author = author
        self.authorKey = authorKey
        self.role = role
        self.at = at
    }

    /// Whether the opinion contains nothing, because the author removed it.
    public var isEmpty: Bool { stars == nil && pick == nil && comment == nil }

    /// Returns whether two opinions are from the same author.
    public func hasSameAuthor(as other: Opinion) -> Bool {
        authorKey == other.authorKey && role == other.role
    }

    /// Returns whether two opinions of an author are equal, apart from their times.
    public func hasSameContent(as other: Opinion) -> Bool {
        stars == other.stars && pick == other.pick && comment == other.comment
    }

    /// Returns the newest opinion of each author, oldest first, without empty opinions. An author may have
    /// two opinions about a shot whose files were separate shots earlier.
    public static func newest(of opinions: [Opinion]) -> [Opinion] {
        var newest: [Opinion] = []
        for opinion in opinions.sorted(by: { ($0.at, $0.authorKey) < ($1.at, $1.authorKey) }) {
            newest.removeAll { $0.hasSameAuthor(as: opinion) }
            newest.append(opinion)
        }
        return newest.filter { !$0.isEmpty }
    }
}
