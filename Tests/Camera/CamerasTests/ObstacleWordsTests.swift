import FrameFastModel
import Makers
import Testing
import USBHotplug

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

    @Test func `guidance for a hidden program has a command that shows the program`() throws {
        let knowledge = try KnowledgeBase.bundled()
        let hidden = knowledge.held(by: .hiddenProgram, node: Self.node, maker: .canon)
        #expect(hidden.steps.last == "To see the program, run: sudo lsof \(Self.node)")
        // The doctor of a running service sees the same programs as the service.
        #expect(!hidden.steps.contains { $0.contains("doctor to see the program") })
        let known = knowledge.held(by: .program(pid: 42, name: "darktable"), node: Self.node, maker: .canon)
        #expect(known.steps.last == "Or stop that program: kill 42")
    }

    @Test(arguments: ["qemu-system-x86", "qemu-system-aar", "VirtualBoxVM", "VBoxHeadless", "vmware-vmx"])
    func `guidance for a virtual machine says to detach the camera`(program: String) throws {
        let guidance = try KnowledgeBase.bundled().held(
            by: .program(pid: 42, name: program), node: Self.node, maker: .canon)
        #expect(guidance.sentence == "A virtual machine is using the camera (\(program)).")
        #expect(guidance.steps.map { $0.hasPrefix("Detach the camera from the virtual machine") } == [true])
    }
}
