import ArgumentParser
import Glibc
import TerminalUI

/// Shows every component in every state. For those who build FrameFast.
struct DesignVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "design", abstract: "Show every component in every state.", shouldDisplay: false)

    /// Cells in a line where there is no terminal that would say.
    private static let widthOffTerminal = 100

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only this component.", valueName: "name"))
    var component: String?

    @Option(help: "Cells in a line; those of the terminal when left out.")
    var width: Int?

    func run() throws {
        guard !global.plain else {
            FileDescriptorText.write(
                Gallery.plain(component: component).joined(separator: "\n") + "\n", to: STDOUT_FILENO)
            return
        }
        var style = global.style
        // Cards are drawn to an end: off a terminal they need one.
        style.columns = width ?? style.columns ?? Self.widthOffTerminal
        let lines = Gallery.lines(style.layout(), component: component).map(style.encode)
        FileDescriptorText.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }
}
