/// Advice about a user-defined name template at a destination that replaces existing files.
public enum TakenNameAdvice {
    /// A description of the risk, and the next step.
    public static let sentence = """
        This server replaces existing files. If another computer or program sends a photo with the same name at \
        the same moment, one of the two photos is lost. Remove 'remote_name', or add a text to it that is different \
        on each computer.
        """
}
