import APIClient
import ArgumentParser
import FrameFastAPI

struct CamerasVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras and what they are doing.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.cameras()
        context.output.show(CamerasView(cameras: answer.value.cameras, json: answer.body))
        return .success
    }
}
