public import FoundationEssentials
import Glibc

extension DurableFile {
    /// The value that leaves a time unchanged (UTIME_OMIT in utimensat(2)).
    private static let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)

    /// Sets a file's modification time. Does nothing if the file system refuses the change or cannot store
    /// the time.
    public static func setModificationTime(of path: String, to time: Date) {
        let seconds = time.timeIntervalSince1970.rounded(.down)
        guard let whole = Int(exactly: seconds) else { return }
        let part = Int((time.timeIntervalSince1970 - seconds) * 1_000_000_000)
        setModificationTime(of: path, to: timespec(tv_sec: whole, tv_nsec: part))
    }

    /// Copies the modification time of an original to its copy. Does nothing if the copy's file system
    /// refuses the change. The precision depends on both file systems.
    public static func copyModificationTime(of original: String, to copy: String) {
        var information = stat()
        guard lstat(original, &information) == 0 else { return }
        setModificationTime(of: copy, to: information.st_mtim)
    }

    private static func setModificationTime(of path: String, to time: timespec) {
        let times = [unchanged, time]
        _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
    }
}
