// Errors in a project's files, with their position and a fix.

/** Where PostgreSQL stopped in a file of SQL. */
export interface Place {
  /** Starts at 1. */
  readonly line: number
  /** Starts at 1; only if PostgreSQL names a position. */
  readonly column?: number
  /** The failing statement, without comments before it; a long one is cut, and ends with `…`. */
  readonly statement?: string
}

/** Stops the start; the message names file and line, then the reason. */
export class ProjectError extends Error {
  override name = 'ProjectError'
  /** As the project's owner would write it; a folder if no file is wrong. */
  readonly file: string
  readonly line: number | undefined
  readonly column: number | undefined
  readonly statement: string | undefined

  constructor(file: string, place: number | Place | undefined, reason: string) {
    const at: Place | undefined = typeof place === 'number' ? { line: place } : place
    super(`${file}${at === undefined ? '' : `:${at.line}`}: ${reason}`)
    this.file = file
    this.line = at?.line
    this.column = at?.column
    this.statement = at?.statement
  }
}
