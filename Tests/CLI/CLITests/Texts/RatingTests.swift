import ArgumentParser
import Foundation
import FrameFastAPI
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the verb `rate` and of the list of ratings.
@Suite struct RatingTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    @Test(arguments: [
        (["7", "--stars", "5"], RatingRequest(stars: 5)), (["7", "--stars", "0"], RatingRequest(stars: 0)),
        (["7", "--pick"], RatingRequest(pick: true)), (["7", "--reject"], RatingRequest(pick: false)),
        (
            ["7", "--stars", "4", "--pick", "--comment", "The one"],
            RatingRequest(stars: 4, pick: true, comment: "The one")
        ),
        (["7", "--clear"], RatingRequest()),
    ])
    func `the verb rate reads stars, picks and comments`(arguments: [String], request: RatingRequest) throws {
        let verb = try RateVerb.parse(arguments)
        #expect(verb.shot == 7 && verb.request == request)
    }

    @Test(arguments: [
        ["7"], ["7", "--stars", "6"], ["7", "--stars", "-1"], ["7", "--pick", "--reject"],
        ["7", "--clear", "--stars", "1"], ["7", "--clear", "--comment", "x"], ["x", "--pick"], [],
    ])
    func `the verb rate refuses missing and contradictory options`(arguments: [String]) {
        #expect(throws: (any Error).self) { try RateVerb.parse(arguments) }
    }

    @Test(arguments: [
        ["--ratings", "--camera", "a"], ["--ratings", "--state", "saved"], ["--ratings", "--cursor", "x"],
    ])
    func `the verb captures refuses --ratings with a camera, a state or an invalid cursor`(
        arguments: [String]
    ) throws {
        #expect(throws: (any Error).self) { try CapturesListVerb.parse(arguments) }
        #expect(try CapturesListVerb.parse(["--ratings", "--session", "3", "--cursor", "9"]).ratings)
    }

    private static let shots = [
        ShotReply(
            id: 9, stars: 5, pick: true, capturedAt: now, cameraName: "left",
            files: [.init(id: 9, name: "DSC_9\u{1B}[2J.JPG", size: 1)],
            opinions: [
                .init(author: "eva", role: .owner, pick: true, at: now),
                .init(author: "Anna", role: .client, stars: 5, comment: "The\u{1B} one", at: now),
                .init(author: "Bo", role: .client, comment: "No", at: now),
            ]),
        ShotReply(
            id: 4, stars: 1, capturedAt: now, cameraName: "left",
            files: [.init(id: 4, name: "DSC_4.JPG", size: 1)]),
    ]

    @Test func `prints each opinion with its author, without control characters`() {
        var list = RatingsList()
        #expect(RatingsView(list: list, json: Data()).plain() == ["ratings: none"])
        list.shots = Self.shots
        let lines = RatingsView(list: list, json: Data()).plain()
        #expect(lines.count == 4 && lines.allSatisfy { !$0.contains("\u{1B}") })
        #expect(lines[0].hasPrefix("shot 9, DSC_9") && lines[0].hasSuffix(": picked, by eva"))
        #expect(lines[1].contains("5 stars, by Anna (client), comment: The"))
        #expect(lines[2].contains("comment, by Bo (client), comment: No"))
        #expect(lines[3] == "shot 4, DSC_4.JPG: 1 star, by the camera")
    }

    @Test(arguments: [
        (RatingRequest(stars: 1, pick: false), "shot 4: 1 star, rejected"),
        (RatingRequest(comment: "x"), "shot 4: comment"), (RatingRequest(), "shot 4: rating removed"),
    ])
    func `confirms a saved or removed rating`(request: RatingRequest, line: String) {
        #expect(RatedView(shot: Self.shots[1], request: request, json: Data()).plain() == [line])
    }
}
