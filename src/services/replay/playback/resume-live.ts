// Continues live from a keyframe: restores the system, restarts its leaves and sets its timers.
import type { ActorEntry, KeyframeRecord, TraceHeader } from '../../../trace/index.ts'
import {
  type ComposeSystem,
  createClock,
  createEntropy,
  type Entropy,
  schemasKept,
  tapePlatform,
} from '../../runtime/index.ts'
import type { AnyActorLogic, AnyActorRef, EventObject, InspectionEvent, Observer } from 'xstate'
import {
  createSystemRecording,
  trackObjects,
  environmentOf,
  persistedOf,
  type Recording,
  type Registry,
  type TimerClock,
  withFiles,
} from '../../recording/index.ts'
import { copy, restoredTree, type RestoredTree, reviveState } from '../run/restoring.ts'
import { idOfSegment } from '../../../trace/index.ts'

/** Options for continuing a branch live. */
export interface LiveOptions {
  /** Sets timers and provides the time that machines read. Defaults to the real clock. */
  readonly clock?: TimerClock & { readonly now: () => number; readonly wall?: () => Date }
  /** Source of random values. */
  readonly entropy?: Entropy
  readonly appVersion?: string
  /** An inspector of the app. */
  readonly inspect?: Observer<InspectionEvent> | ((event: InspectionEvent) => void)
}

/** A system that continues from a recording. */
export interface Branch {
  /** The running system and its recording, which begins with a keyframe and replays exactly. */
  readonly recording: Recording
  /** What could not be restored, as sentences. */
  readonly notes: readonly string[]
}

/** The starting point of a branch. */
interface BranchPoint {
  readonly header: TraceHeader
  /** Number of the recorded stimulus that the live run replaces. */
  readonly at: number
  readonly keyframe: KeyframeRecord
  /** The actor table of the keyframe. */
  readonly actors: readonly ActorEntry[]
  readonly notes: readonly string[]
}

/** Why a system cannot be restored. */
export const UNREACHABLE =
  'the system cannot be restored there: an actor has no name or no parent that references it'

/** Restores the system and starts it. */
export function resumeLive(
  { header, at, keyframe: given, actors, notes }: BranchPoint,
  system: AnyActorLogic | ComposeSystem,
  { clock = createClock(), entropy = createEntropy(), appVersion, inspect }: LiveOptions,
): Branch {
  const keyframe = copy(given)
  let tree: RestoredTree | undefined
  const recording = createSystemRecording({
    system: header.system,
    appVersion: appVersion ?? header.appVersion,
    clock,
    now: clock.now,
    wall: clock.wall ?? (() => new Date()),
    env: environmentOf(clock.now, entropy),
    logic(env) {
      const logic = typeof system === 'function' ? system({ env }) : system
      tree = restoredTree(keyframe, actors, logic)
      return logic
    },
    platform: header.platform ? tapePlatform : undefined,
    tracking: trackObjects(),
    describe: charts => schemasKept(charts, header.machines),
    actorOptions: {
      id: idOfSegment(actors[0]?.path ?? 'system'),
      input: header.input,
      ...(header.systemId !== undefined && { systemId: header.systemId }),
      get snapshot() {
        return tree?.snapshot
      },
    },
    inspect,
    origin: {
      branchOf: { system: header.system, startedAt: header.startedAt, at },
      naming: { restored: ref => tree?.entries.get(persistedOf(ref))?.path, names: keyframe.names },
      made: (root, registry) => setUp(root, registry, keyframe, actors),
    },
  })
  recording.start()
  const unreachable = recording.trace.keyframes[0]?.unreachable ?? []
  const orphans = unreachable.map(
    path => `${path} has no parent that references it, so this run cannot be replayed`,
  )
  const silent = (tree?.silent ?? []).map(
    path => `${path} was spawned without a name, so its code does not run`,
  )
  const missing = (tree?.missing ?? []).map(name => `no logic named ${name} is available`)
  const unsent = keyframe.timers
    .filter(({ target }) => target === undefined)
    .map(
      ({ source, event, outside }) =>
        `${actors[source]?.path} had set a timer to send ${(event as EventObject).type} to ${outside}, ` +
        'an actor of another system that cannot be found by name; the event is not sent',
    )
  return { recording: withFiles(recording), notes: [...notes, ...missing, ...silent, ...orphans, ...unsent] }
}

/** Timers that XState's scheduler sets when the root starts; missing in its types (5.33). */
interface SchedulingSystem {
  readonly _snapshot: { _scheduledEvents: Record<string, object> }
}

function setUp(
  root: AnyActorRef,
  registry: Registry,
  { timers, actors: count }: KeyframeRecord,
  actors: readonly ActorEntry[],
): void {
  const find = (index: number) => registry.byPath(actors[index]?.path ?? '')?.ref
  for (const { path } of actors.slice(0, count)) reviveState(registry.byPath(path)?.ref, registry)
  const events: Record<string, object> = {}
  for (const { source: by, target: to, event, delay, left = delay, id } of timers) {
    const [source, target] = [find(by), to === undefined ? undefined : find(to)]
    if (source && target)
      events[`${source.sessionId}.${id}`] = { source, target, event, delay: left, id, startedAt: 0 }
  }
  ;(root.system as unknown as SchedulingSystem)._snapshot._scheduledEvents = events
}
