import CLinux

/// The computer's clock.
public enum HostClock {
    /// Whether a time service such as NTP synchronises the clock, or `nil` if the kernel does not report it.
    public static var isSynchronised: Bool? {
        switch framefast_clock_is_synchronised() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
