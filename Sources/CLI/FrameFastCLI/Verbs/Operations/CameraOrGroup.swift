import ArgumentParser
import FrameFastAPI
import Localization

/// What an order is for: one camera, or all of a group.
struct CameraOrGroup: ParsableArguments {
    enum Choice {
        case camera(CameraReference)
        case group(GroupName)
    }

    @Option(help: ArgumentHelp("Every camera of this group.", valueName: "group"))
    var group: GroupName?

    @Argument(help: "The camera: its id or name.")
    var camera: CameraReference?

    /// Which of the two was given.
    var choice: Choice? {
        switch (camera, group) {
        case (let camera?, nil): .camera(camera)
        case (nil, let group?): .group(group)
        default: nil
        }
    }

    func validate() throws {
        guard choice != nil else {
            throw ValidationError(
                camera == nil
                    ? localized("which camera? name one, or a group with --group")
                    : localized("cannot use --group with a camera"))
        }
    }
}
