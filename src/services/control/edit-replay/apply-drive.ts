// Puts the actors of a running system into the state that a drive has reached.
import type { AnyActorLogic, AnyActorRef, AnyStateMachine, EventObject } from 'xstate'
import { isMachine, isRunning, logicOf, type UnwrittenRecording } from '../../recording/index.ts'
import type { DrivenSystem } from '../../replay/index.ts'
import { type LiveValues, liveValue, merged } from './live-values.ts'
import { childrenOf, create, machineState, type Place, placesOf, stopOthers } from './place-actors.ts'

/** The running system, and what its recording hides. */
export interface LiveSystem {
  readonly own: UnwrittenRecording<AnyActorLogic>
  /** Secrets by their pseudonyms. */
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Prepares the change of a system, without changing anything.
 * @returns a function that makes the change, and returns one that notifies the subscribers of the actors
 * @throws EditRefused if it cannot be made
 */
export function planApply(
  { own, secrets }: LiveSystem,
  system: DrivenSystem,
): (edit: () => void) => () => void {
  const places = placesOf(own, system)
  const timers = system.timers()
  const states = new Map(system.final().map(state => [state.actor, state]))
  const placeOf = new Map<AnyActorRef, Place>(places.map(place => [place.driven, place]))
  const live: LiveValues = { actor: ref => placeOf.get(ref)?.live, secrets }
  const convert = (value: unknown) => liveValue(value, live)
  const contextOf = ({ driven, live: ref, isKept }: Place): unknown => {
    const { context } = driven.getSnapshot() as { readonly context: unknown }
    const state = isKept ? states.get(system.recordedPath(driven) ?? '') : undefined
    if (!ref || !state?.was) return convert(context)
    const now = (ref.getSnapshot() as { readonly context: unknown }).context
    return merged({ driven: context, is: state.is?.context, was: state.was.context, now }, live)
  }
  const change = () => {
    const armedTimers = outsideTimers(places, own)
    stopOthers(places)
    for (const place of places) create(place, convert)
    // References in contexts and events are those of actors that exist now.
    const machines = places.filter(({ driven }) => isMachine(logicOf(driven)) && isRunning(driven))
    const contexts = machines.map(contextOf)
    for (const [at, place] of machines.entries()) setState(place, contexts[at], placeOf, convert)
    for (const { live: ref } of machines) if (ref) ref.system.scheduler.cancelAll(ref)
    for (const { source, target, event, left, id } of timers) {
      const from = placeOf.get(source)?.live
      const to = placeOf.get(target)?.live ?? armedTimers.get(`${from?.sessionId} ${id}`)
      if (from && to) from.system.scheduler.schedule(from, to, convert(event) as EventObject, left, id)
    }
    for (const { driven, live: ref, isKept, parent } of places)
      if (!isKept && parent?.isKept && ref && isRunning(driven)) ref.start()
  }
  return edit => {
    own.replaceState(() => {
      edit()
      change()
    })
    return () => places.forEach(notify)
  }
}

/** Sets the snapshot of a machine's actor, with its live children. */
function setState(
  { driven, live }: Place,
  context: unknown,
  placeOf: ReadonlyMap<AnyActorRef, Place>,
  convert: (value: unknown) => unknown,
): void {
  if (!live) return
  const machine = logicOf(live) as AnyStateMachine
  const state = machineState(driven, convert)
  const snapshot = machine.resolveState({ ...state, context } as never) as {
    children: Record<string, unknown>
  }
  const children = childrenOf(driven).flatMap(child => {
    const ref = placeOf.get(child)?.live
    return ref ? [[ref.id, ref] as const] : []
  })
  snapshot.children = Object.fromEntries(children)
  live._snapshot = snapshot
}

/** Actors of other systems to which timers send, by timer: the drive does not have them. */
function outsideTimers(
  places: readonly Place[],
  { actor }: Pick<LiveSystem['own'], 'actor'>,
): Map<string, AnyActorRef> {
  const { _scheduledEvents: events } = (
    actor.system as unknown as {
      readonly _snapshot: {
        readonly _scheduledEvents: Readonly<
          Record<string, { readonly source: AnyActorRef; readonly target: AnyActorRef; readonly id: string }>
        >
      }
    }
  )._snapshot
  const liveRefs = new Set<AnyActorRef | undefined>(places.map(({ live }) => live))
  const outside = Object.values(events).filter(
    ({ source, target }) => liveRefs.has(source) && !liveRefs.has(target),
  )
  return new Map(outside.map(({ source, target, id }) => [`${source.sessionId} ${id}`, target]))
}

/**
 * Notifies the subscribers of an actor that existed before. What they send then enters the system from outside, as the
 * change was no step.
 */
function notify({ live, isKept, driven }: Place): void {
  if (!live || !isKept || !isMachine(logicOf(driven))) return
  const snapshot: unknown = live.getSnapshot()
  // Iterating over them would count as the code of a step.
  live.observers.forEach(observer => {
    try {
      observer.next?.(snapshot)
    } catch (error) {
      reportError(error)
    }
  })
}
