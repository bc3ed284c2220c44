// The nouns below are told apart by identities: whoever sees the one sees the other.
@_exported public import Identities
