import APIClient
import ArgumentParser
import FrameFastAPI

struct TemplateVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Work with naming templates.", subcommands: [TemplateTestVerb.self]
    )
}

struct TemplateTestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Preview the names that a template creates.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The template, for example '{session}/{date}/{camera}-{counter:05}.{ext}'.")
    var template: String

    @Option(help: "Names to show, 1 to \(TemplateTestRequest.countMax).")
    var count = TemplateTestRequest.countDefault

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(
            \.sessions.testTemplate, .init(template: template, count: count))
        context.output.show(TemplateNamesView(names: response.value.names, json: response.body))
        return .success
    }
}
