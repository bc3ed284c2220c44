import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct CamerasVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract:
            "List, rename, add, find and ignore cameras.",
        subcommands: [
            CamerasListVerb.self, CamerasRenameVerb.self, CamerasIgnoreVerb.self, CamerasForgetVerb.self,
            CamerasAddVerb.self, CamerasFindVerb.self,
        ], defaultSubcommand: CamerasListVerb.self)
}

struct CamerasListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cameras with their states and next steps.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.cameras.list)
        context.output.show(
            CameraTableView(
                cameras: response.value.cameras, json: response.body, now: context.clock.now()))
        return .success
    }
}

struct CamerasRenameVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a camera.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The camera's id (see `framefast cameras --json`) or name.")
    var camera: CameraReference

    @Argument(help: "The new name, 1 to \(CameraRenameRequest.nameLengthMax) characters.")
    var name: String

    func validate() throws {
        guard (1...CameraRenameRequest.nameLengthMax).contains(name.count) else {
            throw ValidationError("a name must have 1 to \(CameraRenameRequest.nameLengthMax) characters")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.cameras.rename, camera, .init(name: name))
        context.output.show(CameraDoneView(word: "Renamed", camera: response.value, json: response.body))
        return .success
    }
}

struct CamerasIgnoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "ignore", abstract: "Ignore a camera, or stop ignoring it.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Stop ignoring the camera.")
    var undo = false

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.cameras.ignore, camera, .init(ignored: !undo))
        context.output.show(
            CameraDoneView(
                word: undo ? "No longer ignored" : "Ignored", camera: response.value, json: response.body))
        return .success
    }
}

struct CamerasForgetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a disconnected camera. Its photos are kept.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.cameras.forget, camera)
        context.output.show(
            CameraTableView(
                cameras: response.value.cameras, json: response.body, now: context.clock.now()))
        return .success
    }
}

struct CamerasAddVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Connect a network camera and keep it connected.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The camera's address: 192.168.1.5 or 192.168.1.5:15740.")
    var address: String

    @Option(help: "The camera's name. Default: its model.")
    var name: String?

    @Option(help: ArgumentHelp("The maker's id, for example canon.", valueName: "id"))
    var maker: String?

    func validate() throws {
        if TypedAddress.validationError(for: address) != nil {
            throw ValidationError("an address must be like 192.168.1.5 or 192.168.1.5:15740")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(
            \.cameras.add, CameraAddRequest(address: address, name: name, maker: maker))
        context.output.show(CameraDoneView(word: "Added", camera: response.value, json: response.body))
        return .success
    }
}

struct CamerasFindVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find cameras on the network.",
        discussion: """
            Searches for cameras that announce themselves on this network (multicast DNS, UPnP). Also \
            tries the addresses of known cameras and the makers' default addresses. Exits with 1 if no \
            camera is found.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Try only the default addresses of this maker.", valueName: "id"))
    var maker: String?

    @Option(help: "The address to try first.")
    var address: String?

    @Flag(
        help:
            "Also try every address of this computer's networks, up to 1,022 per network. Ctrl-C stops."
    )
    var sweep = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var request = DiscoveryRequest(maker: maker, address: address, sweep: sweep ? true : nil)
        var response = try context.client.call(\.cameras.discover, request)
        guard sweep else {
            return show(response.value, response.body, context)
        }
        var whole = response.value
        while let next = response.value.sweep?.next {
            context.output.showProgress(DiscoveryWords.progress(response.value.sweep))
            request.after = next
            response = try context.client.call(\.cameras.discover, request)
            whole = whole.merging(response.value)
        }
        context.output.showProgress(nil)
        return show(whole, (try? WireCoder.encode(whole)) ?? response.body, context)
    }

    private func show(_ reply: DiscoveryReply, _ json: Data, _ context: Context) -> ExitStatus {
        let isAnyKnown = reply.found.contains { $0.camera != nil }
        let known = isAnyKnown ? (try? context.client.call(\.cameras.list).value.cameras) : nil
        context.output.show(DiscoveryView(reply: reply, json: json, cameras: known ?? []))
        return reply.found.isEmpty ? .failed : .success
    }
}
