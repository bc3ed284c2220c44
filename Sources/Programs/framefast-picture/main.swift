import PictureWorker

// Decodes pictures for other programs, which start it. Do not run it manually.
PictureWorker.run()
