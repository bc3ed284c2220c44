/// Command-line options of a worker, after the camera's id. The worker sets up its sandbox from them before
/// it sends `hello`.
public enum WorkerArguments {
    /// The camera's port, as libgphoto2 spells it.
    public static let port = "--port"
    /// The folder of the part files.
    public static let photos = "--photos"
}
