// The public interface of this module uses the identifier types. Importing the module therefore also imports
// `Identities` and `Vocabulary`.
@_exported public import Identities
@_exported public import Vocabulary
