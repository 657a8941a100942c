// Runs a scenario twice, unrecorded and recorded, and collects everything an app could observe in either run.
import { createActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, Snapshot } from 'xstate'
import { record } from '../../src/services/recording/record.ts'
import type { RecordOptions } from '../../src/services/recording/unwritten-record.ts'
import type { Recording } from '../../src/services/recording/recording-types.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'

/** The tools of a scenario. */
export interface Stand {
  /** Creates a root, not started. */
  make(logic: AnyActorLogic, options?: RecordOptions<AnyActorLogic>): Actor<AnyActorLogic>
  /** Appends to the observations. */
  log(...items: readonly unknown[]): void
  /** Runs code and logs what it throws. */
  attempt(code: () => void): void
}

export type Scenario = (stand: Stand) => void | Promise<void>

/** A run and its observations. */
export interface Observed {
  readonly log: readonly string[]
  readonly roots: readonly Actor<AnyActorLogic>[]
  readonly recordings: readonly Recording[]
}

/** Errors are described by class and message; values that throw when read are described as such. */
function describeValue(value: unknown): string {
  try {
    if (value instanceof Error) return `${value.constructor.name}: ${value.message}`
    if (typeof value === 'function' || typeof value === 'symbol') return typeof value
    if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`
    return `object ${Object.keys(value).join()}`
  } catch {
    return 'unreadable'
  }
}

/** Describes the snapshots of an actor and of its children. */
function describeActor(ref: AnyActorRef): string {
  const { status, output, error, ...rest } = ref.getSnapshot() as Snapshot<unknown> & {
    value?: unknown
    context?: unknown
    children?: Readonly<Record<string, AnyActorRef>>
  }
  const own = [status, JSON.stringify(rest.value), ...[rest.context, output, error].map(describeValue)]
  const children = Object.entries(rest.children ?? {}).map(([id, child]) => `${id}: ${describeActor(child)}`)
  return `${own.join(' | ')}${children.length > 0 ? ` { ${children.join('; ')} }` : ''}`
}

/** Runs it and logs errors that XState reports in timers, and unhandled rejections. */
export async function observe(scenario: Scenario, isRecorded: boolean, steps = true): Promise<Observed> {
  const log: string[] = []
  const roots: Actor<AnyActorLogic>[] = []
  const recordings: Recording[] = []
  const realTimeout = globalThis.setTimeout
  const fromTimer = (error: unknown) => void log.push(`uncaught ${describeValue(error)}`)
  const guarded = (code: () => void, ms?: number) =>
    realTimeout(() => {
      try {
        code()
      } catch (error) {
        fromTimer(error)
      }
    }, ms)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', reason => void log.push(`unhandled ${describeValue(reason)}`))
  globalThis.setTimeout = guarded as typeof setTimeout
  try {
    await scenario({
      make(logic, options = {}) {
        const recording = isRecorded ? record(logic, { steps, ...options }) : undefined
        if (recording) recordings.push(recording)
        const root = recording?.actor ?? createActor(logic, options)
        roots.push(root)
        return root
      },
      log: (...items) => void log.push(items.map(describeValue).join(', ')),
      attempt(code) {
        try {
          code()
        } catch (error) {
          log.push(`threw ${describeValue(error)}`)
        }
      },
    })
    // Reported errors arrive in timers with no delay, rejections after all microtasks.
    await new Promise(resolve => void realTimeout(resolve, 2))
    for (const root of roots) log.push(describeActor(root))
  } finally {
    globalThis.setTimeout = realTimeout
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  return { log, roots, recordings }
}

/** The trace after it was written and read back. */
export async function readAgain(recording: Recording): Promise<ReplayableTrace> {
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}
