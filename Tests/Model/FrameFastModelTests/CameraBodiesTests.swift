import FrameFastModel
import Testing

/// Who a camera is that connects: cameras that are connected at the same time are different ones, and each stays itself.
@Suite struct CameraBodiesTests {
    static func body(_ serial: String, at place: String, id: CameraID? = nil, model: String = "EOS R5")
        -> CameraBodies.Newcomer
    {
        .init(
            maker: "Canon Inc.", model: model, serial: serial, place: place,
            id: id ?? CameraID(rawValue: "camera-\(place)"))
    }

    /// What cameras give as a serial number when it does not tell them apart.
    static let shared = ["12345678", "00000000000000", "", "000-000"]

    @Test func `a camera with a number of its own is itself wherever it is plugged in`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("77", at: "1-1"))
        #expect(first == "canon-77")
        bodies.disconnect(first)
        #expect(!bodies.needsEvidence(Self.body("77", at: "2-1")))
        #expect(bodies.connect(Self.body("77", at: "2-1")) == first)
    }

    @Test(arguments: shared)
    func `cameras that are connected at the same time are different ones`(serial: String) {
        var bodies = CameraBodies()
        let identities = (1...4).map { bodies.connect(Self.body(serial, at: "1-\($0)")) }
        #expect(Set(identities).count == 4)
        #expect(bodies.namesakes == [["camera-1-1", "camera-1-2", "camera-1-3", "camera-1-4"]])
    }

    @Test(arguments: shared)
    func `after a restart each is itself, in whatever order they come`(serial: String) {
        var before = CameraBodies()
        let places = (1...4).map { "1-\($0)" }
        let identities = Dictionary(
            uniqueKeysWithValues: places.map { ($0, before.connect(Self.body(serial, at: $0))) })
        for order in [places.reversed(), [places[2], places[0], places[3], places[1]]] {
            var after = CameraBodies()
            for (place, identity) in identities { after.learn(identity, Self.body(serial, at: place)) }
            for place in order {
                #expect(after.connect(Self.body(serial, at: place)) == identities[place])
            }
        }
    }

    @Test(arguments: shared)
    func `cameras that changed their places are told apart by what is on their cards`(serial: String) {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        let other = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(one)
        bodies.disconnect(other)
        let swapped = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.needsEvidence(swapped))
        #expect(bodies.connect(swapped, evidence: [one: 0, other: 20]) == other)
        #expect(bodies.connect(Self.body(serial, at: "1-2", id: "b"), evidence: [one: 3]) == one)
    }

    @Test(arguments: shared)
    func `the one that is left is looked at as well: the other may have taken its place`(serial: String) {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        _ = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(one)
        let here = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.candidates(here) == [one])
        #expect(bodies.needsEvidence(here))
        #expect(bodies.connect(here, others: [one]) != one)
    }

    @Test func `where the cards say nothing the place decides, and where that says nothing it is a new one`()
    {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        let other = bodies.connect(Self.body("5", at: "1-2"))
        bodies.disconnect(one)
        bodies.disconnect(other)
        #expect(bodies.connect(Self.body("5", at: "1-2"), evidence: [one: 0, other: 0]) == other)
        let stranger = bodies.connect(Self.body("5", at: "9-9"))
        #expect(![one, other].contains(stranger))
    }

    @Test func `a body that was never met is not taken for one that is connected, whatever is on its card`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        let other = bodies.connect(Self.body("5", at: "1-2"), evidence: [one: 20])
        #expect(one != other)
    }

    @Test func `only cameras that are connected share a number`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        _ = bodies.connect(Self.body("6", at: "1-2"))
        #expect(bodies.namesakes.isEmpty)
        let other = bodies.connect(Self.body("5", at: "1-3"))
        #expect(bodies.namesakes == [["camera-1-1", "camera-1-3"]])
        bodies.disconnect(other)
        #expect(bodies.namesakes.isEmpty)
        #expect(one == "canon-5")
    }

    @Test func `models without numbers are not taken for each other`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("", at: "1-1", id: "a", model: "EOS R5"))
        bodies.disconnect(one)
        #expect(!bodies.needsEvidence(Self.body("", at: "1-1", id: "b", model: "EOS R3")))
        #expect(bodies.connect(Self.body("", at: "1-1", id: "b", model: "EOS R3")) == "b")
    }
}
