// A job that the user starts in the console, with its result, which outlives the view that shows it.
import { useSyncExternalStore } from 'react'
import { consoleJobMachine, type ConsoleJobProgress } from '../../machines/console/console-job.ts'
import { type Started, startMachine } from '../../services/runtime/index.ts'
import { Listeners } from '../../trace/index.ts'
import { messageOf } from './text.ts'

/** `last` is the latest result. */
export type JobState<Result> =
  | { readonly phase: 'none' | 'canceled'; readonly last?: Result | undefined }
  | { readonly phase: 'going'; readonly progress: ConsoleJobProgress; readonly last?: Result | undefined }
  | { readonly phase: 'done'; readonly last: Result }
  | { readonly phase: 'failed'; readonly message: string; readonly last?: Result | undefined }

/** What a job's work is given. */
export interface JobHandle {
  readonly report: (progress: ConsoleJobProgress) => void
  /** Registers what ends the work with the result so far. */
  readonly onStop: (stop: () => void) => void
  /** Aborts when the job is canceled, or replaced by the next one. */
  readonly signal: AbortSignal
}

/** @throws Error with a message for the user */
export type Work<Result> = (handle: JobHandle) => Promise<Result>

export class Job<Result> {
  readonly #listeners = new Listeners()
  #actor: Started<typeof consoleJobMachine> | undefined
  #work: (handle: JobHandle) => Promise<void> = async () => undefined
  #last: { readonly result: Result } | undefined
  #state: JobState<Result> = { phase: 'none' }

  readonly subscribe = this.#listeners.subscribe

  readonly state = (): JobState<Result> => this.#state

  /** Runs `work` in place of what runs. `onDone` is not called if it is canceled. */
  readonly run = (work: Work<Result>, onDone?: (result: Result) => void): void => {
    this.#work = async handle => {
      const result = await work(handle)
      if (handle.signal.aborted) return
      this.#last = { result }
      onDone?.(result)
    }
    this.#actor ??= this.#start()
    this.#actor.send({ type: 'job.requested' })
  }

  /** Ends it early with the result so far. */
  readonly stop = (): void => this.#actor?.send({ type: 'job.stop' })

  /** Cancels it, or dismisses its end. */
  readonly cancel = (): void => this.#actor?.send({ type: 'job.canceled' })

  #start(): Started<typeof consoleJobMachine> {
    const actor = startMachine(consoleJobMachine, {
      runJob: ({ sendBack, receive }) => {
        const ending = new AbortController()
        const stopping = Promise.withResolvers<void>()
        receive(() => stopping.resolve())
        this.#work({
          report: progress => sendBack({ type: 'job.progressed', progress }),
          onStop: stop => void stopping.promise.then(stop),
          signal: ending.signal,
        }).then(
          () => sendBack({ type: 'job.finished' }),
          (error: unknown) => sendBack({ type: 'job.failed', message: messageOf(error) }),
        )
        return () => ending.abort()
      },
    })
    actor.subscribe(() => {
      this.#state = stateOf(actor.snapshot(), this.#last)
      this.#listeners.notify()
    })
    return actor
  }
}

function stateOf<Result>(
  { value, context }: ReturnType<Started<typeof consoleJobMachine>['snapshot']>,
  latest: { readonly result: Result } | undefined,
): JobState<Result> {
  const last = latest?.result
  if (value === 'failed') return { phase: 'failed', message: context.message, last }
  if (value === 'done' && latest) return { phase: 'done', last: latest.result }
  if (value === 'canceled') return { phase: 'canceled', last }
  if (value === 'idle' || value === 'done') return { phase: 'none', last }
  return { phase: 'going', progress: context.progress, last }
}

export const useJobState = <Result>({ subscribe, state }: Job<Result>): JobState<Result> =>
  useSyncExternalStore(subscribe, state)
