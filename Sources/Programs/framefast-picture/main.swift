import PictureWorker

// Decodes pictures for `framefast` and `framefastd`, which start this program. Do not run it manually.
PictureWorker.run()
