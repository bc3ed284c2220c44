import ArgumentParser
import Glibc
import TerminalUI

/// Shows every component in every state. For developers of FrameFast.
struct DesignVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "design", abstract: "Show every component in every state.", shouldDisplay: false)

    /// The width of a line without a terminal, in cells.
    private static let widthOffTerminal = 100

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Show only this component.", valueName: "name"))
    var component: String?

    @Option(help: "Width in cells. Default: the terminal's width.")
    var width: Int?

    func run() throws {
        guard !global.plain else {
            FileDescriptorText.write(
                Gallery.plain(component: component).joined(separator: "\n") + "\n", to: STDOUT_FILENO)
            return
        }
        var style = global.style
        // Cards fill the width, so they need one even without a terminal.
        style.columns = width ?? style.columns ?? Self.widthOffTerminal
        let lines = Gallery.lines(style.layout(), component: component).map(style.encode)
        FileDescriptorText.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }
}
