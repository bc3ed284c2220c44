import FrameFastAPI
import TerminalUI

/// Words for ratings.
enum RatingWords {
    /// Returns the stars and the pick, for example `4 stars, picked`, or `comment` if both are `nil`.
    static func text(stars: Int?, pick: Bool?) -> String {
        let words = [
            stars.map { $0 == 1 ? "1 star" : "\($0) stars" }, pick.map { $0 ? "picked" : "rejected" },
        ].compactMap(\.self)
        return words.isEmpty ? "comment" : words.joined(separator: ", ")
    }

    /// Returns the tone of a pick.
    static func tone(_ pick: Bool?) -> Tone {
        switch pick {
        case .some(true): .success
        case .some(false): .warning
        case .none: .neutral
        }
    }

    /// Returns the author's name, followed by the author's role unless the author is an owner.
    static func author(_ opinion: OpinionReply) -> String {
        opinion.role == .owner ? opinion.author : "\(opinion.author) (\(opinion.$role))"
    }

    /// Returns the name of a shot's first file.
    static func name(of shot: ShotReply) -> String { shot.files.first?.name ?? "shot \(shot.id)" }
}
