// Parses a fault plan from untrusted JSON and reports its problems.
import * as v from 'valibot'
import { knownCode } from './codes/known-codes.ts'
import { contradictions, type PlanProblem } from './contradictions.ts'
import type { HeldAnswer } from './held-requests.ts'
import { answerSchema, faultSchema, storySchema, type Fault, type FaultPlan, type Story } from './plan.ts'

/** Thrown for an invalid plan; `problems` lists every mistake. */
export class FaultPlanError extends Error {
  override name = 'FaultPlanError'
  readonly problems: readonly PlanProblem[]
  constructor(problems: readonly PlanProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'))
    this.problems = problems
  }
}

const MOST_FAULTS = 500
const MOST_PROBLEMS = 20

const SEED = 'must be a whole number'
const planSchema = v.strictObject(
  {
    seed: v.optional(v.pipe(v.number(SEED), v.safeInteger(SEED))),
    faults: v.pipe(
      v.array(v.unknown(), 'must be a list of faults'),
      v.maxLength(MOST_FAULTS, `must have at most ${MOST_FAULTS} faults`),
    ),
  },
  issue =>
    issue.expected === 'never'
      ? 'is unknown; a plan has seed and faults'
      : 'A plan is { "seed"?, "faults": [ … ] }',
)

/** @throws FaultPlanError */
export function parsePlan(input: unknown): FaultPlan {
  const read = v.safeParse(planSchema, input)
  if (!read.success) throw new FaultPlanError(read.issues.map(issue => describe(issue)))
  return { seed: read.output.seed, faults: parseFaults(read.output.faults) }
}

/** @throws FaultPlanError */
export function parseFaults(inputs: readonly unknown[]): readonly (Fault | Story)[] {
  const problems: PlanProblem[] = []
  const faults = inputs.flatMap((input, index) => {
    const path = `faults.${index}`
    const isStory = typeof input === 'object' && input !== null && 'story' in input
    const read = v.safeParse<typeof storySchema | typeof faultSchema>(
      isStory ? storySchema : faultSchema,
      input,
    )
    if (!read.success) {
      problems.push(...read.issues.map(issue => describe(issue, path)))
      return []
    }
    if ('do' in read.output) problems.push(...contradictions(read.output, path))
    return [read.output]
  })
  if (problems.length > 0) throw new FaultPlanError(problems.slice(0, MOST_PROBLEMS))
  return faults
}

/**
 * Parses the response of a release.
 * @throws FaultPlanError
 */
export function parseAnswer(input: unknown): HeldAnswer | undefined {
  if (typeof input === 'object' && input !== null && Object.keys(input).length === 0) return undefined
  const read = v.safeParse(answerSchema, input)
  if (!read.success) throw new FaultPlanError(read.issues.map(issue => describe(issue)))
  const { status, code } = read.output
  if (status === undefined && (code === undefined || !knownCode(code)))
    throw new FaultPlanError([{ path: 'status', message: 'is missing; add a status or a known code' }])
  return read.output
}

function describe(issue: v.BaseIssue<unknown>, above = ''): PlanProblem {
  const path = [above, v.getDotPath(issue) ?? ''].filter(part => part !== '').join('.')
  const input =
    issue.received === 'undefined' || issue.received.startsWith('Object')
      ? ''
      : `, not ${shorten(issue.received)}`
  const isUnknownKey = issue.expected === 'never'
  return { path, message: isUnknownKey ? issue.message : `${issue.message}${input}` }
}

function shorten(received: string): string {
  return received.length > 60 ? `${received.slice(0, 57)}…` : received
}
