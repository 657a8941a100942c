// The recorder: runs a system with every input tapped, so that the run can be replayed exactly.
import { createActor } from 'xstate'
import type { Actor, AnyStateMachine, EventFromLogic, InspectionEvent } from 'xstate'
import { encodeFile, encodeLines } from '../trace/encode.ts'
import { FORMAT_VERSION } from '../trace/format.ts'
import type { ReplayableTrace, TapeEntry, TraceHeader } from '../trace/format.ts'
import { REDACTION_POLICY } from '../trace/redact.ts'
import { createRegistry } from './actor-registry.ts'
import { createViewer } from './actor-viewer.ts'
import type { Clock } from './clock.ts'
import type { Entropy } from './entropy.ts'
import { actorTree, takeKeyframe } from './keyframe.ts'
import { leafKind, tapLeaf } from './leaf.ts'
import { machineCharts } from './machine-chart.ts'
import { createPlainer } from './plain.ts'
import { createStimulusTap } from './stimulus-tap.ts'
import type { Environment, SystemParts } from './system-parts.ts'
import { createTimerTable } from './timers.ts'
import { createFeed, createTraceLog } from './trace-log.ts'

/** The version of XState whose behaviour the recordings rely on. */
export const XSTATE_VERSION = '5.33.3'

export interface RecorderOptions<M extends AnyStateMachine> {
  /** Name under which a replay finds the machines. */
  readonly system: string
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** Puts the machines together; a replay uses the same function. */
  readonly compose: (parts: SystemParts) => M
  /** Input of the root machine: plain data. */
  readonly input?: unknown
}

/** A system that runs and is recorded. The recording is on from the first event. */
export interface Recorder<M extends AnyStateMachine> {
  /** The root, for reading and subscribing. */
  readonly actor: Actor<M>
  start(): void
  /** Sends to the root. Inside a step (from a subscriber, say) it waits until the step is over. */
  send(event: EventFromLogic<M>): void
  stop(): void
  /**
   * The records so far and as they come, also while not recording. A new recording puts new arrays in place of
   * the old ones; until then they only grow.
   */
  readonly trace: ReplayableTrace
  isRecording(): boolean
  /** Begins anew with a keyframe of the system as it is; the recording before is dropped. */
  startRecording(): void
  stopRecording(): void
  /** The recording as a gzipped file. */
  file(): Promise<Uint8Array<ArrayBuffer>>
  /** The recording as the lines of a file that is not packed. */
  lines(): string[]
  /** Hides this value wherever it turns up. */
  registerSecret(secret: string): void
}

/** Creates the system, not started. */
export function createRecorder<M extends AnyStateMachine>(options: RecorderOptions<M>): Recorder<M> {
  const { clock } = options
  const feed = createFeed()
  const registry = createRegistry({ onActor: known => log.actor(known) })
  const { redactor, refine } = createPlainer(registry)
  const viewer = createViewer(
    registry,
    () => clock.now() - startedAt,
    view => log.view(view),
  )
  const tap = createStimulusTap({ registry, viewer, log: () => log, now: () => clock.now() - startedAt })
  const timers = createTimerTable({
    set(armed, fire) {
      const to = registry.of(armed.target)
      const { ordinal } = armed
      const due = () => tap.stimulate({ kind: 'timer', to, ordinal }, 'outside', fire)
      const handle = clock.setTimeout(() => tap.between(due), armed.delay)
      return () => clock.clearTimeout(handle)
    },
  })
  const env = tapeOf(options, entry => log.tape(entry))
  const machine = options.compose({
    env,
    leaf(name, logic) {
      const kind = leafKind(logic)
      if (!kind) return logic
      const tapped = tapLeaf(logic, tap.leaf)
      registry.leaf(tapped, { name, kind })
      return tapped
    },
  })
  const machines = machineCharts(machine)
  const header = (): TraceHeader => ({
    line: 'header',
    format: FORMAT_VERSION,
    system: options.system,
    appVersion: options.appVersion,
    xstateVersion: XSTATE_VERSION,
    startedAt: clock.wall().toISOString(),
    input: options.input,
    machines,
    redaction: { policy: REDACTION_POLICY },
  })
  let startedAt = clock.now()
  let log = createTraceLog({ header: header(), redactor, feed })
  /** What the recording held when it was stopped; the live view goes on. */
  let stopped: ReplayableTrace | undefined
  const actor: Actor<AnyStateMachine> = createActor(machine as AnyStateMachine, {
    id: machine.id,
    clock: timers.clock,
    inspect: guarded(viewer.inspect, message => log.damage(message)),
    ...(options.input !== undefined && { input: options.input }),
  })
  timers.attach(actor)
  tap.attach(actor)

  const beginAnew = () => {
    const tree = actorTree(actor, registry)
    startedAt = clock.now()
    stopped = undefined
    log = createTraceLog({
      header: header(),
      redactor,
      feed,
      actors: tree,
      keyframe: indexOf => takeKeyframe(actor, tree, registry, timers, indexOf),
    })
    viewer.next = 0
    viewer.present(tree)
    log.settle()
  }
  const recorded = () => refine(stopped ?? log.trace)
  return {
    actor: actor as unknown as Actor<M>,
    start: () => tap.run(() => void actor.start()),
    send: event => tap.between(() => actor.send(event)),
    stop: () =>
      tap.between(() => {
        const to = registry.of(actor)
        tap.stimulate({ kind: 'stop', to }, 'none', () => void actor.stop())
      }),
    trace: facade(() => log.trace),
    isRecording: () => stopped === undefined,
    startRecording: () => tap.between(beginAnew),
    stopRecording: () => tap.between(() => (stopped ??= freeze(log.trace))),
    file: () => encodeFile(recorded()),
    lines: () => [...encodeLines(recorded())],
    registerSecret: redactor.register,
  }
}

/** A failure of the viewer must never reach the system: XState would put the actor into its error state. */
function guarded(inspect: (event: InspectionEvent) => void, report: (message: string) => void) {
  return (event: InspectionEvent) => {
    try {
      inspect(event)
    } catch (error) {
      report(`a step could not be shown: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function tapeOf(options: { clock: Clock; entropy: Entropy }, write: (entry: TapeEntry) => void): Environment {
  const taped = <T extends number | string>(kind: TapeEntry['kind'], value: T): T => {
    write({ line: 'tape', kind, value })
    return value
  }
  return {
    now: () => taped('now', options.clock.now()),
    random: () => taped('random', options.entropy.random()),
    id: () => taped('id', options.entropy.id()),
  }
}

/** The trace as it is now, which does not grow any more. */
function freeze(trace: ReplayableTrace): ReplayableTrace {
  return {
    ...trace,
    actors: [...trace.actors],
    stimuli: [...trace.stimuli],
    views: [...trace.views],
    tape: [...trace.tape],
  }
}

/** One object for readers to hold, whichever recording is the present one. */
function facade(current: () => ReplayableTrace): ReplayableTrace {
  const { version, subscribe } = current()
  const names = [
    'header',
    'actors',
    'stimuli',
    'views',
    'damage',
    'tape',
    'hashes',
    'keyframe',
    'end',
  ] as const
  const base = { live: true, version, subscribe }
  for (const name of names)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return base as ReplayableTrace
}
