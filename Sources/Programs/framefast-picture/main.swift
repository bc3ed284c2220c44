import PictureWorker

// Decodes pictures for other programs. Those programs start this program. Do not run this program manually.
PictureWorker.run()
