import APIClient
import ArgumentParser
import FrameFastAPI

struct ShootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "shoot", abstract: "Release the shutter of every ready camera, or of one.")

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only this camera: its id or name.", valueName: "camera"))
    var camera: CameraReference?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.trigger(camera: camera)
        context.output.show(TriggerView(reply: answer.value, json: answer.body))
        return answer.value.refused.isEmpty ? .success : .failed
    }
}
