/// What a user does who may not use the service. Every refusal has the same words.
public enum AccessAdvice {
    /// The step, which ends with the command.
    public static let step =
        "Join group framefast, then log out and in again: `sudo usermod -aG framefast $USER`"
    /// The command for one terminal in which the membership is to count at once.
    public static let command = "newgrp framefast"
}
