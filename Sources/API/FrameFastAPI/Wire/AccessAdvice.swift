/// The next step for users without permission. All refusals use the same text.
public enum AccessAdvice {
    /// The next step, which ends with the command.
    public static let step =
        "Join group framefast, then log out and in again: `sudo usermod -aG framefast $USER`"
    /// The command that applies the new membership in one terminal immediately.
    public static let command = "newgrp framefast"
}
