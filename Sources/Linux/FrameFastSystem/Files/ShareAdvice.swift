public import SystemPackage

/// Next steps for errors of network shares, each as a sentence without a period at the end.
public enum ShareAdvice {
    /// Returns the next step for an error number, or `nil` if the error is not specific to network shares.
    ///
    /// Some SMB servers change the inode numbers of files (home-assistant/supervisor #4398). With
    /// `noserverino`, the client creates the numbers. Some NFS and SMB servers refuse locks (nfs(5),
    /// mount.cifs(8)).
    public static func step(for reason: Errno) -> String? {
        switch reason {
        case .staleNFSFileHandle:
            "Unmount the share, then mount it again. If an SMB share causes this error again, mount it with the "
                + "option noserverino"
        case .noLocks:
            "Turn on file locks on the server, or mount the share without them: with the option nolock (NFS 3) "
                + "or nobrl (SMB)"
        default: nil
        }
    }
}
