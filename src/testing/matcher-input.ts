// Trace inputs of the matchers: records in memory, a recording, the bytes of a file, or its path.
import { readFile } from 'node:fs/promises'
import type { AnyActorLogic } from 'xstate'
import { deriveSteps } from '../services/replay/index.ts'
import { readTrace, type ReplayableTrace } from '../trace/index.ts'
import { systems } from '../services/workbench/systems/index.ts'
import type { SystemRegistry } from '../services/runtime/index.ts'

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
export async function toSteps(given: unknown): Promise<ReplayableTrace> {
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
