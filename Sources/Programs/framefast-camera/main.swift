import CameraWorker

// The worker of one camera. The daemon starts it with one end of a socket pair as descriptor 0. It is not
// useful on its own.
WorkerProgram.run(CommandLine.arguments)
