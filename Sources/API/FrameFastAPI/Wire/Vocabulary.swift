// Replies and requests contain identities and vocabularies, so each client of this module needs them.
@_exported public import Identities
@_exported public import Vocabulary
