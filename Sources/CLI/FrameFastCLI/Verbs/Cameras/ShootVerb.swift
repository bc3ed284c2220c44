import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

struct ShootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "shoot", abstract: "Release the shutter of every ready camera, of one, or of a group.",
        discussion: """
            The cameras of a group are told the moment before it comes, and the orders leave within some milliseconds of one \
            another. What bodies make of them takes tens of milliseconds, each its own: a shutter cable is exact.
            """)

    /// A moment that is to come: `+2s`.
    struct MomentArgument: ExpressibleByArgument {
        let milliseconds: Int

        init?(argument: String) {
            guard argument.hasPrefix("+"), let time = TimeArgument(argument: String(argument.dropFirst()))
            else { return nil }
            milliseconds = time.milliseconds
        }
    }

    /// The fewest cameras of a group that must be ready.
    enum Require: ExpressibleByArgument {
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

    @Option(help: ArgumentHelp("The cameras of this group, at one moment.", valueName: "group"))
    var group: GroupName?

    @Option(
        help: ArgumentHelp(
            "When the shutters of the group are released: +500ms (usual), +2s, up to +1min.",
            valueName: "+time"))
    var at: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "How many cameras of the group must be ready, or no shutter is released: a number, or all.",
            valueName: "number"))
    var require: Require?

    func validate() throws {
        guard group == nil || camera == nil else {
            throw ValidationError(localized("cannot use --camera with --group"))
        }
        guard group != nil || (at == nil && require == nil) else {
            throw ValidationError(localized("--at and --require need --group"))
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if let group { return try shoot(group, context) }
        let answer = try context.client.trigger(camera: camera)
        context.output.show(TriggerView(reply: answer.value, json: answer.body))
        return answer.value.refused.isEmpty ? .success : .failed
    }

    private func shoot(_ group: GroupName, _ context: Context) throws(ClientError) -> ExitStatus {
        var request = GroupShootRequest(inMs: at?.milliseconds)
        switch require {
        case .all: request.requireAll = true
        case .atLeast(let number): request.require = number
        case nil: break
        }
        let answer = try context.client.call(\.groups.shoot, group, request)
        context.output.show(GroupShotView(shot: answer.value, json: answer.body))
        return answer.value.missing.isEmpty ? .success : .failed
    }
}
