// Finds the system of a trace among the known ones and compares its machines with the recorded ones.
import type { AnyActorLogic } from 'xstate'
import { isSameMachine, type ReplayableTrace } from '../../../trace/index.ts'
import type { ComposeSystem, SystemRegistry } from '../../runtime/index.ts'

/** How a machine differs from the recorded one. Differences are reported and never prevent a replay. */
export interface MachineDifference {
  readonly id: string
  readonly difference: 'changed' | 'missing' | 'added'
}

/** Returns the system to replay a trace with, or the reason why there is none. */
export function findSystem(
  { header: { system }, keyframes }: ReplayableTrace,
  systems: SystemRegistry,
): { readonly system: AnyActorLogic | ComposeSystem } | { readonly reason: string } {
  const found = Object.hasOwn(systems, system) ? systems[system] : undefined
  if (!found) {
    const known = Object.keys(systems).join(', ') || 'none'
    return { reason: `unknown system "${system}"; known here: ${known}` }
  }
  const unreachable = keyframes[0]?.at === 0 ? keyframes[0].unreachable : []
  if (unreachable.length === 0) return { system: found }
  const names = unreachable.join(', ')
  return { reason: `it begins during a run, with actors that no parent references: ${names}` }
}

type WithHeader = Pick<ReplayableTrace, 'header'>

/** Compares the charts of a trace with those of a replay. */
export function compareMachines(recorded: WithHeader, here: WithHeader): MachineDifference[] {
  const [then, now] = [recorded.header.machines, here.header.machines]
  const ids = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return ids.flatMap((id): MachineDifference[] => {
    if (!now[id]) return [{ id, difference: 'missing' }]
    if (!then[id]) return [{ id, difference: 'added' }]
    return isSameMachine(then[id], now[id]) ? [] : [{ id, difference: 'changed' }]
  })
}
