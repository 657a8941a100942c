// Jobs of one trace, one per kind, in a worker or in the page; their results outlive the tabs that show them.
import { Listeners } from '../../../trace/index.ts'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import { messageOf } from '../text.ts'
import { startChecksWorker } from '../workers.ts'
import type { Answer, Ask, JobKind, JobProgress, FromChecker, Tell, ToChecker } from './jobs.ts'

/** A result, and the number of events in the trace when it was requested. */
export interface Answered<K extends JobKind> {
  readonly answer: Answer<K>
  readonly size: number
}

/** `last` is the previous result while there is no newer one. */
export type JobState<K extends JobKind> =
  | { readonly phase: 'none' | 'canceled'; readonly last?: Answered<K> | undefined }
  | { readonly phase: 'going'; readonly progress: JobProgress; readonly last?: Answered<K> | undefined }
  | { readonly phase: 'done'; readonly answer: Answer<K>; readonly last: Answered<K> }
  | { readonly phase: 'failed'; readonly message: string; readonly last?: Answered<K> | undefined }

export interface JobSource {
  /** Returns the shown trace as a file. */
  readonly file: () => Promise<Blob>
  readonly systems: () => SystemRegistry
  /** Returns its number of events. */
  readonly size: () => number
}

/** Runs jobs of one kind; starting another cancels the previous one. */
export class RunJob<K extends JobKind> {
  readonly #kind: K
  readonly #source: JobSource
  readonly #listeners = new Listeners()
  #state: JobState<K> = { phase: 'none' }
  #running: RunningJob<K> | undefined
  /** The latest run; messages of earlier ones are ignored. */
  #turn = 0

  constructor(kind: K, source: JobSource) {
    this.#kind = kind
    this.#source = source
  }

  readonly state = (): JobState<K> => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** `ask` receives the shown trace as a file. */
  readonly start = (ask: (file: Blob) => Ask<K>, onDone?: (answer: Answer<K>) => void): void => {
    const mine = ++this.#turn
    this.#running?.cancel()
    this.#work(mine, ask, onDone).catch((error: unknown) => {
      const { last } = this.#state
      const isOff = isCancelled(error)
      this.#set(
        mine,
        isOff ? { phase: 'canceled', last } : { phase: 'failed', message: messageOf(error), last },
      )
    })
  }

  /** Ends it early with the result so far. */
  readonly stop = (): void => this.#running?.stop()

  readonly cancel = (): void => {
    this.#running?.cancel()
    this.#set(++this.#turn, { phase: 'canceled', last: this.#state.last })
  }

  async #work(
    mine: number,
    ask: (file: Blob) => Ask<K>,
    onDone?: (answer: Answer<K>) => void,
  ): Promise<void> {
    const size = this.#source.size()
    const { last } = this.#state
    const report = (progress: JobProgress) => this.#set(mine, { phase: 'going', progress, last })
    report({})
    const file = await this.#source.file()
    if (mine !== this.#turn) return
    const job = runJob(this.#kind, ask(file), { report, systems: this.#source.systems() })
    this.#running = job
    const answer = await job.answer
    if (mine !== this.#turn) return
    this.#set(mine, { phase: 'done', answer, last: { answer, size } })
    onDone?.(answer)
  }

  #set(turn: number, state: JobState<K>): void {
    if (turn !== this.#turn) return
    this.#state = state
    this.#listeners.notify()
  }
}

type Runners = { readonly [K in JobKind]: RunJob<K> }

/** All jobs of one trace. */
export class JobRunner {
  readonly #runners: Runners
  #added: readonly File[] = []

  constructor(source: JobSource) {
    this.#runners = {
      check: new RunJob('check', source),
      cover: new RunJob('cover', source),
      verify: new RunJob('verify', source),
      minimize: new RunJob('minimize', source),
      test: new RunJob('test', source),
      steps: new RunJob('steps', source),
      export: new RunJob('export', source),
      judge: new RunJob('judge', source),
      compare: new RunJob('compare', source),
    }
  }

  /** Files added to the coverage. */
  get added(): readonly File[] {
    return this.#added
  }

  readonly setAdded = (files: readonly File[]): void => {
    this.#added = files
  }

  of<K extends JobKind>(kind: K): Runners[K] {
    return this.#runners[kind]
  }

  /** Cancels all jobs. */
  end(): void {
    for (const runner of Object.values(this.#runners)) runner.cancel()
  }
}

/** A running job. */
export interface RunningJob<K extends JobKind> {
  /** Rejects with an error that can be shown to the user, or with an `AbortError` when canceled. */
  readonly answer: Promise<Answer<K>>
  /** Asks it to end with the result so far. */
  readonly stop: () => void
  readonly cancel: () => void
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

const canceled = () => new DOMException('The job was canceled.', 'AbortError')

/** `systems` are the machines of the page's own app; functions cannot be sent to a worker. */
export function runJob<K extends JobKind>(
  job: K,
  ask: Ask<K>,
  { report, systems = {} }: { readonly report: Tell; readonly systems?: SystemRegistry | undefined },
): RunningJob<K> {
  return Object.keys(systems).length > 0 ? inPage(job, ask, report, systems) : inWorker(job, ask, report)
}

function inWorker<K extends JobKind>(job: K, ask: Ask<K>, report: Tell): RunningJob<K> {
  const worker = startChecksWorker()
  const post = (message: ToChecker) => worker.postMessage(message, [])
  const { promise, resolve, reject } = Promise.withResolvers<Answer<K>>()
  const end = () => worker.terminate()
  worker.addEventListener('message', ({ data }: MessageEvent<FromChecker>) => {
    if (data.kind === 'progress') return report(data.progress)
    end()
    if (data.kind === 'done') resolve(data.answer as Answer<K>)
    else reject(new Error(data.message))
  })
  worker.addEventListener('error', ({ message }) => {
    end()
    reject(new Error(message || 'The worker could not be loaded.'))
  })
  post({ kind: 'do', job, ask })
  return {
    answer: promise,
    stop: () => post({ kind: 'stop' }),
    cancel() {
      end()
      reject(canceled())
    },
  }
}

function inPage<K extends JobKind>(
  job: K,
  ask: Ask<K>,
  report: Tell,
  systems: SystemRegistry,
): RunningJob<K> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<K>>()
  const controller = new AbortController()
  import('./do-job.ts')
    .then(({ doJob }) => doJob(job, ask, { report, systems, signal: controller.signal }))
    .then(resolve, reject)
  return {
    answer: promise,
    stop: () => controller.abort(),
    cancel() {
      controller.abort()
      reject(canceled())
    },
  }
}
