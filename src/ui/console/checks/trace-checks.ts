// The checks of one shown trace: its invariants, the user's assertions, their results, and further jobs on it.
import {
  type CheckJobEvent,
  type ReadEvent,
  traceCheckMachine,
  type WatchEvent,
} from '../../../machines/console/trace-check.ts'
import { type Started, startMachine, type SystemRegistry } from '../../../services/runtime/index.ts'
import { Listeners } from '../../../trace/index.ts'
import type { FileTrace } from '../model/file-trace.ts'
import type { ShownTrace } from '../model/shown-trace.ts'
import { storedTexts, storeTexts } from '../stored-layout.ts'
import { messageOf, traceFileName } from '../text.ts'
import { type Finding, findingsOf } from './findings.ts'
import { JobRunner, runJob, type RunningJob } from './job-runner.ts'
import type { JobProgress } from './jobs.ts'
import type { OwnAssertions, Standing } from './watch-trace.ts'

/**
 * `watching`: checks as the trace grows. `asking`: waits for the user, because it is slow or needs a replay.
 * `going`: running. `done`, `failed`: finished.
 */
export type Checking =
  | { readonly phase: 'watching' | 'done' }
  | { readonly phase: 'asking'; readonly why: string }
  | { readonly phase: 'going'; readonly progress: JobProgress }
  | { readonly phase: 'failed'; readonly message: string }

export interface ChecksState {
  readonly checking: Checking
  readonly standing: Standing
  /** By step number; the same list until it changes. */
  readonly findings: readonly Finding[]
  /** The user's assertions, as typed. */
  readonly ownText: string
  readonly own: OwnAssertions
}

export interface ChecksOptions {
  readonly trace: ShownTrace
  /** The file, if one is shown. */
  readonly opened: FileTrace | undefined
  /** Returns the recording as a file. */
  readonly download: () => Promise<Blob>
  /** Machines that only the page has, for traces whose steps must be derived. */
  readonly systems: () => SystemRegistry
  /** The user's assertions; defaults to the stored ones. */
  readonly ownText?: string
}

const NAME = 'assertions'

const storedOwn = (): string => storedTexts(NAME)[0] ?? ''

const storeOwn = (text: string): void => storeTexts(NAME, text.trim() === '' ? [] : [text])

/** The client's invariants only apply to its own systems. */
const isClient = (system: string) => /^chartroom(?:\/|$)/.test(system)

const NONE: OwnAssertions = { assertions: [], problems: [] }
const NOTHING: Standing = { results: [], steps: 0, of: 0 }

/** Maximum steps of a file that are checked without asking; more take long. */
const UNASKED = 200_000

type Check = Started<typeof traceCheckMachine>
interface Port<Sends> {
  readonly sendBack: (event: Sends) => void
}

export class TraceChecks {
  readonly #options: ChecksOptions
  readonly #listeners = new Listeners()
  #state: ChecksState
  #check: Check | undefined
  /** Whether the client's invariants apply to the trace. */
  readonly hasInvariants: boolean
  readonly fileName: string
  /** Jobs on the trace. */
  readonly runner: JobRunner
  readonly subscribe = this.#listeners.subscribe

