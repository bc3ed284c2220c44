import FrameFastModel
import Makers
import Testing

@testable import Cameras

/// Tests the guidance for a device node that can't be opened.
@Suite struct ObstacleWordsTests {
    private static let node = "/dev/bus/usb/004/002"

    @Test func `names the service, not the udev rule, if the sandbox blocks a node`() throws {
        let guidance = try KnowledgeBase.bundled().blocked(name: "EOS R6", node: Self.node)
        #expect(guidance.sentence.contains("EOS R6") && guidance.sentence.contains(Self.node))
        #expect(guidance.sentence.contains("sandbox"))
        #expect(guidance.steps.first == "Restart the service: sudo systemctl restart framefastd")
        #expect(guidance.steps.last?.hasPrefix("In a container") == true)
        #expect(!guidance.steps.contains { $0.contains("udev") || $0.contains("plugdev") })
    }

    @Test func `guidance for a denied node names the udev rule`() throws {
        let guidance = try KnowledgeBase.bundled().noPermission(
            name: "EOS R6", node: Self.node, "root", "root", 0o664, .canon)
        #expect(guidance.sentence.contains("root:root with permissions 0664"))
        #expect(guidance.steps.contains { $0.contains("60-framefast.rules") })
    }
}
