// What a replay takes from a trace besides its stimuli: anchored emissions by place, the tape, actor references.
import type { AnyActorRef } from 'xstate'
import type { ReplayableTrace, Stimulus, TapeEntry } from '../../trace/format.ts'
import { ActorReference } from '../../trace/values.ts'
import type { Environment } from '../system-parts.ts'

/** Anchored stimuli by `path|phase|n` of the leaf whose code was running. */
export function groupAnchored(trace: ReplayableTrace): Map<string, Stimulus[]> {
  const groups = new Map<string, Stimulus[]>()
  for (const stimulus of trace.stimuli) {
    const { anchor, from } = stimulus
    if (!anchor) continue
    const path = trace.actors[anchor.in ?? from ?? -1]?.path ?? ''
    const key = `${path}|${anchor.phase}|${anchor.n}`
    const group = groups.get(key)
    if (group) group.push(stimulus)
    else groups.set(key, [stimulus])
  }
  return groups
}

/** Reads the tape in order; a reading that was not recorded is noted, and answered with a harmless value. */
export function replayedEnvironment(tape: readonly TapeEntry[], problems: string[]): Environment {
  let at = 0
  const read = (kind: TapeEntry['kind']): number | string | undefined => {
    const entry = tape[at]
    at += 1
    if (entry?.kind === kind) return entry.value
    if (entry) problems.push(`reading ${at} of the tape is "${kind}" here, and was "${entry.kind}"`)
    else problems.push(`reading ${at} of the tape ("${kind}") was not recorded`)
    return undefined
  }
  return {
    now: () => Number(read('now') ?? 0),
    random: () => Number(read('random') ?? 0),
    id: () => String(read('id') ?? ''),
  }
}

/** Puts actors in the place of references to them. The value must be a copy: it is changed in place. */
export function reviveActors(value: unknown, find: (path: string) => AnyActorRef | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ActorReference) return find(value.path) ?? value
  if (ArrayBuffer.isView(value)) return value
  if (value instanceof Map) for (const [key, item] of value) value.set(key, reviveActors(item, find))
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object') Object.defineProperty(value, key, { value: reviveActors(item, find) })
  }
  return value
}
