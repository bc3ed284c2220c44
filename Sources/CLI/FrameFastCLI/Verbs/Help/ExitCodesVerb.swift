import ArgumentParser
import Glibc
import TerminalUI

struct ExitCodesVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exit-codes", abstract: "List the exit statuses.", discussion: ExitStatus.table)

    func run() throws {
        FileDescriptorText.write(ExitStatus.table + "\n", to: STDOUT_FILENO)
    }
}
