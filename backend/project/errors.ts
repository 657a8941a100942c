// Errors in a project's files, with their position and a fix.

/** Stops the start; the message names file and line. */
export class ProjectError extends Error {
  override name = 'ProjectError'

  constructor(file: string, line: number | undefined, message: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  }
}
