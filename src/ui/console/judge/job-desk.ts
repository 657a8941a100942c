// The jobs of one trace, one of each kind: their answers outlive the tabs that show them.
import type { SystemRegistry } from '../../../replay.ts'
import { messageOf } from '../text.ts'
import type { Answer, Ask, JobKind, JobProgress } from './jobs.ts'
import { isCancelled, runJob, type RunningJob } from './run-job.ts'

/** An answer, and how many events the trace had when it was asked. */
export interface Answered<K extends JobKind> {
  readonly answer: Answer<K>
  readonly size: number
}

/** `last` is the answer before, while there is no newer one. */
export type JobState<K extends JobKind> =
  | { readonly phase: 'none' | 'cancelled'; readonly last?: Answered<K> | undefined }
  | { readonly phase: 'going'; readonly progress: JobProgress; readonly last?: Answered<K> | undefined }
  | { readonly phase: 'done'; readonly answer: Answer<K>; readonly last: Answered<K> }
  | { readonly phase: 'failed'; readonly message: string; readonly last?: Answered<K> | undefined }

export interface JobSource {
  /** What is shown, as a file. */
  readonly file: () => Promise<Blob>
  readonly systems: () => SystemRegistry
  /** How many events it has. */
  readonly size: () => number
}

/** A job of one kind; another one gives the one before up. */
export class JobRunner<K extends JobKind> {
  readonly #kind: K
  readonly #source: JobSource
  readonly #listeners = new Set<() => void>()
  #state: JobState<K> = { phase: 'none' }
  #running: RunningJob<K> | undefined
  /** Which turn is the latest; what earlier ones say is not heard. */
  #turn = 0

  constructor(kind: K, source: JobSource) {
    this.#kind = kind
    this.#source = source
  }

  readonly state = (): JobState<K> => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** `ask` is given what is shown as a file. */
  readonly start = (ask: (file: Blob) => Ask<K>, onDone?: (answer: Answer<K>) => void): void => {
    const mine = ++this.#turn
    this.#running?.cancel()
    this.#work(mine, ask, onDone).catch((error: unknown) => {
      const { last } = this.#state
      const isOff = isCancelled(error)
      this.#set(
        mine,
        isOff ? { phase: 'cancelled', last } : { phase: 'failed', message: messageOf(error), last },
      )
    })
  }

  /** Lets it end with what it has. */
  readonly stop = (): void => this.#running?.stop()

  readonly cancel = (): void => {
    this.#running?.cancel()
    this.#set(++this.#turn, { phase: 'cancelled', last: this.#state.last })
  }

  async #work(
    mine: number,
    ask: (file: Blob) => Ask<K>,
    onDone?: (answer: Answer<K>) => void,
  ): Promise<void> {
    const size = this.#source.size()
    const { last } = this.#state
    const tell = (progress: JobProgress) => this.#set(mine, { phase: 'going', progress, last })
    tell({})
    const file = await this.#source.file()
    if (mine !== this.#turn) return
    const job = runJob(this.#kind, ask(file), { tell, systems: this.#source.systems() })
    this.#running = job
    const answer = await job.answer
    if (mine !== this.#turn) return
    this.#set(mine, { phase: 'done', answer, last: { answer, size } })
    onDone?.(answer)
  }

  #set(turn: number, state: JobState<K>): void {
    if (turn !== this.#turn) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

type Runners = { readonly [K in JobKind]: JobRunner<K> }

/** All jobs of one trace. */
export class JobDesk {
  readonly #runners: Runners
  #added: readonly File[] = []

  constructor(source: JobSource) {
    this.#runners = {
      check: new JobRunner('check', source),
      cover: new JobRunner('cover', source),
      verify: new JobRunner('verify', source),
      minimise: new JobRunner('minimise', source),
      test: new JobRunner('test', source),
      steps: new JobRunner('steps', source),
      export: new JobRunner('export', source),
    }
  }

  /** Files whose coverage is added. */
  get added(): readonly File[] {
    return this.#added
  }

  readonly setAdded = (files: readonly File[]): void => {
    this.#added = files
  }

  of<K extends JobKind>(kind: K): Runners[K] {
    return this.#runners[kind]
  }

  /** Gives all of them up. */
  end(): void {
    for (const runner of Object.values(this.#runners)) runner.cancel()
  }
}
