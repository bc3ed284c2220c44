import Glibc
import Testing

@testable import USBHotplug

/// Tests whether a node's permissions let the service open a camera. If the permissions allow access but the
/// kernel denies access, the sandbox blocks the node.
@Suite struct AccessTests {
    private static let service: uid_t = 998
    /// The groups of the service: framefast and plugdev.
    private static let groups: Set<gid_t> = [997, 46]

    @Test(
        arguments: [
            // The columns are mode, owner, group, and whether the service has access.
            (0o660, 0, 997, true), (0o664, 0, 46, true), (0o666, 0, 0, true), (0o600, 998, 0, true),
            (0o640, 0, 997, false), (0o664, 0, 0, false), (0o660, 0, 20, false), (0o600, 0, 997, false),
            // Only the owner's bits apply to the owner, and only the group's bits apply to the group's
            // members.
            (0o066, 998, 997, false), (0o606, 0, 997, false),
        ] as [(mode_t, uid_t, gid_t, Bool)])
    func `owner, group and mode decide access to a device node`(
        mode: mode_t, owner: uid_t, group: gid_t, isPermitted: Bool
    ) {
        // The mode includes the file type of a character device, as in the result of stat(2).
        let result = USBAccess.permits(
            0o020_000 | mode, owner: owner, group: group, user: Self.service, groups: Self.groups)
        #expect(result == isPermitted)
        #expect(USBAccess.permits(mode, owner: owner, group: group, user: 0, groups: []))
    }

    /// `/dev/null` is accessible for all users.
    @Test(arguments: [([false, true], USBAccess.allowed), ([false, false], .blocked), ([true], .allowed)])
    func `reports a node as blocked only if both checks fail`(
        answers: [Bool], access: USBAccess
    ) {
        var answers = answers[...]
        let found = USBAccess(node: "/dev/null", isAccessible: { _ in answers.popFirst() ?? false })
        #expect(found == access && answers.isEmpty)
    }

    @Test func `reports an accessible node as allowed and an absent node as missing`() {
        #expect(USBAccess(node: "/dev/null") == .allowed)
        #expect(USBAccess(node: "/dev/bus/usb/999/999") == .missing)
    }
}
