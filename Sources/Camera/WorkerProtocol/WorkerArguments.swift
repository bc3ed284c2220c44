/// Options that a worker is started with, behind its camera's id. Its sandbox is cut to them before it says hello.
public enum WorkerArguments {
    /// The camera's port as libgphoto2 spells it.
    public static let port = "--port"
    /// The folder of the part files.
    public static let photos = "--photos"
}
