// The error of a failed export.

/** The message names what was requested and what is available. */
export class ExportError extends Error {
  override name = 'ExportError'
}
