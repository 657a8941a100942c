// The version of XState that this build was made with; a test holds it against the installed one.

/** The version of XState whose behaviour the recordings rely on. */
export const XSTATE_VERSION = '5.33.3'
