// Which live actor is in the place of each actor of a drive, and what has to be started and stopped.
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  type AnyStateNode,
  createActor,
} from 'xstate'
import { isMachine, isRunning, logicOf, type UnwrittenRecording } from '../../recording/index.ts'
import type { DrivenSystem } from '../../replay/index.ts'
import { EditRefused } from './module-edit.ts'

/** The parts of an actor that are missing in XState's types (5.33). */
export type InnerActor = AnyActorRef & {
  _snapshot: unknown
  readonly _parent?: AnyActorRef
  readonly _syncSnapshot?: boolean
  readonly systemId?: string
  readonly observers: Set<{ readonly next?: (snapshot: unknown) => void }>
  readonly options: { readonly input?: unknown }
  _stop(): void
}

/** An actor of the drive and its live counterpart. */
export interface Place {
  readonly driven: InnerActor
  readonly parent: Place | undefined
  /** Absent until it is created. */
  live: InnerActor | undefined
  /** Whether the live actor existed before. */
  readonly isKept: boolean
}

type Live = Pick<UnwrittenRecording<AnyActorLogic>, 'actor' | 'actors'>

/**
 * Returns the places of a driven system, parents first. A live actor stays where the drive has the same actor, and it
 * is running in both.
 * @throws EditRefused if the driven system has ended
 */
export function placesOf(live: Live, driven: DrivenSystem): Place[] {
  const root = driven.root as unknown as InnerActor
  if (!isRunning(root)) {
    const { status } = root.getSnapshot() as { readonly status: string }
    throw new EditRefused(`With the new machines, the system has ended (${status}), and cannot go on.`)
  }
  const places: Place[] = []
  const visit = (ref: InnerActor, parent: Place | undefined, ownMachine: InnerActor | undefined) => {
    const place: Place = { driven: ref, parent, live: ownMachine, isKept: ownMachine !== undefined }
    places.push(place)
    for (const child of childrenOf(ref)) {
      const path = driven.recordedPath(child)
      const liveRef = path === undefined ? undefined : (live.actors.find(path) as InnerActor | undefined)
      visit(child, place, ownMachine && liveRef && isSame(child, liveRef, ownMachine) ? liveRef : undefined)
    }
  }
  visit(root, undefined, live.actor as unknown as InnerActor)
  return places
}

function isSame(driven: InnerActor, live: InnerActor, parent: InnerActor): boolean {
  return (
    isRunning(driven) &&
    isRunning(live) &&
    live._parent === parent &&
    live.id === driven.id &&
    live.systemId === driven.systemId &&
    (typeof live.src === 'string' ? live.src === driven.src : typeof driven.src !== 'string')
  )
}

/** Children of a machine's snapshot. */
export function childrenOf(ref: AnyActorRef): InnerActor[] {
  const { children } = ref.getSnapshot() as {
    readonly children?: Readonly<Record<string, InnerActor | undefined>>
  }
  return Object.values(children ?? {}).filter(child => child !== undefined)
}

/** Stops the live children that the drive does not have. */
export function stopOthers(places: readonly Place[]): void {
  const liveRefs = new Set(places.map(({ live }) => live))
  for (const { live } of places)
    if (live && isMachine(logicOf(live)))
      for (const child of childrenOf(live)) if (!liveRefs.has(child) && isRunning(child)) child._stop()
}

/**
 * Creates the live actor of a place, below the live actor of its parent.
 * @param convert returns a value of the drive as one of the live system
 */
export function create(place: Place, convert: (value: unknown) => unknown): void {
  const { driven, parent } = place
  if (place.live || !parent?.live) return
  const { id, src, systemId, _syncSnapshot: syncSnapshot } = driven
  const snapshot = driven.getSnapshot() as { readonly status: string; readonly input?: unknown }
  const logic = logicFor(src, parent.live)
  const options = { id, parent: parent.live, src, syncSnapshot, ...(systemId !== undefined && { systemId }) }
  const restored = isMachine(logic)
    ? { ...machineState(driven, convert), children: {} }
    : snapshot.status === 'active'
      ? undefined
      : snapshot
  const input = convert(driven.options.input ?? snapshot.input)
  place.live = createActor(logic, {
    ...options,
    input,
    ...(restored && { snapshot: restored }),
  } as object) as never
}

/** Returns the logic that the live parent has for a child of the drive. */
function logicFor(src: unknown, parent: AnyActorRef): AnyActorLogic {
  if (typeof src !== 'string') return src as AnyActorLogic
  const machine = logicOf(parent) as AnyStateMachine
  const [, at, id] = /^xstate\.invoke\.(\d+)\.(.*)/.exec(src) ?? []
  const logic: unknown =
    id === undefined
      ? (machine.implementations.actors as Record<string, unknown>)[src]
      : invokedBy(machine.getStateNodeById(id), Number(at))
  if (logic === undefined) throw new EditRefused(`No logic named ${src} is available.`)
  return logic as AnyActorLogic
}

function invokedBy({ config }: AnyStateNode, at: number): unknown {
  const { invoke } = config as {
    readonly invoke?: { readonly src: unknown } | readonly { readonly src: unknown }[]
  }
  return (
    Array.isArray(invoke)
      ? (invoke as readonly { readonly src: unknown }[])[at]
      : (invoke as { readonly src: unknown })
  )?.src
}

/** The state of a driven machine, with its values as those of the live system. */
export function machineState(driven: AnyActorRef, convert: (value: unknown) => unknown) {
  const { status, value, context, output, error, historyValue } = driven.getSnapshot() as Record<
    string,
    unknown
  >
  return { status, value, context: convert(context), output: convert(output), error, historyValue }
}
