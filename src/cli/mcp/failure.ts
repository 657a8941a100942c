// The failure that a tool is about, as an agent names it: that of a report, an invariant, or an assertion as JSON.
import { type Assertion, invariants } from '../../public/devtools/assertions.ts'
import { readAssertions } from '../../trace/index.ts'
import { failureOf, type Incident } from '../../services/reports/judge.ts'
import { causeOfError } from '../../services/reports/causes.ts'
import type { ReplayableTrace } from '../../public/devtools/replay.ts'
import type { SystemRegistry } from '../../public/devtools/recording.ts'
import { nearestName } from '../command.ts'

/** The argument `fails`. */
export const FAILS_ABOUT =
  'The failure: an assertion as JSON, such as {"never":{"src":"door","entered":"broken"}}, the name of an invariant, or "invariants"; default: that of the report, else the problem with which the recording ends'

/** Assertions to check, or how a report describes its failure. */
export type Failure =
  { readonly assertions: readonly Assertion[] } | { readonly incident: Incident | undefined }

/**
 * Reads the argument `fails`; assertions are data, so that nothing of it runs.
 * @throws Error with what is wrong
 */
export function readFailure(text: string | undefined, incident: Incident | undefined): Failure {
  if (text === undefined) return { incident }
  const all = invariants()
  if (text === 'invariants') return { assertions: all }
  if (!text.trimStart().startsWith('{') && !text.trimStart().startsWith('[')) {
    const assertion = all.find(({ name }) => name === text)
    if (assertion) return { assertions: [assertion] }
    const close = nearestName(text, ['invariants', ...all.map(({ name }) => name)])
    throw new Error(
      `There is no invariant ${JSON.stringify(text.slice(0, 60))}.${close === undefined ? ` Use one of ${all.map(({ name }) => name).join(', ')}, or an assertion as JSON.` : ` Did you mean "${close}"?`}`,
    )
  }
  return { assertions: readJson(text) }
}

/** A list, one assertion, or only its formula. @throws Error with the path of each problem */
export function readJson(text: string): readonly Assertion[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('The assertion is no valid JSON.')
  }
  const isOne =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !('assertions' in value)
  const listed = isOne
    ? [
        'check' in (value as object)
          ? { name: 'the failure', ...(value as object) }
          : { name: 'the failure', check: value },
      ]
    : value
  const read = readAssertions(listed)
  if (read.kind === 'assertions') return read.assertions
  const problems = read.problems.slice(0, 5).map(({ at, message }) => `${at} ${message}`)
  throw new Error(`The assertion can't be used: ${problems.join('; ')}.`)
}

export interface ResolvedFailure {
  readonly assertions: readonly Assertion[]
  /** The steps that must not occur, for a test; absent for assertions. */
  readonly pattern?: object
}

/** The failure as assertions that the machines of `systems` can break, or why there are none. */
export function resolveFailure(
  failure: Failure,
  trace: ReplayableTrace,
  systems: SystemRegistry,
): ResolvedFailure | { readonly noTest: string } {
  if ('assertions' in failure) return failure
  const failedAt = failureOf(failure.incident ?? incidentAtEnd(trace), trace, systems)
  if ('noTest' in failedAt) return failedAt
  return { assertions: [failedAt.assertion], ...(failedAt.pattern && { pattern: failedAt.pattern }) }
}

/** How a report would describe the end of a recording. */
function incidentAtEnd({ steps }: ReplayableTrace): Incident {
  const last = steps.findLast(({ actor }) => actor === 0)
  if (last?.status === 'error') return causeOfError(last.error)
  return { kind: 'user', fingerprint: 'user' }
}
