/// Advice for a user-defined name template at a place that replaces existing files.
public enum TakenNameAdvice {
    /// The risk, and the next step.
    public static let sentence = """
        This server replaces what has a name already: when another station or program sends a photo of the same name at \
        the same moment, one of the two is lost. Leave 'remote_name' out, or put something into it that is different for \
        each station.
        """
}
