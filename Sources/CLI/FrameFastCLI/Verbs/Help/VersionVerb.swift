import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct VersionVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version of framefast, and of framefastd if it is running.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let daemon = try? context.client.call(\.service.version).value
        let versions = VersionsView.Versions(
            client: ProductVersion.current, daemon: daemon?.version, apiVersion: daemon?.apiVersion)
        let json: Data
        do { json = try WireCoder.encode(versions) } catch { throw .invalidResponse("\(error)") }
        context.output.show(VersionsView(versions: versions, json: json))
        return .success
    }
}
