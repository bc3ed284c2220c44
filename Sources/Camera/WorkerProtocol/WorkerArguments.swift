/// The command-line options of a worker, after the camera's id. The worker uses the options to set up its
/// sandbox before it sends `hello`.
public enum WorkerArguments {
    /// The camera's port path, in libgphoto2's format.
    public static let port = "--port"
    /// The folder for part files.
    public static let photos = "--photos"
}
