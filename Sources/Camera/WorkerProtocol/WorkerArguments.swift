/// The command-line options of a worker, after the camera's id. The worker needs them for its sandbox, which
/// it sets up before it sends `hello`.
public enum WorkerArguments {
    /// The camera's port path, in libgphoto2's format.
    public static let port = "--port"
    /// The folder for part files.
    public static let photos = "--photos"
}
