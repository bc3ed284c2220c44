import CameraWorker

// The worker of one camera. The daemon starts this program with one end of a socket pair as descriptor 0. Do
// not run it manually.
WorkerProgram.run(CommandLine.arguments)
