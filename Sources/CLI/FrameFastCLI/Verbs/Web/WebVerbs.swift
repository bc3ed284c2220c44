import APIClient
public import ArgumentParser
import FrameFastAPI

struct WebVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Pair devices with the web page, and list or revoke them.",
        discussion: """
            The page is off until [web] listen is set in the configuration. A device sees photos only after \
            it is paired.
            """,
        subcommands: [WebDevicesVerb.self, WebPairVerb.self, WebRevokeVerb.self],
        defaultSubcommand: WebDevicesVerb.self)
}

struct WebDevicesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices that may use the web page.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.web.devices)
        context.output.show(
            WebDevicesView(devices: response.value.devices, json: response.body, now: context.clock.now()))
        return .success
    }
}

struct WebPairVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Open a code that pairs a device with the web page.",
        discussion: """
            Prints the page's address as a QR code and as text. The code is valid for 10 minutes. It becomes void \
            when its session stops or the service restarts. An owner sees all sessions and conditions. A \
            client sees, rates and comments on the photos of one session. A screen only shows the photos of \
            one session.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: "The role of the device: owner, client or screen.")
    var role: WebRole

    @Option(
        help: ArgumentHelp(
            "The session's name or number. Default: current, the running session.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("The number of devices that the code can pair.", valueName: "count"))
    var uses = 1

    func validate() throws {
        if role == .owner, session != nil {
            throw ValidationError("--session needs --role client or screen. An owner sees all sessions.")
        }
        guard (1...WebPairRequest.usesMax).contains(uses) else {
            throw ValidationError("--uses must be 1 to \(WebPairRequest.usesMax)")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = WebPairRequest(role: role, session: session, uses: uses)
        let response = try context.client.call(\.web.pair, request)
        context.output.show(
            WebCodeView(code: response.value, json: response.body, now: context.clock.now()))
        return .success
    }
}

struct WebRevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a device. Its next request is refused.",
        discussion: "The ratings of the device stay. The device can be paired again with a new code.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The device: its number or name. See `framefast web devices`.")
    var device: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let id = try Self.id(device, context.client)
        let response = try context.client.call(\.web.revoke, id)
        context.output.show(
            WebDevicesView(
                devices: response.value.devices, revoked: id, json: response.body, now: context.clock.now()))
        return .success
    }

    /// Returns the id of the device with this name or number.
    ///
    /// - Throws: An error if the text is neither a number nor the name of exactly one device.
    private static func id(_ text: String, _ client: FrameFastClient) throws(ClientError) -> WebDeviceID {
        let named = try client.call(\.web.devices).value.devices.filter { $0.name == text }
        if named.count == 1 { return named[0].id }
        if let number = Int64(text) { return WebDeviceID(rawValue: number) }
        let message =
            named.isEmpty
            ? "cannot find device '\(text)'"
            : "cannot choose a device: \(named.count) devices are named '\(text)'"
        throw .refused(
            .init(
                code: named.isEmpty ? .notFound : .conflict, message: message,
                nextStep: "Use the number that `framefast web devices --plain` shows."))
    }
}

extension WebRole: ExpressibleByArgument {}
