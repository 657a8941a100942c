// What is thrown when a trace can't be exported as it was asked for.

/** The message says what was asked for and what there is. */
export class ExportError extends Error {
  override name = 'ExportError'
}
