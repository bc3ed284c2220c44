// The public interface of this module uses tones, colors and text roles. Importing the module therefore also
// imports `DesignTokens`.
@_exported public import DesignTokens
