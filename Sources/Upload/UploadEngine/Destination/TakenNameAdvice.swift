/// What a person should know who has a template of their own for a place that replaces what has a name already.
public enum TakenNameAdvice {
    /// What is not promised, and what to do.
    public static let sentence = """
        This server replaces what has a name already: when another station or program sends a photo of the same name at \
        the same moment, one of the two is lost. Leave 'remote_name' out, or put something into it that is different for \
        each station.
        """
}
