// What a matcher may be given as a trace: records in hand, a recording, a file's bytes or its path.
import { readFile } from 'node:fs/promises'
import type { AnyActorLogic } from 'xstate'
import { deriveViews, readTrace, systems, type ReplayableTrace, type SystemRegistry } from '../replay.ts'

/** A trace, whatever holds it. */
export type TraceLike = ReplayableTrace | { readonly trace: ReplayableTrace } | Uint8Array | string | URL

/** Systems by name, or the logic of the one that was recorded; Chartroom's own unless told. */
export type Machines = SystemRegistry | AnyActorLogic

/** Reads it. @throws TypeError that says why it is no trace, or cannot be read */
export async function toTrace(given: unknown): Promise<ReplayableTrace> {
  if (typeof given === 'string' || given instanceof URL) return parsed(await fileOf(given), String(given))
  if (given instanceof Uint8Array) return parsed(given, 'These bytes')
  if (isTrace(given)) return given
  if (typeof given === 'object' && given !== null && 'trace' in given && isTrace(given.trace))
    return given.trace
  throw new TypeError(
    'A trace was expected: a recording, its trace, the bytes of a file, or the path of one.',
  )
}

/** The systems to replay a trace with. */
export function toSystems(machines: Machines | undefined, trace: ReplayableTrace): SystemRegistry {
  if (machines === undefined) return systems
  return isLogic(machines) ? { [trace.header.system]: machines } : machines
}

/**
 * Reads it with its steps; those that were not recorded are derived, by the logic of the recording or Chartroom's own.
 * @throws TypeError that says why it can't be used
 */
export async function toSteps(given: unknown): Promise<ReplayableTrace> {
  const trace = await toTrace(given)
  const derived = deriveViews(trace, { ...systems, ...recordedLogic(given, trace) })
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
