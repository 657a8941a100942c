// All interfaces between a recorded system and its environment: tapped code, numbered timers, taped readings.
import type { AnyActorRef, InspectionEvent } from 'xstate'
import type { RedactionPolicy, TapeEntry } from '../../trace/index.ts'
import { type Entropy, type Environment, withEnvironment } from '../runtime/index.ts'
import { createRegistry, type Registry, type RegistryOptions } from './actor-registry.ts'
import { Viewer } from './actor-viewer.ts'
import { capture, recapture } from './capture.ts'
import type { LogSink } from './held-records.ts'
import { createPlainer, type FormOfValues, type Plainer } from './plain.ts'
import { rename } from './restored-names.ts'
import { StimulusTap } from './stimulus-tap.ts'
import { createTimerTable, type TimerClock, timerOutput, type TimerTable } from './timers.ts'

/** The environment of the recorded system. */
export interface RecordedWorld {
  /** Sets the system's timers. */
  readonly clock: TimerClock
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
  /** Read by machine code; each reading is taped. */
  readonly env: Environment
}

export interface Taps extends Plainer {
  readonly registry: Registry
  /** Absent if no steps are made. */
  readonly viewer: Viewer | undefined
  readonly tap: StimulusTap
  readonly timers: TimerTable
  /** The environment for machines. */
  readonly env: Environment
  /** For XState: captures every new actor and follows it. */
  readonly inspect: (event: InspectionEvent) => void
  /** Returns the time of a record that is made now, in milliseconds. */
  readonly elapsed: () => number
  /** Restarts the time of records at zero. */
  restartTime(): void
  /** Follows an actor that continues after its end. */
  revive(ref: AnyActorRef): void
}

export interface TapsOptions extends RecordedWorld {
  /** Returns the current log. Not called before an actor exists. */
  readonly log: () => LogSink
  /** Called between two steps. */
  readonly rest: () => void
  /** Called after the first start of the system. */
  readonly started: () => void
  /** Called before the root stops between two steps. */
  readonly stopping: () => void
  /** Called when the root is started again after its end; runs that start. */
  readonly startedAgain: (start: () => void) => void
  /** False makes no steps and only tracks what enters the system. */
  readonly steps?: boolean | undefined
  /** The app's rules for finding secrets. */
  readonly redact?: RedactionPolicy | undefined
  /** Classes of the app. */
  readonly tracking?: FormOfValues | undefined
  /** Makes the platform's functions ask whether machine code is running; what it reads is taped. */
  readonly platform?: ((isNew?: boolean) => void) | undefined
  /** Names of restored actors. */
  readonly naming?: Pick<RegistryOptions, 'restored' | 'names'> | undefined
}

type Snapshot = Extract<InspectionEvent, { readonly type: '@xstate.snapshot' }>

/** Creates the taps. */
export function createTaps(options: TapsOptions): Taps {
  const { clock, env: world, log, rest, started, stopping, startedAgain, naming, redact, platform } = options
  // The recorder's own readings are not the machines'.
  const read = () => withEnvironment(undefined, options.now)
  let startedAt = read()
  const now = () => read() - startedAt
  const registry = createRegistry({ ...naming, onActor: known => log().actor(known) })
  const viewer = options.steps === false ? undefined : new Viewer(registry, now, step => log().step(step))
  const env = tapedEnvironment(world, platform !== undefined, entry => log().tape(entry))
  const prepare: NonNullable<typeof platform> = platform ?? (() => undefined)
  prepare(true)
  const tap = new StimulusTap({
    registry,
    viewer,
    env,
    prepare,
    log,
    now,
    rest,
    started,
    stopping,
    startedAgain,
  })
  const timers = tappedTimers(clock, read, registry, viewer, tap)
  let root: AnyActorRef | undefined
  const captured = (ref: AnyActorRef) => {
    if (!root) {
      root = ref
      timers.attach(ref)
      tap.attach(ref)
    }
    registry.of(ref)
    rename(ref, naming?.restored?.(ref))
    tap.admit(ref)
    capture(ref, tap.hook)
  }
  /** A step without a stimulus: something reached the actor without passing the tap. */
  const isCauseless = (event: InspectionEvent): event is Snapshot =>
    event.type === '@xstate.snapshot' &&
    !tap.isBusy &&
    // Restarting a system is reported as damage separately.
    registry.of(event.actorRef as AnyActorRef).ref !== undefined
  const causeless = ({ actorRef, event: { type } }: Snapshot) => {
    const { path } = registry.of(actorRef as AnyActorRef)
    log().damage(`${path} processed ${type} without a recorded cause; this cannot be replayed`)
    if (root) viewer?.settle(registry.of(root))
    log().settle()
  }
  return {
    ...createPlainer(registry, redact, options.tracking),
    registry,
    viewer,
    tap,
    timers,
    env,
    inspect(event) {
      if (event.type === '@xstate.actor') captured(event.actorRef as AnyActorRef)
      const isOdd = isCauseless(event)
      viewer?.inspect(event)
      if (isOdd) causeless(event)
    },
    elapsed: now,
    restartTime: () => void (startedAt = read()),
    revive(ref) {
      registry.embody(registry.of(ref), ref)
      recapture(ref, tap.hook)
    },
  }
}

function tappedTimers(
  clock: TimerClock,
  now: () => number,
  registry: Registry,
  viewer: Viewer | undefined,
  tap: StimulusTap,
): TimerTable {
  const table: TimerTable = createTimerTable({
    clock,
    now,
    armed: viewer && (timer => viewer.addOutput(registry.of(timer.source), timerOutput(timer))),
    due({ source, target, ordinal, delay, event }) {
      const from = registry.of(source)
      // The table has no timers for targets in another system; such a timer belongs to its source.
      const to = registry.isOwn(target) ? registry.of(target) : from
      tap.timer({ kind: 'timer', from, to, event, ordinal, delay }, () => table.fire(ordinal))
    },
  })
  return table
}

function tapedEnvironment(
  world: Environment,
  platform: boolean,
  write: (entry: TapeEntry) => void,
): Environment {
  const taped = <T>(kind: string, read: () => T): T => {
    const value = withEnvironment(undefined, read)
    write({ line: 'tape', kind, value })
    return value
  }
  const env = {
    now: () => taped('now', world.now),
    random: () => taped('random', world.random),
    id: () => taped('id', world.id),
  }
  return platform ? { ...env, call: taped } : env
}

/** Builds an environment from a clock and a source of random values. */
export function environmentOf(now: () => number, { random, id }: Entropy): Environment {
  return { now, random, id }
}
