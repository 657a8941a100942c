// Assertions that stand in files: as what a module exports, or as JSON.
import { readFile } from 'node:fs/promises'
import { readAssertions, type Assertion } from '../replay.ts'
import { isAssertion } from '../trace/assert/read.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { fileReason } from './trace-files.ts'
import { reasonOf, UsageError } from './usage.ts'

/**
 * All assertions of a file.
 * @throws UsageError when it can't be read or holds none
 */
export async function loadAssertions(file: string, flag = '--assertions'): Promise<readonly Assertion[]> {
  if (file.endsWith('.json')) return fromJson(file, flag)
  const module = await loadModule(flag, file)
  const found = [...new Set(Object.values(module).flatMap(assertionsIn))]
  if (found.length > 0) return found
  throw new UsageError(`${flag} ${file} exports no assertion (it exports ${exportedNames(module)}).`)
}

async function fromJson(file: string, flag: string): Promise<readonly Assertion[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${flag} ${file} can't be read: ${fileReason(error)}`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${flag} ${file}: ${reasonOf(error)}`)
  }
  const read = readAssertions(value)
  if (read.kind === 'assertions') return read.assertions
  const problems = read.problems.map(({ at, message }) => `  ${at} ${message}`)
  throw new UsageError([`${flag} ${file} can't be used:`, ...problems].join('\n'))
}

/** An assertion, or those of a list or a table. */
export function assertionsIn(value: unknown): Assertion[] {
  if (typeof value !== 'object' || value === null) return []
  if (isAssertion(value)) return [value]
  return Array.isArray(value) ? value.flatMap(assertionsIn) : []
}
