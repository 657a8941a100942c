// Assertions that stand in files: as what a module exports, or as JSON.
import { readFile } from 'node:fs/promises'
import type { Assertion } from '../trace/assert-formulas.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { fileReason } from './trace-files.ts'
import { reasonOf, UsageError } from './usage.ts'

/**
 * All assertions of a file.
 * @throws UsageError when it can't be read or holds none
 */
export async function loadAssertions(file: string): Promise<readonly Assertion[]> {
  if (file.endsWith('.json')) return fromJson(file)
  const module = await loadModule('--assertions', file)
  const found = [...new Set(Object.values(module).flatMap(assertionsIn))]
  if (found.length > 0) return found
  throw new UsageError(`--assertions ${file} exports no assertion (it exports ${exportedNames(module)}).`)
}

async function fromJson(file: string): Promise<readonly Assertion[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--assertions ${file} can't be read: ${fileReason(error)}`)
  })
  try {
    return assertionsIn(JSON.parse(text))
  } catch (error) {
    throw new UsageError(`--assertions ${file}: ${reasonOf(error)}`)
  }
}

/** An assertion, or those of a list or a table. */
function assertionsIn(value: unknown): Assertion[] {
  if (typeof value !== 'object' || value === null) return []
  if (isAssertion(value)) return [value]
  return Array.isArray(value) ? value.flatMap(assertionsIn) : []
}

const isAssertion = (value: object): value is Assertion =>
  'name' in value &&
  typeof value.name === 'string' &&
  'check' in value &&
  (typeof value.check === 'function' || (typeof value.check === 'object' && value.check !== null))