  constructor(options: ChecksOptions) {
    const { trace, opened, systems, ownText = storedOwn() } = options
    this.#options = options
    this.#state = {
      checking: { phase: 'going', progress: {} },
      standing: NOTHING,
      findings: [],
      ownText,
      own: NONE,
    }
    this.hasInvariants = isClient(trace.header.system)
    this.fileName = opened?.name ?? traceFileName(trace.header)
    this.runner = new JobRunner({ file: this.file, systems, size: () => trace.timeline.size })
  }

  readonly state = (): ChecksState => this.#state

  /**
   * Returns the whole trace as a file. It contains no secrets, because they were removed when recording.
   */
  readonly file = (): Promise<Blob> => {
    const { opened, download } = this.#options
    return opened ? Promise.resolve<Blob>(opened.file) : download()
  }

  /** Begins to check; returns a function that ends it, with all jobs. */
  readonly begin = (): (() => void) => {
    this.#keep(this.#state.ownText)
    return () => {
      this.#check?.stop()
      this.#check = undefined
      this.runner.end()
    }
  }

  /** Runs a check that waits for the user. */
  readonly check = (): void => this.#check?.send({ type: 'check.requested' })

  readonly cancel = (): void => this.#check?.send({ type: 'check.canceled' })

  /** Checks the trace against these assertions from now on and stores them. */
  readonly keepOwn = (text: string): void => {
    storeOwn(text)
    this.#keep(text)
  }

  /** Restarts with the client's invariants, and again once the assertions are parsed. */
  #keep(ownText: string): void {
    this.#restart({ ownText, own: NONE })
    if (ownText.trim() === '') return
    void import('./watch-trace.ts').then(({ readOwn }) => {
      if (this.#check && ownText === this.#state.ownText) this.#restart({ own: readOwn(ownText) })
    })
  }

  #restart(change: Partial<ChecksState>): void {
    this.#check?.stop()
    this.#set(change)
    const { source, header } = this.#options.trace
    const isEmpty = !this.hasInvariants && this.#state.own.assertions.length === 0
    const from = isEmpty ? 'none' : source && header.steps !== false ? 'memory' : 'file'
    // While a trace is watched, the last results stay until the next ones.
    if (from !== 'memory') this.#stand(NOTHING)
    const check = startMachine(
      traceCheckMachine,
      { watchTrace: this.#watchTrace, readTrace: this.#readTrace, runCheck: this.#runCheck },
      { from },
    )
    this.#check = check
    const show = () => this.#set({ checking: checkingOf(check.snapshot()) })
    check.subscribe(show)
    show()
  }

  readonly #watchTrace = ({ sendBack }: Port<WatchEvent>) => {
    const { source } = this.#options.trace
    let [isOver, stop] = [false, () => {}]
    const onStanding = (standing: Standing) => {
      this.#stand(standing)
      sendBack({ type: 'trace.watched' })
    }
    const begin = async () => {
      const { watchTrace } = await import('./watch-trace.ts')
      if (isOver || !source) return
      stop = watchTrace(source, this.#state.own.assertions, this.hasInvariants, onStanding)
    }
    begin().catch(failing(sendBack))
    return () => {
      isOver = true
      stop()
    }
  }

  readonly #readTrace = ({ sendBack }: Port<ReadEvent>) => {
    const { trace, opened } = this.#options
    Promise.resolve(opened?.whenRead)
      .then(() => sendBack({ type: 'trace.read', reason: whyAsk(trace) }))
      .catch(failing(sendBack))
    return () => undefined
  }

  readonly #runCheck = ({ sendBack }: Port<CheckJobEvent>) => {
    const { trace, systems } = this.#options
    let isOver = false
    let job: RunningJob<'check'> | undefined
    const run = async () => {
      this.#stand(NOTHING)
      const file = await this.file()
      if (isOver) return
      job = runJob(
        'check',
        { file, assertions: this.#state.own.assertions, invariants: this.hasInvariants },
        {
          report: progress => sendBack({ type: 'job.progressed', progress }),
          ...(trace.header.steps === false && { systems: systems() }),
        },
      )
      const { results, steps } = await job.answer
      if (isOver) return
      this.#stand({ results, steps, of: steps })
      sendBack({ type: 'job.finished' })
    }
    run().catch(failing(sendBack))
    return () => {
      isOver = true
      job?.cancel()
    }
  }

  #stand(standing: Standing): void {
    const { timeline } = this.#options.trace
    const actorOf = (path: string) => timeline.actors.findIndex(one => one.path === path)
    // The list stays the same while its findings do, so that views need not redraw.
    const isSame = countsOf(standing) === countsOf(this.#state.standing)
    this.#set({ standing, ...(!isSame && { findings: findingsOf(standing.results, actorOf) }) })
  }

  #set(change: Partial<ChecksState>): void {
    this.#state = { ...this.#state, ...change }
    this.#listeners.notify()
  }
}

type Failed = Extract<WatchEvent, { readonly type: 'check.failed' }>

/** The port ignores events after its end, such as the error of a canceled job. */
const failing = (sendBack: Port<Failed>['sendBack']) => (error: unknown) =>
  sendBack({ type: 'check.failed', message: messageOf(error) })

function checkingOf({ value, context }: ReturnType<Check['snapshot']>): Checking {
  if (typeof value === 'object') return value.growing === 'watching' ? { phase: 'watching' } : GOING
  if (value === 'done') return { phase: value }
  if (value === 'asking') return { phase: value, why: context.reason }
  if (value === 'failed') return { phase: value, message: context.message }
  return { phase: 'going', progress: context.progress }
}

const GOING: Checking = { phase: 'going', progress: {} }

const countsOf = ({ results }: Standing): string =>
  results
    .map(({ name, failed, failures }) => [name, failed, failures[0]?.seq, failures.at(-1)?.seq].join(' '))
    .join('\n')

/** Returns why the user must start the check; undefined if it starts automatically. */
function whyAsk({ live, header, timeline }: ShownTrace): string | undefined {
  if (live && header.steps === false)
    return 'This recording has no steps. Checking replays what is recorded so far to derive them.'
  if (timeline.size > UNASKED) return 'Checking this many steps takes a while.'
  return undefined
}
