// What the tools of one server share: its folders, its recordings, its project with reports, and its live apps.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFileStore } from '../../public/devtools/node.ts'
import { readTrace, type ReplayableTrace } from '../../public/devtools/replay.ts'
import type { Report } from '../../services/reports/rows.ts'
import { isSameMachine, LiveFeed, type StepRecord, type Timeline } from '../../trace/index.ts'
import { needReport } from '../reports/get.ts'
import { ReportsHost } from '../reports/host.ts'
import type { Charts } from './chart-text.ts'
import { runCode } from './code-process.ts'
import type { Input } from './code-tasks.ts'
import type { LiveApps } from './live.ts'
import { Roots } from './roots.ts'
import type { Call } from './tool.ts'

/** Names a recording of `chartroom mcp`, for the descriptions of arguments. */
export const RECORDING_ABOUT =
  'A recording as the tool "recordings" names it: a path, report:ID, store:FOLDER#ID, live:ID, or made:N of an earlier result'

export const MACHINES_ABOUT =
  "Path of the module that exports the app's machines; default: that of --machines, else Chartroom's own"

export interface SessionOptions {
  readonly roots: readonly string[]
  /** The value of `--machines`. */
  readonly machines: string | undefined
  /** URL of the project with the reports; undefined for that of the environment. */
  readonly reports: string | undefined
  readonly live: LiveApps
}

/** A recording that was read. */
export interface Opened {
  readonly trace: ReplayableTrace
  /** For the process that runs machines. */
  readonly input: Input
  readonly report?: Report
}

/** Recordings in memory: one that is read again is not parsed again. */
const MOST_OPEN = 8
/** Recordings that tools made. */
const MOST_MADE = 32
/** A larger file is not read into memory. */
const MOST_BYTES = 256 * 2 ** 20

export class Session {
  readonly roots: Roots
  readonly live: LiveApps
  readonly #machines: string | undefined
  readonly #reportsUrl: string | undefined
  readonly #open = new Map<string, Opened>()
  readonly #madeRuns = new Map<string, Uint8Array>()
  #count = 0

  /** @throws UsageError for a root that does not exist */
  constructor({ roots, machines, reports, live }: SessionOptions) {
    this.roots = new Roots(roots)
    this.live = live
    this.#machines = machines
    this.#reportsUrl = reports
  }

  /** The module with the machines. @throws Error if it is outside of the roots and not that of the command line */
  async machines(path: string | undefined): Promise<string | undefined> {
    return path === undefined || path === this.#machines ? this.#machines : this.roots.existing(path)
  }

  /** The project with the reports. @throws UsageError if it is not configured */
  reports(): ReportsHost {
    return new ReportsHost(this.#reportsUrl)
  }

  /** Keeps a recording that a tool made, and returns its name. */
  keep(bytes: Uint8Array): string {
    const name = `made:${(this.#count += 1)}`
    this.#madeRuns.set(name, bytes)
    for (const oldest of this.#madeRuns.keys()) {
      if (this.#madeRuns.size <= MOST_MADE) break
      this.#madeRuns.delete(oldest)
    }
    return name
  }

  /**
   * Reads a recording without deriving steps.
   * @throws Error with the reason and the next step
   */
  async open(ref: string): Promise<Opened> {
    const { key, load } = await this.#find(ref)
    const known = this.#open.get(key)
    if (known) return known
    const { input, report } = await load()
    const bytes = typeof input === 'string' ? await bytesOf(input) : input
    const read = await readTrace(bytes)
    if (read.kind === 'unusable') throw new Error(`The recording can't be used: ${read.message}`)
    const opened = { trace: read.trace, input, ...(report && { report }) }
    this.#open.set(key, opened)
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN) break
      this.#open.delete(oldest)
    }
    return opened
  }

  /** The same with its steps: derived with the machines on disk, if they were not recorded. */
  async openWithSteps(ref: string, machines: string | undefined, call: Call): Promise<Opened> {
    const opened = await this.open(ref)
    if (opened.trace.header.steps !== false) return opened
    const derivedTrace = derived.get(opened.trace)
    if (derivedTrace) return derivedTrace
    const bytes = await runCode(
      'derive',
      { input: opened.input, machines: await this.machines(machines) },
      call,
    )
    const read = await readTrace(bytes)
    if (read.kind === 'unusable') throw new Error(read.message)
    const derivedRecording = { ...opened, trace: read.trace }
    derived.set(opened.trace, derivedRecording)
    return derivedRecording
  }

