import CLinux

/// The computer's clock.
public enum HostClock {
    /// Whether something keeps it right, NTP as a rule; `nil` when the kernel does not tell.
    public static var isSynchronised: Bool? {
        switch framefast_clock_is_synchronised() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
