import APIClient
import ArgumentParser
import FrameFastAPI

struct ShootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "shoot", abstract: "Take a photo with every ready camera, one camera, or a group.",
        discussion: """
            With --group, all cameras receive the release command within a few milliseconds of each other. \
            Each camera then reacts within tens of milliseconds. For shots at exactly the same time, use a \
            shutter cable.
            """)

    /// A delay from now, for example `+2s`.
    struct FutureArgument: ExpressibleByArgument {
        let milliseconds: Int

        init?(argument: String) {
            guard argument.hasPrefix("+"), let time = TimeArgument(argument: String(argument.dropFirst()))
            else { return nil }
            milliseconds = time.milliseconds
        }
    }

    /// The number of cameras of a group that must be ready.
    enum Requirement: ExpressibleByArgument {
        case all
        case atLeast(Int)

        init?(argument: String) {
            if argument == "all" {
                self = .all
            } else {
                guard let number = Int(argument), number >= 1 else { return nil }
                self = .atLeast(number)
            }
        }
    }

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only this camera: its id or name.", valueName: "camera"))
    var camera: CameraReference?

    @Option(help: ArgumentHelp("All cameras of this group, at the same time.", valueName: "group"))
    var group: GroupName?

    @Option(
        help: ArgumentHelp(
            "When to release the shutters of the group: +500ms (default), +2s, up to +1min.",
            valueName: "+time"))
    var at: FutureArgument?

    @Option(
        help: ArgumentHelp(
            "Number of cameras of the group that must be ready, or all. If fewer are ready, no photo is taken.",
            valueName: "number"))
    var require: Requirement?

    func validate() throws {
        guard group == nil || camera == nil else {
            throw ValidationError("--camera and --group cannot be combined")
        }
        guard group != nil || (at == nil && require == nil) else {
            throw ValidationError("--at and --require need --group")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if let group { return try shoot(group, context) }
        let response = try context.client.trigger(camera: camera)
        context.output.show(TriggerView(reply: response.value, json: response.body))
        return response.value.refused.isEmpty ? .success : .failed
    }

    private func shoot(_ group: GroupName, _ context: Context) throws(ClientError) -> ExitStatus {
        var request = GroupShootRequest(inMs: at?.milliseconds)
        switch require {
        case .all: request.requireAll = true
        case .atLeast(let number): request.require = number
        case nil: break
        }
        let response = try context.client.call(\.groups.shoot, group, request)
        context.output.show(GroupShotView(shot: response.value, json: response.body))
        return response.value.missing.isEmpty ? .success : .failed
    }
}
