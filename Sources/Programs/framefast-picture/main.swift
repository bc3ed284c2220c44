import Glibc
import PictureWorker

// Pictures, for programs that show them. It is of no use by hand: without words it makes pixels of the JPEGs that it is given,
// with "shot SIDE" a small picture of the camera's file on its standard input.
let words = CommandLine.arguments.dropFirst()
if words.isEmpty { PictureWorker.run() }
guard words.count == 2, words.first == "shot", let side = words.last.flatMap({ Int($0) }) else { exit(2) }
ShotPicture.run(side: side)
