import APIClient
import ArgumentParser
import FrameFastAPI
import Localization
import TerminalUI

struct WebVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Let tablets and phones in to the page, and shut them out.",
        discussion: """
            The page shows photos as they come, on the local network, to devices that were let in. It is off until [web] listen \
            in the configuration says where it is served.
            """, subcommands: [WebPairVerb.self, WebDevicesVerb.self, WebRevokeVerb.self])
}

struct WebPairVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a code that lets a device in, for ten minutes.",
        discussion: """
            owner sees everything, and with [web] control = true releases shutters and changes the session and the upload mode. \
            client sees one session, gives stars, picks and comments. screen sees one session, for a second display.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("What the device may do: owner, client or screen.", valueName: "role"))
    var role: WebRole = .client

    @Option(
        help: ArgumentHelp(
            "The session that a client or screen sees: its name or number; the running one when left out.",
            valueName: "name"))
    var session: String?

    @Option(help: ArgumentHelp("How many devices may use the code.", valueName: "number"))
    var uses: Int?

    func validate() throws {
        guard WebRole.all.contains(role) else {
            throw ValidationError(localized("--role is owner, client or screen"))
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = WebPairRequest(
            role: role, session: try context.client.sessionID(session), uses: uses)
        let answer = try context.client.call(\.web.pair, request)
        context.output.show(WebPairView(reply: answer.value, json: answer.body))
        return .success
    }
}

struct WebDevicesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices that were let in.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.web.devices)
        context.output.show(WebDevicesView(devices: answer.value.devices, json: answer.body))
        return .success
    }
}

struct WebRevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Shut a device out.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The device, as `framefast web devices` lists it: d7.")
    var device: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.web.revoke, WebDeviceID(device))
        context.output.show(WebDevicesView(devices: answer.value.devices, json: answer.body))
        return .success
    }
}
