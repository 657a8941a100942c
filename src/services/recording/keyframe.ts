// Keyframes: the complete state of a running system as data, so that a recording can begin at any point.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, KeyframeRecord } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { Registry } from './actor-registry.ts'
import { isRunning, logicOf } from './capture.ts'
import { isMachine } from './logic-kind.ts'
import type { TimerTable } from './timers.ts'
import type { IndexOf } from './plain-records.ts'

/**
 * The root and all actors reachable from it, parents first. Children of a failed machine may still run, but
 * could not be restored.
 */
export function actorTree(root: AnyActorRef, registry: Registry): ActorRecord[] {
  const known = registry.of(root)
  known.ref = root
  return [known, ...childrenOf(root).flatMap(([, child]) => actorTree(child, registry))]
}

function childrenOf(ref: AnyActorRef): [string, AnyActorRef][] {
  const snapshot: unknown = ref.getSnapshot()
  if (!isRunning(ref) || typeof snapshot !== 'object' || snapshot === null || !('children' in snapshot))
    return []
  return Object.entries(snapshot.children as Record<string, AnyActorRef>).filter(
    ([, child]) => child as unknown,
  )
}

/** Position of a keyframe in the recording. */
export type KeyframePlace = Pick<KeyframeRecord, 'at' | 'steps' | 'tape' | 'actors'>

/** The system that a keyframe captures. */
export interface KeyframeSubject {
  readonly root: AnyActorRef
  readonly registry: Registry
  readonly timers: TimerTable
  /** Machines, by id, that a replay finds in the root's logic. */
  readonly machines: Readonly<Record<string, unknown>>
}

/** Takes a keyframe. Call this only between two steps. */
export function takeKeyframe(
  { root, registry, timers, machines }: KeyframeSubject,
  place: KeyframePlace,
  indexOf: IndexOf,
): KeyframeRecord {
  const tree = actorTree(root, registry)
  const reachable = new Set(tree.filter(known => canRestore(known, machines)))
  const isThere = (ref: AnyActorRef) => reachable.has(registry.of(ref)) && isRunning(ref)
  return {
    line: 'keyframe',
    ...place,
    tree: tree.map(indexOf),
    snapshot: persisted(root, registry),
    // A timer of an ended actor does nothing when it fires.
    timers: timers
      .armed()
      .filter(({ source, target }) => isThere(source) && (!registry.isOwn(target) || isThere(target)))
      .map(timer => ({
        ordinal: timer.ordinal,
        source: indexOf(registry.of(timer.source)),
        ...(registry.isOwn(timer.target)
          ? { target: indexOf(registry.of(timer.target)) }
          : { outside: registry.outside(timer.target) }),
        event: timer.event,
        delay: timer.delay,
        left: timers.left(timer),
        id: timer.id,
      })),
    nextOrdinal: timers.next,
    leaves: tree.map(known => countsOf(known, indexOf)).filter(counts => counts !== undefined),
    names: registry.names(),
    unreachable: [...registry.living()]
      .filter(known => isRunning(known.ref) && !reachable.has(known))
      .map(known => known.path),
  }
}

function countsOf(known: ActorRecord, indexOf: IndexOf): KeyframeRecord['leaves'][number] | undefined {
  const { transition, action, snapshot, emit, send } = known.counts
  if (transition + action + snapshot + emit + send === 0) return undefined
  return {
    actor: indexOf(known),
    transitions: transition,
    ...(action > 0 && { actions: action }),
    ...(snapshot > 0 && { snapshots: snapshot }),
    ...(emit > 0 && { emits: emit }),
    ...(send > 0 && { sends: send }),
  }
}

interface LiveSnapshot extends Record<string, unknown> {
  readonly historyValue?: Readonly<Record<string, readonly { readonly id: string }[]>>
}

/**
 * Persists like XState, except that contexts are kept as they are: XState's form of references to actors
 * other than children could not be restored, and it does not terminate for circular values.
 */
function persisted(ref: AnyActorRef, registry: Registry): unknown {
  const live = ref.getSnapshot() as LiveSnapshot
  const logic = logicOf(ref)
  if (!isMachine(logic)) return logic.getPersistedSnapshot(live as never) as unknown
  const { status, value, context, output, error, historyValue = {} } = live
  const children = childrenOf(ref).map(([key, child]) => [key, persistedChild(child, registry)] as const)
  const history = Object.entries(historyValue).map(([id, nodes]) => [
    id,
    nodes.map(node => ({ id: node.id })),
  ])
  return {
    status,
    value,
    context,
    output,
    error,
    historyValue: Object.fromEntries(history) as unknown,
    children: Object.fromEntries(children),
  }
}

/** The part of a child that is missing in XState's types (5.33). */
type InnerChild = AnyActorRef & { readonly systemId?: string; readonly _syncSnapshot?: boolean }

function persistedChild(ref: AnyActorRef, registry: Registry): object {
  const { systemId, _syncSnapshot: syncSnapshot } = ref as InnerChild
  const src = typeof ref.src === 'string' ? ref.src : inlineSource(registry.of(ref))
  return { snapshot: persisted(ref, registry), src, systemId, syncSnapshot }
}

/** Replaces logic that was spawned without a name. */
export interface InlineSource {
  readonly inline: ActorKind
  readonly machine?: string
}

function inlineSource({ kind, src, ref }: ActorRecord): InlineSource {
  // Only the snapshot of an ended actor is left, which any logic can hold.
  if (!isRunning(ref)) return { inline: 'promise' }
  return kind === 'machine' ? { inline: kind, machine: src } : { inline: kind }
}

/** Custom logic objects, and unknown machines, that were spawned without a name cannot be restored. */
function canRestore({ kind, src, ref }: ActorRecord, machines: KeyframeSubject['machines']): boolean {
  if (typeof ref?.src === 'string' || ref?._parent === undefined || !isRunning(ref)) return true
  return kind === 'machine' ? Object.hasOwn(machines, src) : kind !== 'other'
}
