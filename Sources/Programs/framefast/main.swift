import FrameFastCLI
import Glibc

exit(Program.run(CommandLine.arguments))
