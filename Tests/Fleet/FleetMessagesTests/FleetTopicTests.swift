import FrameFastModel
import Testing

@testable import FleetMessages

/// Where messages belong.
@Suite struct FleetTopicTests {
    private static let all: [FleetTopic] = [
        .online("host-a"), .status("host-a"), .camera("host-a", "studio-a"), .event("host-a"),
        .hostOrder("host-a", verb: "shoot"), .groupOrder("ring", verb: "shoot"),
        .reply("host-a", console: "desk"),
    ]

    @Test(arguments: all)
    func `a topic is written and read again`(topic: FleetTopic) {
        #expect(topic.text.hasPrefix("framefast/v1/"))
        #expect(FleetTopic(topic.text) == topic)
    }

    @Test func `they are what the documents and other programs know`() {
        #expect(
            Self.all.map(\.text) == [
                "framefast/v1/host/host-a/online", "framefast/v1/host/host-a/status",
                "framefast/v1/host/host-a/camera/studio-a", "framefast/v1/host/host-a/event",
                "framefast/v1/host/host-a/cmd/shoot", "framefast/v1/group/ring/cmd/shoot",
                "framefast/v1/host/host-a/reply/desk",
            ])
        #expect(
            FleetTopic.orders(to: "host-a") == [
                "framefast/v1/host/host-a/cmd/+", "framefast/v1/group/+/cmd/+",
            ])
    }

    @Test(arguments: ["a/b", "+", "#", "100%", "%2F", "カメラ", "line\nbreak", " ", "a\u{0}b", "é"])
    func `a name with signs of its own stays one level, and comes back as it was`(name: String) {
        let topic = FleetTopic.camera("h", name)
        #expect(topic.text.split(separator: "/", omittingEmptySubsequences: false).count == 6)
        #expect(!topic.text.contains { "+#\n\u{0}".contains($0) })
        #expect(FleetTopic(topic.text) == topic)
    }

    @Test(arguments: [
        "", "framefast", "framefast/v1", "framefast/v1/", "framefast/v1/host", "framefast/v1/host/a",
        "framefast/v1/host/a/secrets", "framefast/v1/host//online", "framefast/v1/host/a/camera/",
        "framefast/v1/host/a/camera/b/c", "framefast/v2/host/a/online", "framefast/v1/group/ring/online",
        "framefast/v1/group/ring/cmd", "framefast/v1/host/a%/online", "framefast/v1/host/a%4/online",
        "framefast/v1/host/%zz/online", "framefast/v1/host/%FF/online", "xframefast/v1/host/a/online",
    ])
    func `what is none of ours is not read`(text: String) {
        #expect(FleetTopic(text) == nil)
    }
}
