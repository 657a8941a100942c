// Finds the cause of a keyframe difference: the first differing actor and the changes in its machine.
import { chartDiff, type ReplayableTrace } from '../../../trace/index.ts'
import type { Wrong } from './comparison.ts'
import type { DivergenceCause } from './divergence-cause.ts'

/**
 * Returns the actor that differs or whose stimulus could not be repeated; undefined if no machine changed.
 */
export function findKeyframeOnlyCause(
  then: ReplayableTrace,
  now: ReplayableTrace,
  { differences = [], between: [, to] = [0, 0] }: Wrong,
): DivergenceCause | undefined {
  const last = then.stimuli[to - 1]
  const spoken = differences.map(({ path }) => actorIn(path))
  const paths = differences.length > 0 ? spoken : [then.actors[last?.to ?? -1]?.path]
  const found = paths.flatMap(path => then.actors.find(actor => actor.path === path) ?? [])
  const [was, is] = [then.header.machines, now.header.machines]
  const ofActors = found.map(({ path, src }) => ({ path, changes: chartDiff(was[src], is[src]) }))
  const first = ofActors.find(({ changes }) => changes.length > 0)
  if (!first) return undefined
  const { path, changes } = first
  const [likeliest, ...others] = changes
  return { actor: path, was: [], is: [], changes, ...(likeliest && others.length === 0 && { likeliest }) }
}

/** `/actors/client~1session/value` refers to `client/session`. */
function actorIn(pointer: string): string | undefined {
  const [, part, name] = pointer.split('/')
  return part === 'actors' ? name?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined
}
