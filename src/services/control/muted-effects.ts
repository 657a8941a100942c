// Mutes a system's effects: their results are emitted manually.
import { fromCallback, fromObservable, fromPromise } from 'xstate'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { isLeaf, isMachine, logicKind } from '../recording/index.ts'
import type { ComposeSystem } from '../runtime/index.ts'

const forever = { subscribe: () => ({ unsubscribe: () => undefined }) }

const SILENT: Readonly<Partial<Record<string, AnyActorLogic>>> = {
  promise: fromPromise(() => new Promise(() => undefined)),
  callback: fromCallback(() => undefined),
  observable: fromObservable(() => forever),
}

/**
 * Returns the logic with every effect that it provides, at any depth, muted. Custom logic objects are not
 * changed.
 */
function muted(logic: AnyActorLogic): AnyActorLogic {
  if (isMachine(logic)) return mutedMachine(logic)
  return (isLeaf(logic) ? SILENT[logicKind(logic)] : undefined) ?? logic
}

/** The same for a composed system. */
export function mutedSystem(system: AnyActorLogic | ComposeSystem): AnyActorLogic | ComposeSystem {
  if (typeof system !== 'function') return muted(system)
  return parts => mutedMachine(system(parts))
}

function mutedMachine(machine: AnyStateMachine): AnyStateMachine {
  const actors = Object.entries(machine.implementations.actors as Record<string, AnyActorLogic>)
  return machine.provide({
    actors: Object.fromEntries(actors.map(([name, logic]) => [name, muted(logic)])),
  } as Parameters<AnyStateMachine['provide']>[0])
}
