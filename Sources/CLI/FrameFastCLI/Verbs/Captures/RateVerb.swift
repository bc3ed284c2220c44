import APIClient
import ArgumentParser
import FrameFastAPI

struct RateVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Rate, pick or reject a shot, or comment on it.",
        discussion: """
            Replaces your earlier rating and comment. A RAW file and its JPEG are one shot. In upload mode \
            'rated', a shot with enough stars is uploaded, and a rejected shot is held. No file is changed.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The shot's number (see `framefast captures --plain`).")
    var shot: ShotID

    @Option(help: ArgumentHelp("The stars, 0 to 5.", valueName: "stars"))
    var stars: Int?

    @Flag(help: "Pick the shot.")
    var pick = false

    @Flag(help: "Reject the shot.")
    var reject = false

    @Flag(help: "Remove your stars, pick and comment.")
    var clear = false

    @Option(
        help: ArgumentHelp(
            "A comment of up to \(RatingRequest.commentLengthMax) characters.", valueName: "text"))
    var comment: String?

    func validate() throws {
        if let stars, !RatingRequest.starsRange.contains(stars) {
            throw ValidationError("--stars must be a number from 0 to 5")
        }
        if pick && reject { throw ValidationError("--pick and --reject cannot be combined") }
        let isEmpty = stars == nil && !pick && !reject && comment == nil
        if clear != isEmpty {
            throw ValidationError(
                clear
                    ? "--clear cannot be combined with a rating or a comment"
                    : "give --stars, --pick, --reject or --comment, or --clear to remove your rating")
        }
    }

    /// The opinion that the options describe.
    var request: RatingRequest {
        RatingRequest(stars: stars, pick: pick ? true : reject ? false : nil, comment: comment)
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.shots.rate, shot, request)
        context.output.show(RatedView(shot: response.value, request: request, json: response.body))
        return .success
    }
}
