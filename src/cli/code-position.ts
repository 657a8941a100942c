// Source positions as the command line shows them: links that terminals and editors open.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectRoot } from '../sources/index.ts'
import { positionText, type SourcePosition } from '../trace/index.ts'

/**
 * Returns the path of a file from the working directory if the project there has it; else the path from the root of
 * the project that was recorded.
 */
export function codePath(file: string): string {
  const path = join(projectRoot('.'), file)
  return existsSync(path) ? relative('.', path).replaceAll('\\', '/') : file
}

/** `src/session.ts:12:3` */
export const codeLink = (position: SourcePosition): string =>
  positionText({ ...position, file: codePath(position.file) })
