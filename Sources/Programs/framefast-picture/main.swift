import PictureWorker

// Decodes pictures for programs that draw them. It is not useful on its own.
PictureWorker.run()
