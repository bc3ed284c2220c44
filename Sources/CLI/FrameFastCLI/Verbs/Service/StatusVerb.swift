import APIClient
public import ArgumentParser
import FrameFastAPI
public import TerminalUI

extension StatusBarFormat: ExpressibleByArgument {}

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show an overview of cameras, photos and uploads.",
        discussion: """
            Exits with 4 if a warning or worse is shown.

            With --format, --follow or --template, prints one line for a status bar. If framefastd is not \
            running, the line reports this and the exit status is 0. Formats: \
            \(StatusBarFormat.allCases.map(\.rawValue).joined(separator: ", ")). With --follow, format \
            i3bar includes the header of the protocol, and i3blocks prints one JSON object per line. \
            Examples for each bar are in /usr/share/doc/framefast/examples.

            A template is text with names in braces:
            \(HelpTable.text(StatusTemplate.Field.allCases.map { ("{\($0.rawValue)}", $0.meaning) }))
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Print one line for a status bar in this format.", valueName: "bar"))
    var format: StatusBarFormat?

    @Flag(
        name: [.short, .long],
        help: "Print the line again after each change, and wait while the daemon is not running.")
    var follow = false

    @Option(help: ArgumentHelp("A template for the line: text with names in braces.", valueName: "text"))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "Maximum width in cells, 8 to 400. Templates are not truncated.", valueName: "cells"))
    var width = StatusBarEncoder.widthDefault

    func validate() throws {
        guard StatusBarEncoder.widths.contains(width) else {
            throw ValidationError(
                "--width must be \(StatusBarEncoder.widths.lowerBound) to \(StatusBarEncoder.widths.upperBound) cells"
            )
        }
        if format != nil || follow || template != nil, !global.format.mayBeScreen {
            throw ValidationError("use --format for status bars, not --json or --plain")
        }
        if let template {
            do throws(StatusTemplate.ParseError) { _ = try StatusTemplate(template) } catch {
                throw ValidationError("--template: \(error.text)")
            }
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if format != nil || follow || template != nil {
            let bar = StatusBarArguments(self).output(context.output.style, isStream: follow)
            if follow {
                bar.printChanges(context)
            } else {
                bar.printOnce(context.client, context.output.printLine)
            }
            return .success
        }
        let response = try context.client.call(\.service.status)
        context.output.show(
            StatusView(status: response.value, json: response.body, now: context.clock.now()))
        return response.value.conditions.contains { $0.severity != .info } ? .attention : .success
    }
}

extension StatusBarArguments {
    /// Creates the arguments from options that the argument parser has read.
    init(_ verb: StatusVerb) {
        socket = verb.global.socket
        format = verb.format
        template = verb.template.flatMap { try? StatusTemplate($0) }
        width = verb.width
        color = verb.global.color
        theme = verb.global.theme
    }
}
