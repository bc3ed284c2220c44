import APIClient
import ArgumentParser
import FrameFastAPI

struct QueueAddVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Upload photos to a destination, regardless of the mode.",
        discussion: """
            Skips photos that already have an upload to the destination. Also skips photos that are older \
            than the running session and belong to no session, because they may belong to another client. \
            To add such a photo, give its number.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        name: [.customLong("to"), .customLong("destination")],
        help: ArgumentHelp("The destination.", valueName: "name"))
    var destination: DestinationName

    @Option(help: ArgumentHelp("Photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Photos of this camera: its id or name.", valueName: "camera"))
    var camera: CameraReference?

    @Flag(help: "Every photo.")
    var all = false

    @Argument(
        help: ArgumentHelp("Ids of photos: see `framefast captures --json`.", valueName: "number"))
    var numbers: [CaptureID] = []

    func validate() throws {
        let isEmpty = session == nil && camera == nil && numbers.isEmpty
        if isEmpty && !all {
            throw ValidationError("select photos with --session, --camera, numbers, or --all")
        }
        if !isEmpty && all { throw ValidationError("--all cannot be combined with a selection") }
        if numbers.count > UploadAddRequest.idsMax {
            throw ValidationError("at most \(UploadAddRequest.idsMax) numbers can be given")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = UploadAddRequest(
            to: destination, session: try context.client.sessionID(session), camera: camera,
            ids: numbers.isEmpty ? nil : numbers, all: all ? true : nil)
        let response = try context.client.call(\.uploads.add, request)
        context.output.show(
            UploadChangeView(done: "added", reply: response.value, json: response.body, isAddition: true))
        return .success
    }
}
