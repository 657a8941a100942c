// What is wrong with a project's files, said with the place and the way out.

/** Stops a start; the message names file and line. */
export class ProjectError extends Error {
  override name = 'ProjectError'

  constructor(file: string, line: number | undefined, message: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  }
}
