import FrameFastAPI
import Localization

/// What may be done so that a camera is free for the service.
///
/// Who may free what: the desktop of a login belongs to the person who asks, and is asked in the way in which a file manager
/// asks it. Nobody's program is ended: a photo program has work open that only its owner can save.
enum TakePlan: Equatable {
    /// The camera is in use by the service: there is nothing to do.
    case isTethered
    /// The desktop of who asks has it, and lets go when it is asked.
    case askDesktop(CameraHolder, USBNode)
    /// A person has to do something first.
    case leave(Explanation)

    /// - Parameter holder: Which program has it, as far as can be seen; asked for only where the camera is on the USB.
    init(_ camera: CameraReply, isRoot: Bool, holder: (USBNode) -> CameraHolder?) {
        if camera.state == .ready || camera.state == .downloading {
            self = .isTethered
            return
        }
        guard let port = camera.port, camera.state != .gone else {
            self = .leave(
                camera, .attention, localized("it is not plugged in"), localized("Plug it in and turn it on.")
            )
            return
        }
        guard let node = USBNode(port: port) else {
            self = .leave(
                camera, .attention,
                localized("it is on the network, where no program of this computer keeps it from others"),
                camera.guidance?.steps.first)
            return
        }
        guard let holder = holder(node) else {
            self = .init(unheld: camera, isRoot: isRoot)
            return
        }
        switch (holder.isDesktop, holder.isOwn) {
        case (true, true): self = .askDesktop(holder, node)
        case (true, false):
            self = .leave(
                camera, .refused, localized("\(holder.words) has it"),
                localized(
                    "Run `framefast cameras take` as \(holder.user), or eject the camera in that login's file manager."
                )
            )
        case (false, _):
            self = .leave(
                camera, .attention, localized("\(holder.words) has it"),
                localized(
                    "Close the camera in \(holder.name), or end that program, and FrameFast uses it by itself."
                ))
        }
    }

    /// No program can be seen that has it.
    private init(unheld camera: CameraReply, isRoot: Bool) {
        guard camera.state == .inUse else {
            self = .leave(
                camera, .attention,
                camera.guidance?.sentence.asReason
                    ?? localized("no other program has it: it is being connected"),
                camera.guidance?.steps.first ?? localized("See what it does with `framefast cameras`."))
            return
        }
        guard isRoot else {
            self = .leave(
                camera, .refused, localized("a program of another user has it"),
                localized(
                    "Run `framefast cameras take` as that user, or with sudo to see which program it is."))
            return
        }
        self = .leave(
            camera, .attention, camera.guidance?.sentence.asReason ?? localized("something else has it"),
            camera.guidance?.steps.first)
    }

    private static func leave(
        _ camera: CameraReply, _ status: ExitStatus, _ reason: String, _ nextStep: String?
    ) -> Self {
        .leave(
            Explanation(
                status: status, code: status == .refused ? .forbidden : .conflict,
                message: localized("cannot take \(camera.name): \(reason)"), nextStep: nextStep))
    }
}

extension String {
    /// A sentence as the reason behind a colon.
    fileprivate var asReason: String { hasSuffix(".") ? String(dropLast()) : self }
}
