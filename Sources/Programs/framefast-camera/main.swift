import CameraWorker

// One camera's worker. The daemon starts it with one end of a socket pair as descriptor 0; it is of no use by hand.
WorkerProgram.run(CommandLine.arguments)
