import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// Rated shots, with one row for each opinion.
struct RatingsView: Presentation {
    let list: RatingsList
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "Rating"), .init(heading: "Photo"), .init(heading: "By", cellsMin: 8),
        .init(heading: "Comment", cellsMin: 12, dropOrder: 1),
        .init(heading: "Time", dropOrder: 3),
        .init(heading: "Shot", isFigure: true, lead: "shot", dropOrder: 2),
    ]

    func lines(_ layout: Layout) -> [Line] {
        guard !list.shots.isEmpty else {
            return EmptyView("No ratings.", nextStep: "Rate a shot with `framefast rate SHOT --stars 5`.")
                .lines(layout)
        }
        let rows = list.shots.flatMap { shot in
            let name = RatingWords.name(of: shot)
            guard !shot.opinions.isEmpty else {
                let words = RatingWords.text(stars: shot.stars, pick: shot.pick)
                return [TableView.Row(.neutral, [words, name, "camera", "", "", shot.id.description])]
            }
            return shot.opinions.map { opinion in
                TableView.Row(
                    RatingWords.tone(opinion.pick),
                    [
                        RatingWords.text(stars: opinion.stars, pick: opinion.pick), name,
                        RatingWords.author(opinion), opinion.comment ?? "", Formatted.time(opinion.at),
                        shot.id.description,
                    ])
            }
        }
        var lines = TableView(columns: Self.columns, rows: rows).lines(layout)
        if let cursor = list.nextCursor {
            lines += [.empty] + MoreView(cursor.description).lines(layout)
        }
        return lines
    }

    func plain() -> [String] {
        guard !list.shots.isEmpty else { return ["ratings: none"] }
        return list.shots.flatMap { shot in
            let head = "shot \(shot.id), \(TerminalText.escaped(RatingWords.name(of: shot))): "
            guard !shot.opinions.isEmpty else {
                return [head + RatingWords.text(stars: shot.stars, pick: shot.pick) + ", by the camera"]
            }
            return shot.opinions.map { opinion in
                let comment = opinion.comment.map { ", comment: \(TerminalText.escaped($0))" } ?? ""
                return head + RatingWords.text(stars: opinion.stars, pick: opinion.pick)
                    + ", by \(TerminalText.escaped(RatingWords.author(opinion)))" + comment
            }
        }
    }
}

/// The confirmation of a rating.
struct RatedView: ComponentPresentation {
    let shot: ShotReply
    let request: RatingRequest
    let json: Data

    private var isCleared: Bool { request == RatingRequest() }

    var parts: [any Component] {
        let name = RatingWords.name(of: shot)
        guard !isCleared else { return [BannerView(.success, "Removed", "Your rating of \(name).")] }
        return [
            BannerView(
                .success, "Saved", "\(name): \(RatingWords.text(stars: request.stars, pick: request.pick)).")
        ]
    }

    func plain() -> [String] {
        guard !isCleared else { return ["shot \(shot.id): rating removed"] }
        return ["shot \(shot.id): \(RatingWords.text(stars: request.stars, pick: request.pick))"]
    }
}
