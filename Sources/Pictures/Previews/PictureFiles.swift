import SystemPackage

/// The open files of one request to a picture worker.
struct PictureFiles: Sendable {
    /// The photo, open for reading.
    let photo: FileDescriptor
    /// The result file, or `nil` if the task writes no file.
    let part: PictureCache.Part?

    /// The descriptors in the order of the request.
    var descriptors: [FileDescriptor] { [photo] + (part.map { [$0.file] } ?? []) }
}
