// Jobs of one trace, one per kind, in a worker or in the page; their results outlive the tabs that show them.
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import { Job } from '../job.ts'
import { startChecksWorker } from '../workers.ts'
import type { Answer, Ask, JobKind, FromChecker, Tell, ToChecker } from './jobs.ts'

/** A result, and the number of events in the trace when it was requested. */
export interface Answered<K extends JobKind> {
  readonly answer: Answer<K>
  readonly size: number
}

export interface JobSource {
  /** Returns the shown trace as a file. */
  readonly file: () => Promise<Blob>
  readonly systems: () => SystemRegistry
  /** Returns its number of events. */
  readonly size: () => number
}

/** Runs jobs of one kind on a trace; starting another cancels the previous one. */
export class RunJob<K extends JobKind> extends Job<Answered<K>> {
  readonly #kind: K
  readonly #source: JobSource

  constructor(kind: K, source: JobSource) {
    super()
    this.#kind = kind
    this.#source = source
  }

  /** `ask` receives the shown trace as a file. */
  readonly start = (ask: (file: Blob) => Ask<K>, onDone?: (answer: Answer<K>) => void): void =>
    this.run(
      async ({ report, onStop, signal }) => {
        const size = this.#source.size()
        const file = await this.#source.file()
        signal.throwIfAborted()
        const job = runJob(this.#kind, ask(file), { report, systems: this.#source.systems() })
        signal.addEventListener('abort', job.cancel, { once: true })
        onStop(job.stop)
        return { answer: await job.answer, size }
      },
      onDone && (({ answer }) => onDone(answer)),
    )
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
      examine: new RunJob('examine', source),
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
