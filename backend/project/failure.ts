// A file that the database or the backend refused, as pages and terminals show it.
import { ProjectError } from './errors.ts'
import type { Project } from './files.ts'

export interface ProjectFailure {
  /** The path of the file; null if the error names none. */
  readonly file: string | null
  /** From 1; null if it is unknown. */
  readonly line: number | null
  /** The words of PostgreSQL, with its hints, or of the backend. */
  readonly message: string
  /** The refused statement; null if it is unknown. */
  readonly statement: string | null
  /** Lines of the file around the refused one. */
  readonly excerpt: readonly { readonly line: number; readonly text: string }[]
}

const AROUND = 3
/** Longer lines hold data. */
const LONGEST_LINE = 400

/** @param project undefined if its files could not be read */
export function failureOf(error: unknown, project: Project | undefined): ProjectFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ProjectError))
    return { file: null, line: null, message, statement: null, excerpt: [] }
  const { file, line, statement } = error
  const files = [
    ...(project?.roles ? [project.roles] : []),
    ...(project?.migrations ?? []),
    ...(project?.seeds ?? []),
  ]
  const sql = files.find(({ name }) => name === file)?.sql
  const prefix = `${file}${line === undefined ? '' : `:${line}`}: `
  return {
    file,
    line: line ?? null,
    message: message.startsWith(prefix) ? message.slice(prefix.length) : message,
    statement: statement ?? null,
    excerpt: sql === undefined || line === undefined ? [] : excerptOf(sql, line),
  }
}

function excerptOf(sql: string, line: number): ProjectFailure['excerpt'] {
  const lines = sql.split('\n').map(text => text.replace(/\r$/, '').slice(0, LONGEST_LINE))
  const from = Math.max(0, line - 1 - AROUND)
  return lines.slice(from, line + AROUND).map((text, index) => ({ line: from + index + 1, text }))
}
