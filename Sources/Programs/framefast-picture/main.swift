import PictureWorker

// Pixels of pictures, for programs that draw them. It is of no use by hand.
PictureWorker.run()
