// Keyframes: the whole state of a running system as data, so that a recording can begin in its midst.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, KeyframeRecord } from '../../trace/format.ts'
import type { Known, Registry } from './actor-registry.ts'
import { logicOf } from './capture.ts'
import { isMachine, logicKind } from './logic-kind.ts'
import type { TimerTable } from './timers.ts'
import type { IndexOf } from './plain-records.ts'

/** The root and all actors that can be reached from it, parents first. */
export function actorTree(root: AnyActorRef, registry: Registry): Known[] {
  const known = registry.of(root)
  known.ref = root
  const snapshot: unknown = root.getSnapshot()
  const children =
    typeof snapshot === 'object' && snapshot !== null && 'children' in snapshot ? snapshot.children : {}
  const refs = Object.values(children as Record<string, AnyActorRef | undefined>)
  return [known, ...refs.flatMap(child => (child ? actorTree(child, registry) : []))]
}

/** Where in the recording a keyframe stands. */
export type KeyframePlace = Pick<KeyframeRecord, 'at' | 'views' | 'tape' | 'actors'>

/** Takes a keyframe; only between two steps. */
export function takeKeyframe(
  root: AnyActorRef,
  place: KeyframePlace,
  registry: Registry,
  timers: TimerTable,
  indexOf: IndexOf,
): KeyframeRecord {
  const tree = actorTree(root, registry)
  const reachable = new Set(tree)
  return {
    line: 'keyframe',
    ...place,
    tree: tree.map(indexOf),
    snapshot: persisted(root),
    // A timer of an actor that is gone does nothing when it fires.
    timers: timers
      .armed()
      .map(timer => ({
        ...timer,
        source: indexOf(registry.of(timer.source)),
        target: indexOf(registry.of(timer.target)),
      }))
      .filter(timer => timer.source >= 0 && timer.target >= 0),
    nextOrdinal: timers.next,
    leaves: tree.map(known => countsOf(known, indexOf)).filter(counts => counts !== undefined),
    names: Object.fromEntries(registry.names),
    unreachable: registry
      .living()
      .filter(known => isRunning(known.ref) && (!reachable.has(known) || !canRestore(known)))
      .map(known => known.path),
  }
}

function countsOf(known: Known, indexOf: IndexOf): KeyframeRecord['leaves'][number] | undefined {
  const { transition, action, snapshot, emit } = known.counts
  if (transition + action + snapshot + emit === 0) return undefined
  return {
    actor: indexOf(known),
    transitions: transition,
    ...(action > 0 && { actions: action }),
    ...(snapshot > 0 && { snapshots: snapshot }),
    ...(emit > 0 && { emits: emit }),
  }
}

interface Persisted {
  readonly context?: unknown
  readonly children?: Readonly<Record<string, { readonly snapshot: Persisted; readonly src: unknown }>>
}

/**
 * As XState persists it, but with contexts as they are: it would leave of references to actors that are no
 * children nothing that could be brought back. Logic that was given directly is named.
 */
function persisted(root: AnyActorRef): unknown {
  const inner = root as AnyActorRef & { getPersistedSnapshot(options: object): unknown }
  return mended(root, inner.getPersistedSnapshot({ __unsafeAllowInlineActors: true }) as Persisted)
}

function mended(ref: AnyActorRef, snapshot: Persisted): Persisted {
  if (!snapshot.children) return snapshot
  const live = ref.getSnapshot() as {
    readonly context: unknown
    readonly children: Readonly<Record<string, AnyActorRef>>
  }
  const children = Object.entries(snapshot.children).map(([key, child]) => {
    const actor = live.children[key]
    if (!actor) return [key, child]
    const src = typeof child.src === 'string' ? child.src : inlineSource(actor)
    return [key, { ...child, src, snapshot: mended(actor, child.snapshot) }]
  })
  return {
    ...snapshot,
    context: live.context,
    children: Object.fromEntries(children) as Persisted['children'] & object,
  }
}

/** In the place of logic that was spawned without a name. */
export interface InlineSource {
  readonly inline: ActorKind
  readonly machine?: string
}

function inlineSource(ref: AnyActorRef): InlineSource {
  const logic = logicOf(ref)
  return isMachine(logic) ? { inline: 'machine', machine: logic.id } : { inline: logicKind(logic) }
}

/** Of logic of one's own that was spawned without a name, nothing is known that would bring it back. */
function canRestore({ kind, ref }: Known): boolean {
  return kind !== 'other' || typeof ref?.src === 'string' || ref?._parent === undefined
}

function isRunning(ref: AnyActorRef | undefined): boolean {
  return (ref as { readonly _processingStatus?: number } | undefined)?._processingStatus === 1
}
