// Loads assertions from files: module exports, or JSON.
import { readFile } from 'node:fs/promises'
import { readAssertions, type Assertion, type ReadAssertions } from '../public/devtools/assertions.ts'
import { isAssertion } from '../trace/index.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { fileReason } from './write-file.ts'
import { reasonOf, UsageError } from './command.ts'

/**
 * Loads all assertions of a file.
 * @throws UsageError if the file cannot be read or contains none
 */
export async function loadAssertions(file: string, flag = '--assertions'): Promise<readonly Assertion[]> {
  if (file.endsWith('.json')) return fromJson(file, flag)
  const module = await loadModule(flag, file)
  const assertions = [...new Set(Object.values(module).flatMap(assertionsIn))]
  checkWritten(assertions, file, flag)
  if (assertions.length > 0) return assertions
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
  throw unfit(flag, file, read.problems)
}

type Problems = Extract<ReadAssertions, { kind: 'unusable' }>['problems']

function unfit(flag: string, file: string, problems: Problems): UsageError {
  const lines = problems.map(({ at, message }) => `  ${at} ${message}`)
  return new UsageError([`${flag} ${file} can't be used:`, ...lines].join('\n'))
}

/**
 * Validates assertions of a module that consist of data only, since they may be handwritten. @throws
 * UsageError
 */
function checkWritten(assertions: readonly Assertion[], file: string, flag: string): void {
  const problems = assertions.flatMap(one => {
    const data = asData(one)
    const read = data === undefined ? undefined : readAssertions([data])
    if (read?.kind !== 'unusable') return []
    return read.problems.map(({ at, message }) => ({ at: at.replace('$[0]', one.name), message }))
  })
  if (problems.length > 0) throw unfit(flag, file, problems)
}

/**
 * Returns the assertion as JSON data, or undefined if it contains code or values that JSON cannot represent.
 */
function asData(assertion: Assertion): unknown {
  let isData = true
  const text = JSON.stringify(assertion, (_, value: unknown) => {
    if (typeof value === 'function' || typeof value === 'bigint') isData = false
    return isData ? value : null
  })
  return isData ? JSON.parse(text) : undefined
}

/** Finds the assertions in a value: the value itself, a list or a table. */
export function assertionsIn(value: unknown): Assertion[] {
  if (typeof value !== 'object' || value === null) return []
  if (isAssertion(value)) return [value]
  return Array.isArray(value) ? value.flatMap(assertionsIn) : []
}
