import FrameFastAPI
import Testing

@testable import FrameFastCLI

/// Who may free what, and how the desktop is asked.
@Suite struct TakePlanTests {
    private static let node = USBNode(port: "usb:001,004")
    private static let gvfs = CameraHolder(pid: 4321, name: "gvfsd-gphoto2", user: "ann", isOwn: true)

    private func body(
        _ state: CameraReply.State = .inUse, port: String? = "usb:001,004", guidance: GuidanceReply? = nil
    ) -> CameraReply {
        CameraReply(id: "c1", name: "Müller’s D850", port: port, state: state, guidance: guidance)
    }

    private func plan(
        _ camera: CameraReply, _ holder: CameraHolder? = nil, isRoot: Bool = false
    ) -> TakePlan { TakePlan(camera, isRoot: isRoot) { _ in holder } }

    private func refusal(_ plan: TakePlan) throws -> Explanation {
        guard case .leave(let explanation) = plan else {
            throw Unexpected(description: "\(plan)")
        }
        return explanation
    }

    private struct Unexpected: Error, CustomStringConvertible { var description: String }

    @Test(arguments: [CameraReply.State.ready, .downloading])
    func `a camera that FrameFast has is left as it is`(state: CameraReply.State) {
        #expect(plan(body(state), Self.gvfs) == .isTethered)
    }

    @Test(arguments: ["gvfsd-gphoto2", "gvfsd-mtp"])
    func `the desktop of who asks lets go`(program: String) throws {
        var holder = Self.gvfs
        holder.name = program
        #expect(plan(body(), holder) == .askDesktop(holder, try #require(Self.node)))
        // The service may not have noticed yet.
        #expect(plan(body(.connecting), holder) == .askDesktop(holder, try #require(Self.node)))
    }

    @Test func `the desktop of another login is that person's, also for root`() throws {
        var holder = Self.gvfs
        holder.isOwn = false
        for isRoot in [false, true] {
            let refusal = try refusal(plan(body(), holder, isRoot: isRoot))
            #expect(refusal.status == .refused)
            #expect(
                refusal.message
                    == "cannot take Müller’s D850: gvfsd-gphoto2 (process 4321 of ann) has it")
            #expect(refusal.nextStep?.contains("as ann") == true)
        }
    }

    @Test(arguments: [true, false])
    func `no other program is ended: the answer says what to close`(isOwn: Bool) throws {
        let holder = CameraHolder(pid: 99, name: "darktable", user: "ann", isOwn: isOwn)
        let refusal = try refusal(plan(body(), holder))
        #expect(refusal.status == .attention)
        #expect(refusal.message.contains("darktable (process 99 of ann) has it"))
        #expect(refusal.nextStep?.contains("Close the camera in darktable") == true)
    }

    @Test func `who cannot see the program is told how to`() throws {
        let refusal = try refusal(plan(body()))
        #expect(refusal.status == .refused && refusal.nextStep?.contains("sudo") == true)
        // Root sees everything: it is no program, and the service knows what it is.
        let guidance = GuidanceReply(sentence: "The kernel's disk driver has it.", steps: ["Unplug it."])
        let seen = try self.refusal(plan(body(guidance: guidance), isRoot: true))
        #expect(seen.message == "cannot take Müller’s D850: The kernel's disk driver has it")
        #expect(seen.nextStep == "Unplug it.")
    }

    @Test(
        arguments: [
            (CameraReply.State.gone, "usb:001,004", "not plugged in"), (.searching, nil, "not plugged in"),
            (.searching, "ptpip:192.168.1.5:15740", "on the network"),
            (.wrongMode, "usb:001,004", "card reader"), (.connecting, "usb:001,004", "being connected"),
        ] as [(CameraReply.State, String?, String)])
    func `what no program has cannot be freed, and why is said`(
        state: CameraReply.State, port: String?, word: String
    ) throws {
        let guidance: GuidanceReply? =
            state == .wrongMode
            ? GuidanceReply(sentence: "It is a card reader.", steps: ["Choose PTP."]) : nil
        let refusal = try refusal(plan(body(state, port: port, guidance: guidance)))
        #expect(refusal.status == .attention && refusal.message.contains(word), "\(refusal.message)")
    }

    @Test(
        arguments: [
            ("usb:001,004", "/dev/bus/usb/001/004"), ("usb:012,127", "/dev/bus/usb/012/127"),
            ("usb:1,4", nil),
            ("usb:001,004,1", nil), ("ptpip:1.2.3.4:15740", nil), ("usb:../,004", nil), ("usb:", nil),
            ("", nil),
        ] as [(String, String?)])
    func `only a place on the USB is a device's file`(port: String, path: String?) {
        #expect(USBNode(port: port)?.path == path)
    }

    /// As gio of Debian 12 prints it, with a disk and two cameras.
    private static let listing = """
        Drive(0): Kingston DataTraveler
          Type: GProxyDrive (GProxyVolumeMonitorUDisks2)
          Volume(0): BACKUP
            Type: GProxyVolume (GProxyVolumeMonitorUDisks2)
            ids:
             unix-device: '/dev/sdb1'
            activation_root=
            Mount(0): BACKUP -> file:///media/ann/BACKUP
        Volume(0): D850
          Type: GProxyVolume (GProxyVolumeMonitorGPhoto2)
          ids:
           unix-device: '/dev/bus/usb/001/003'
          activation_root=gphoto2://Nikon_D850_one/
          Mount(0): D850 -> gphoto2://Nikon_D850_one/
            Type: GProxyShadowMount (GProxyVolumeMonitorGPhoto2)
        Volume(1): D850
          Type: GProxyVolume (GProxyVolumeMonitorGPhoto2)
          ids:
           unix-device: '/dev/bus/usb/001/004'
          activation_root=gphoto2://Nikon_D850_two/
        """

    @Test(
        arguments: [
            (listing, "gphoto2://Nikon_D850_two/"),
            // Without a monitor there are mounts only, by place or by name.
            (
                "Mount(0): a -> gphoto2://%5Busb%3A001,004%5D/\nMount(1): b -> gphoto2://%5Busb%3A001,005%5D/",
                "gphoto2://%5Busb%3A001,004%5D/"
            ),
            ("Mount(0): Nikon -> mtp://Nikon_D850/", "mtp://Nikon_D850/"),
            // Which of two is meant cannot be known.
            ("Mount(0): a -> gphoto2://one/\nMount(1): b -> gphoto2://two/", nil),
            ("Mount(0): share -> smb://nas/photos/", nil), ("", nil),
        ] as [(String, String?)])
    func `the desktop's address of a camera is found by the camera's file`(text: String, address: String?)
        throws
    {
        #expect(DesktopMounts(text).address(of: try #require(Self.node)) == address)
    }

    @Test func `another camera of the desktop is never meant`() throws {
        let other = try #require(USBNode(port: "usb:001,009"))
        #expect(DesktopMounts(Self.listing).address(of: other) == nil)
        let one =
            "Volume(0): D850\n ids:\n  unix-device: '/dev/bus/usb/001/003'\n activation_root=gphoto2://x/"
        #expect(DesktopMounts(one).address(of: other) == nil)
    }
}
