import APIClient
import ArgumentParser
import FrameFastAPI
import Localization
import TerminalUI

struct FleetVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Other computers with cameras: what they are doing, and shots of all of them at once.",
        discussion: """
            'framefast --fleet status' is the same as 'framefast fleet status'. The computers of a fleet have one broker in \
            [fleet] of their configurations; this computer's service knows of them what the broker tells.
            """,
        subcommands: [
            FleetStatusVerb.self, FleetCamerasVerb.self, FleetDoctorVerb.self, FleetShootVerb.self,
            FleetWatchVerb.self,
        ],
        defaultSubcommand: FleetStatusVerb.self)

    /// What may stand before the verb instead.
    static let option = "--fleet"
}

struct FleetStatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every computer of the fleet.",
        discussion: "Exits with 4 when one is away or silent, or something is wrong with it.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fleet.list)
        context.output.show(FleetView(fleet: answer.value, json: answer.body))
        return answer.value.isWell ? .success : .attention
    }
}

struct FleetCamerasVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras of every computer of the fleet.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fleet.list)
        context.output.show(FleetCamerasView(fleet: answer.value, json: answer.body))
        return .success
    }
}

struct FleetDoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong in the fleet.",
        discussion: "Exits with 4 when something is.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fleet.list)
        context.output.show(FleetTroublesView(fleet: answer.value, json: answer.body))
        return answer.value.isWell ? .success : .attention
    }
}

struct FleetShootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "shoot",
        abstract: "Release the shutters of a group on every computer that has cameras of it.",
        discussion: """
            The computers are told the moment before it comes, and each keeps it by its own clock: one whose clock may be wrong by \
            more than clock_error_max refuses. Each has to accept "shoot" in [fleet].
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("The group.", valueName: "group"))
    var group: GroupName

    @Option(
        help: ArgumentHelp("When the shutters are released: +2s (usual), up to +1min.", valueName: "+time"))
    var at: ShootVerb.MomentArgument?

    @Option(
        help: ArgumentHelp(
            "How many cameras of each computer must be ready, or no shutter of it is released.",
            valueName: "number"))
    var require: Int?

    func validate() throws {
        guard require.map({ $0 >= 1 }) ?? true else {
            throw ValidationError(localized("--require is 1 or more"))
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(
            \.fleet.shoot, group, GroupShootRequest(inMs: at?.milliseconds, require: require))
        context.output.show(FleetShotView(shot: answer.value, json: answer.body))
        return answer.value.isWhole ? .success : .failed
    }
}

struct FleetWatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch every computer of the fleet on a live screen.",
        discussion: "Leave it with q. Elsewhere than on a terminal, use `framefast --fleet status`.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard WatchVerb.canDraw(context.output.format) else {
            context.output.fail(
                Explanation(
                    status: .usage, code: .invalid, message: localized("cannot draw a screen here"),
                    nextStep: localized("Use `framefast --fleet status`.")))
            return .usage
        }
        if let signal = FleetWatchRun(client: context.client).run(style: context.output.style) {
            SignalThread.die(of: signal)
        }
        return .success
    }
}
