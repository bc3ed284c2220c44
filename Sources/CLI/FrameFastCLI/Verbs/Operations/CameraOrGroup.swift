import ArgumentParser
import FrameFastAPI

/// The arguments that choose one camera or all cameras of a group.
struct CameraOrGroup: ParsableArguments {
    enum Choice {
        case camera(CameraReference)
        case group(GroupName)
    }

    @Option(help: ArgumentHelp("Every camera of this group.", valueName: "group"))
    var group: GroupName?

    @Argument(help: .camera)
    var camera: CameraReference?

    /// The given camera or group, or `nil` unless exactly one is given.
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
                    ? "specify a camera, or a group with --group" : "--group and a camera cannot be combined")
        }
    }
}