  /**
   * The recorded machines with their places in the source code: as recorded, else of those on disk that are the same.
   * @returns also why they have none
   */
  async located(
    { trace, input }: Opened,
    machines: string | undefined,
    call: Call,
  ): Promise<{ readonly charts: Charts; readonly note?: string }> {
    const { header } = trace
    if (header.sources) return { charts: header }
    try {
      const onDisk = await runCode('charts', { input, machines: await this.machines(machines) }, call)
      const unchanged = Object.entries(onDisk.sources ?? {}).filter(([id]) => {
        const [then, now] = [header.machines, onDisk.machines].map(all =>
          Object.hasOwn(all, id) ? all[id] : undefined,
        )
        return then && isSameMachine(then, now)
      })
      return { charts: { machines: header.machines, sources: Object.fromEntries(unchanged) } }
    } catch (error) {
      call.signal.throwIfAborted()
      if (error instanceof Error)
        return {
          charts: header,
          note: 'Without file:line: the recording has none, and the machines on disk could not run.',
        }
      throw error
    }
  }

  async #find(ref: string): Promise<{
    readonly key: string
    readonly load: () => Promise<{ readonly input: Input; readonly report?: Report }>
  }> {
    const [, kind, rest = ''] = /^(report|store|live|made):(.*)$/s.exec(ref) ?? []
    switch (kind) {
      case 'report':
        return { key: ref, load: () => this.#report(rest) }
      case 'made': {
        const input = this.#madeRuns.get(ref)
        if (!input)
          throw new Error(
            `${ref} is gone: this server keeps the last ${MOST_MADE}. Repeat the call that made it.`,
          )
        return { key: ref, load: () => Promise.resolve({ input }) }
      }
      case 'live': {
        const { version, bytes } = await this.live.recording(rest)
        return { key: `${ref} ${version}`, load: async () => ({ input: await bytes() }) }
      }
      case 'store':
        return { key: `${ref} ${Date.now()}`, load: () => this.#stored(rest) }
      default: {
        const path = await this.roots.existing(ref)
        const { size, mtimeMs } = await stat(path)
        return { key: `${path} ${size} ${mtimeMs}`, load: () => Promise.resolve({ input: path }) }
      }
    }
  }

  async #report(id: string): Promise<{ readonly input: Input; readonly report: Report }> {
    const host = this.reports()
    const report = await needReport(host, id)
    return { input: await host.trace(report), report }
  }

  async #stored(rest: string): Promise<{ readonly input: Input }> {
    const at = rest.lastIndexOf('#')
    const [folder, id] = [rest.slice(0, at), rest.slice(at + 1)]
    if (at < 0 || !/^[\w.-]+$/.test(id) || id.startsWith('.'))
      throw new Error('A recording of a store is named store:FOLDER#ID. The tool "recordings" lists them.')
    const dir = await this.roots.existing(folder)
    await this.roots.existing(join(dir, id))
    const store = createFileStore(dir)
    try {
      const file = await store.open(id)
      if (!file) throw new Error(`The store has no recording ${id}. The tool "recordings" lists them.`)
      return { input: new Uint8Array(await file.arrayBuffer()) }
    } finally {
      await store.close()
    }
  }
}

const derived = new WeakMap<ReplayableTrace, Opened>()

async function bytesOf(path: string): Promise<Uint8Array> {
  const stats = await stat(path)
  if (!stats.isFile())
    throw new Error(`${path} is no file. The tool "recordings" lists those that can be used.`)
  if (stats.size > MOST_BYTES)
    throw new Error(
      `The recording has more than ${MOST_BYTES / 2 ** 20} MB. Cut it with \`chartroom minimize\`.`,
    )
  return readFile(path)
}

const timelines = new WeakMap<ReplayableTrace, Timeline>()

/** The timeline of a recording, made once. */
export function timelineOf(trace: ReplayableTrace): Timeline {
  const timeline = timelines.get(trace)
  if (timeline) return timeline
  const feed = new LiveFeed(trace)
  while (feed.isBehind) feed.advance(50_000)
  feed.advance(1)
  timelines.set(trace, feed.timeline)
  return feed.timeline
}

/** @throws Error with the number of steps, if there is no such step */
export function stepAt({ steps }: Pick<ReplayableTrace, 'steps'>, seq: number): StepRecord {
  const step = steps[seq]
  if (!step) throw new Error(`There is no step ${seq}: the recording has steps 0 to ${steps.length - 1}.`)
  return step
}

/** The last step of each actor up to a step. */
export function latestSteps(
  { steps }: Pick<ReplayableTrace, 'steps'>,
  until: number,
): ReadonlyMap<number, StepRecord> {
  const latest = new Map<number, StepRecord>()
  for (let seq = 0; seq <= until; seq++) {
    const step = steps[seq]
    if (step) latest.set(step.actor, step)
  }
  return latest
}

/** Steps of actors that run, or that ran until the whole system was stopped. */
export function runningSteps(latest: ReadonlyMap<number, StepRecord>): StepRecord[] {
  const root = latest.get(0)
  const isRunning = ({ status, cause }: StepRecord) =>
    status !== 'stopped' || (root?.status === 'stopped' && root.cause === cause)
  return [...latest.values()].filter(isRunning)
}

/** Name of the recording that a test plays, next to it. */
export const copyPath = (test: string): string =>
  join(
    dirname(test),
    `${(test.split(/[\\/]/).at(-1) ?? '').replace(/(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/, '')}.trace.gz`,
  )
