// Trace matchers. Their failure messages match the output of the command line.
import {
  type Assertion,
  checkInvariants,
  checkThresholds,
  checkTrace,
  describeAssertionFailure,
  describeViolation,
  type Thresholds,
  type ReplayableTrace,
  statesOf,
  readTrace,
} from '../trace/index.ts'
import { coverage, describeDivergence, verify, deriveSteps } from '../services/replay/index.ts'
import { systems } from '../services/workbench/systems/index.ts'
import { readFile } from 'node:fs/promises'
import type { AnyActorLogic } from 'xstate'
import type { SystemRegistry } from '../services/runtime/index.ts'

/** Result of a matcher. */
interface Outcome {
  readonly pass: boolean
  readonly message: () => string
}

const PARTS: readonly string[] = ['states', 'transitions', 'guards']

/** The matchers, for `expect.extend`. */
export const matchers = {
  async toReplay(given: unknown, machines?: Machines): Promise<Outcome> {
    const trace = await toTrace(given)
    const report = verify(trace, toSystems(machines, trace))
    const isUnknown = machines === undefined && !Object.hasOwn(systems, trace.header.system)
    const hint = isUnknown ? ['Pass the recorded machine: toReplay(machine).'] : []
    const why = 'reason' in report ? [report.reason, ...hint] : []
    const difference =
      'divergence' in report && report.divergence ? describeDivergence(report.divergence) : []
    return outcome(
      report.outcome === 'exact',
      [`The trace does not replay exactly (${report.outcome}).`, ...why, ...difference],
      report.keyframes === undefined
        ? `The trace replays exactly: all ${report.compared} steps match.`
        : `The trace replays exactly: all ${report.keyframes} keyframes match.`,
    )
  },

  /** Vitest has a matcher of this name that takes a function; that use keeps working. */
  toSatisfy(given: unknown, ...asked: readonly unknown[]): Outcome | Promise<Outcome> {
    const [test, message] = asked
    if (typeof test !== 'function') return satisfies(given, asked as readonly Assertion[])
    const text =
      typeof message === 'string' ? message : `The value does not satisfy ${test.name || 'the test'}.`
    return outcome(
      Boolean((test as (value: unknown) => unknown)(given)),
      [text],
      'The value satisfies the test.',
    )
  },

  async toKeepInvariants(given: unknown): Promise<Outcome> {
    const broken = checkInvariants(await toSteps(given))
    return outcome(broken.length === 0, broken.map(describeViolation), 'The trace breaks no invariant.')
  },

  async toReach(given: unknown, machine: string, state: string): Promise<Outcome> {
    const trace = await toSteps(given)
    checkNamed(trace, machine, state)
    const { states, at } = entriesOf(trace, machine, state)
    return outcome(
      at !== undefined,
      [`${machine} never reached ${state}.`, `It was in ${states.join(', ') || 'no state at all'}.`],
      `${machine} reached ${state} at step ${at}.`,
    )
  },

  async toCover(given: unknown, least: Thresholds, machines?: Machines): Promise<Outcome> {
    const traces = await Promise.all((Array.isArray(given) ? given : [given]).map(toTrace))
    const [first] = traces
    if (!first) throw new TypeError('toCover needs at least one trace.')
    const unknown = Object.keys(least).find(part => !PARTS.includes(part))
    if (unknown !== undefined) throw new TypeError(`toCover knows ${PARTS.join(', ')}, not "${unknown}".`)
    const report = coverage(traces, toSystems(machines, first))
    const low = checkThresholds(report, least)
    const missing = report.machines.flatMap(({ id, missing: { states } }) =>
      states.length === 0 ? [] : [`${id} was never in ${states.join(', ')}`],
    )
    return outcome(
      low.length === 0,
      [
        ...low.map(({ what, covered, total, percent, least: asked }) => {
          return `${what}: ${covered} of ${total} (${percent} %), required: ${asked} %.`
        }),
        ...missing,
      ],
      'The trace reaches the required coverage.',
    )
  },
}

async function satisfies(given: unknown, assertions: readonly Assertion[]): Promise<Outcome> {
  if (assertions.length === 0) throw new TypeError('toSatisfy needs at least one assertion to check.')
  const { results } = checkTrace(await toSteps(given), assertions)
  const failed = results.filter(({ verdict }) => verdict === 'fails')
  const lines = failed.flatMap(({ failures, failed: count }) => [
    ...failures.map(describeAssertionFailure),
    ...(count > failures.length ? [`and ${count - failures.length} more`] : []),
  ])
  return outcome(failed.length === 0, lines, `${assertions.map(({ name }) => name).join(', ')} passed.`)
}

const outcome = (pass: boolean, wrong: readonly string[], right: string): Outcome => ({
  pass,
  message: () => (pass ? right : wrong.join('\n')),
})

