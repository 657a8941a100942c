// Reads a fault plan from a file; errors name the file and the position in it.
import { readFileSync } from 'node:fs'
import { FaultPlanError, parsePlan } from './parse-plan.ts'
import type { FaultPlan } from './plan.ts'

/** @throws FaultPlanError whose message starts with the file's name */
export function readPlanFile(file: string): FaultPlan {
  try {
    return parsePlan(readJson(file))
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error
    throw new FaultPlanError(
      error.problems.map(({ path, message }) => ({ path: path === '' ? file : `${file}: ${path}`, message })),
    )
  }
}

function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw planError(`is not JSON: ${error instanceof Error ? error.message : 'it could not be read'}`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw planError(
      code === 'ENOENT' ? 'does not exist; pass the path of a fault plan' : `could not be read (${code})`,
    )
  }
}

const planError = (message: string) => new FaultPlanError([{ path: '', message }])
