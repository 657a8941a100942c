// The version of this package.

/** Written to traces and sent with requests. */
export const APP_VERSION = '0.1.0'
