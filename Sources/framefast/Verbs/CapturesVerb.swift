import APIClient
import ArgumentParser
import FrameFastAPI

struct CapturesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "captures", abstract: "List photos, newest first.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup var page: PageOptions
    @OptionGroup var photos: PhotoFilterOptions

    @Option(help: ArgumentHelp("Only photos in this state, for example saved.", valueName: "word"))
    var state: String?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var query = CapturesQuery(
            session: try context.client.sessionID(photos.session),
            camera: try context.client.cameraID(photos.camera),
            state: state.map(CaptureReply.State.init(rawValue:)))
        let answer = try page.read { limit, cursor throws(ClientError) in
            (query.limit, query.cursor) = (limit, cursor)
            return try context.client.captures(query)
        }
        context.output.show(CapturesView(page: answer.value, json: answer.body))
        return .success
    }
}
