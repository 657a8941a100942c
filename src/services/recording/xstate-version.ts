// The XState version of this build; a test compares it with the installed one.

/** The XState version whose behavior the recordings rely on. */
export const XSTATE_VERSION = '5.33.3'
