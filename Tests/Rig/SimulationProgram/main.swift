import Glibc

// Runs seeds of the simulation of the service. `scripts/simulate` builds and starts this program.
StableHashing.require()
exit(SimulateCommand(CommandLine.arguments.dropFirst()).run())