/** Trace matchers. All of them return promises that must be awaited. */
export interface TraceMatchers {
  /** Replays the trace and expects every step to match the recording. */
  toReplay(machines?: Machines): Promise<void>
  /** Checks the trace of a Chartroom client against the invariants. */
  toKeepInvariants(): Promise<void>
  /** Expects an actor of this machine to have been in this state, e.g. `authenticated.token.fresh`. */
  toReach(machine: string, state: string): Promise<void>
  /**
   * Expects one or more traces to cover at least these percentages of states, transitions and guard branches.
   */
  toCover(least: Thresholds, machines?: Machines): Promise<void>
}

/** Vitest's own signature plus the one for assertions. */
export interface ToSatisfy<R> {
  (matcher: (value: never) => boolean, message?: string): R
  /** Checks the trace against assertions. Obligations still pending when the trace ends do not fail. */
  (...assertions: readonly [Assertion, ...(readonly Assertion[])]): Promise<void>
}

type Value = ReplayableTrace['steps'][number]['value']

interface Entries {
  /** Number of the first step after which the machine was in the state. */
  readonly at: number | undefined
  /** Paths of all atomic states that the machine was in. */
  readonly states: readonly string[]
}

/** Looks for a state, by path, in all actors of the machine. */
function entriesOf(trace: ReplayableTrace, machine: string, state: string): Entries {
  const states = new Set<string>()
  let at: number | undefined
  for (const { actor, seq, value } of trace.steps) {
    if (value === undefined || trace.actors[actor]?.src !== machine) continue
    for (const path of pathsOf(value)) {
      states.add(path)
      if (path === state || path.startsWith(`${state}.`)) at ??= seq
    }
  }
  return { at, states: [...states] }
}

function pathsOf(value: NonNullable<Value>): string[] {
  if (typeof value === 'string') return [value]
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = inner === undefined ? [] : pathsOf(inner)
    return below.length === 0 ? [key] : below.map(path => `${key}.${path}`)
  })
}

/** @throws TypeError for an unknown machine or state, which could never be reached */
function checkNamed({ header, actors }: ReplayableTrace, machine: string, state: string): void {
  const chart = Object.hasOwn(header.machines, machine) ? header.machines[machine] : undefined
  if (!chart) {
    if (actors.some(({ src }) => src === machine)) return
    throw new TypeError(
      `The trace has no machine ${machine}; it has ${Object.keys(header.machines).join(', ')}.`,
    )
  }
  const paths = [...statesOf(chart).keys()].filter(path => path !== '')
  if (!paths.includes(state))
    throw new TypeError(`${machine} has no state ${state}; it has ${paths.join(', ') || 'none'}.`)
}

/** A trace in any accepted form. */
export type TraceLike = ReplayableTrace | { readonly trace: ReplayableTrace } | Uint8Array | string | URL

/** Systems by name, or the logic of the recorded system. Defaults to Chartroom's own systems. */
export type Machines = SystemRegistry | AnyActorLogic

/** Reads a trace. @throws TypeError with the reason if the input is not a trace or cannot be read */
export async function toTrace(given: unknown): Promise<ReplayableTrace> {
  if (typeof given === 'string' || given instanceof URL) return parsed(await fileOf(given), String(given))
  if (given instanceof Uint8Array) return parsed(given, 'These bytes')
  if (isTrace(given)) return given
  if (typeof given === 'object' && given !== null && 'trace' in given && isTrace(given.trace))
    return given.trace
  throw new TypeError('Expected a trace: a recording, its trace, the bytes of a trace file, or its path.')
}

/** Returns the systems to replay a trace with. */
export function toSystems(machines: Machines | undefined, trace: ReplayableTrace): SystemRegistry {
  if (machines === undefined) return systems
  return isLogic(machines) ? { [trace.header.system]: machines } : machines
}

/**
 * Reads a trace with its steps. Steps that were not recorded are derived with the recording's or Chartroom's
 * logic.
 * @throws TypeError with the reason if the trace cannot be used
 */
async function toSteps(given: unknown): Promise<ReplayableTrace> {
  const trace = await toTrace(given)
  const derived = deriveSteps(trace, { ...systems, ...recordedLogic(given, trace) })
  if (derived.kind === 'trace') return derived.trace
  throw new TypeError(derived.message)
}

function recordedLogic(given: unknown, { header: { system } }: ReplayableTrace): SystemRegistry {
  if (typeof given !== 'object' || given === null || !('actor' in given)) return {}
  const { actor } = given
  const logic = typeof actor === 'object' && actor !== null && 'logic' in actor ? actor.logic : undefined
  return typeof logic === 'object' && logic !== null ? { [system]: logic as AnyActorLogic } : {}
}

async function fileOf(path: string | URL): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new TypeError(`${String(path)} cannot be read: ${String(error)}`, { cause: error })
  }
}

async function parsed(bytes: Uint8Array, name: string): Promise<ReplayableTrace> {
  const read = await readTrace(bytes)
  if (read.kind === 'trace') return read.trace
  throw new TypeError(`${name} cannot be used: ${read.message}.`)
}

function isTrace(value: unknown): value is ReplayableTrace {
  return typeof value === 'object' && value !== null && 'header' in value && 'stimuli' in value
}

function isLogic(machines: Machines): machines is AnyActorLogic {
  return typeof machines['transition'] === 'function' && typeof machines['getInitialSnapshot'] === 'function'
}
