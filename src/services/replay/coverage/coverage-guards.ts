// Watches a machine's guards: the result of each guard at every transition, including the parts of combined
// guards.
import { not } from 'xstate'
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate'
import type { GuardPlace } from '../../../trace/index.ts'
import { guardName, type TransitionNode, transitionsOf } from '../../runtime/index.ts'
import { nameOf } from '../../recording/index.ts'

/** A combined guard as XState evaluates it; missing in XState's types (5.33). */
interface Evaluated {
  check(snapshot: AnyMachineSnapshot, args: unknown, own: unknown): boolean
  readonly guards?: readonly unknown[]
}

/** Receives the result of a guard. */
type OnGuard = (place: GuardPlace, hasPassed: boolean) => void

/** Lists the machine's guards by position; combined ones are followed by their parts. */
export function guardsOf(machine: AnyStateMachine): GuardPlace[] {
  return guardedTransitions(machine.root).flatMap(({ transition, guard }) =>
    placesOf(machine, nameOf(transition), guard),
  )
}

/**
 * Wraps every guard of the machine without changing its result. Returns a function that removes the wrappers.
 */
export function watchGuards(machine: AnyStateMachine, onGuard: OnGuard): () => void {
  const guarded = guardedTransitions(machine.root)
  for (const { transition, guard } of guarded) {
    setGuard(transition, watched(machine, { transition: nameOf(transition) }, guard, onGuard))
  }
  return () => {
    for (const { transition, guard } of guarded) setGuard(transition, guard)
  }
}

function setGuard(transition: TransitionNode, guard: unknown): void {
  ;(transition as { guard?: unknown }).guard = guard
}

function guardedTransitions(node: AnyStateNode): { transition: TransitionNode; guard: unknown }[] {
  const own = transitionsOf(node).flatMap(([transition]) => {
    const guard: unknown = transition.guard
    return guard === undefined ? [] : [{ transition, guard }]
  })
  return [...own, ...Object.values<AnyStateNode>(node.states).flatMap(guardedTransitions)]
}

type Position = Pick<GuardPlace, 'transition' | 'part'>

function placesOf(machine: AnyStateMachine, transition: string, guard: unknown, part?: string): GuardPlace[] {
  const place = { transition, guard: guardName(guard), ...(part !== undefined && { part }) }
  const parts = combined(machine, guard)?.guards ?? []
  return [place, ...parts.flatMap((one, n) => placesOf(machine, transition, one, partOf(part, n)))]
}

function partOf(above: string | undefined, n: number): string {
  return above === undefined ? String(n) : `${above}.${n}`
}

/** Wraps a guard; XState still resolves and evaluates it. */
function watched(machine: AnyStateMachine, position: Position, guard: unknown, onGuard: OnGuard): unknown {
  const own = combined(machine, guard)
  const place = { ...position, guard: guardName(guard) }
  const parts = own?.guards?.map((one, n) =>
    watched(machine, { transition: position.transition, part: partOf(position.part, n) }, one, onGuard),
  )
  const asked = own && parts ? { ...own, check: own.check, guards: parts } : undefined
  const opposite = not(guard as Parameters<typeof not>[0]) as unknown as Evaluated
  const report = (passed: boolean) => {
    onGuard(place, passed)
    return passed
  }
  return Object.assign(() => undefined, {
    check: (snapshot: AnyMachineSnapshot, args: unknown) =>
      report(asked ? asked.check(snapshot, args, asked) : !opposite.check(snapshot, args, opposite)),
  })
}

/** Returns a combined guard, also if it is referenced by name. */
function combined(machine: AnyStateMachine, guard: unknown): Evaluated | undefined {
  const found = typeof guard === 'string' ? (machine.implementations.guards[guard] as unknown) : guard
  const isCombined = typeof found === 'function' && 'check' in found && 'guards' in found
  return isCombined ? (found as unknown as Evaluated) : undefined
}
