import ArgumentParser
import Glibc
import TerminalUI

/// Prints `docs/command-reference.md`. For developers of FrameFast.
struct ReferenceVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print the command reference.", shouldDisplay: false)

    func run() throws {
        FileDescriptorText.write(CommandReference.markdown(), to: STDOUT_FILENO)
    }
}
