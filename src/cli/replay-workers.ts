// Replays files in several processes, so that each core has work and a crash costs one file.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UsageError } from './command.ts'
import { type FileResult, resultOf, unusable } from './file-report.ts'
import { startProgress } from './print.ts'
import type { ReplaySettings } from './replay-finding.ts'

export interface WorkerSettings extends ReplaySettings {
  readonly wantsJson: boolean
}

export type FromWorker =
  | { readonly isReady: true }
  | { readonly problem: string; readonly isUsage: boolean }
  | { readonly result: FileResult }

/** Limits the results that wait for that of a slower file before them. */
const AHEAD = 64

/**
 * Replays each file in one of the processes; yields the results in the order of the files.
 * @throws UsageError if the machines cannot be loaded
 */
export async function* replayInWorkers(
  files: readonly string[],
  { workers, ...settings }: WorkerSettings & { readonly workers: number },
): AsyncGenerator<FileResult> {
  const results = new PendingResults()
  const running = new Set<ReplayWorker>()
  let next = 0
  let yielded = 0
  let advanced = Promise.withResolvers<void>()
  let hasEnded = false

  const takeFiles = async () => {
    let worker: ReplayWorker | undefined
    while (next < files.length && !hasEnded) {
      if (next >= yielded + AHEAD) {
        await advanced.promise
        continue
      }
      const at = next++
      if (!worker?.isAlive) {
        if (worker) running.delete(worker)
        worker = new ReplayWorker(settings)
        running.add(worker)
        await worker.ready
      }
      results.at(at).resolve(await worker.replay(files[at] ?? ''))
    }
    worker?.stop()
  }
  const progress = startProgress('Replaying', 'files')
  for (let n = 0; n < Math.min(workers, files.length); n++)
    takeFiles().catch((error: unknown) => results.fail(error))
  try {
    for (; yielded < files.length; yielded++) {
      progress.at(yielded, files.length)
      const result = await results.at(yielded).promise
      results.delete(yielded)
      progress.end()
      yield result
      advanced.resolve()
      advanced = Promise.withResolvers()
    }
  } finally {
    hasEnded = true
    advanced.resolve()
    progress.end()
    for (const worker of running) worker.stop()
  }
}

/** Results by position, kept only until they are yielded. */
class PendingResults {
  readonly #pending = new Map<number, PromiseWithResolvers<FileResult>>()
  #failure: { readonly error: unknown } | undefined

  at(position: number): PromiseWithResolvers<FileResult> {
    const pendingFile = this.#pending.get(position)
    if (pendingFile) return pendingFile
    const result = Promise.withResolvers<FileResult>()
    // After a failure, later results are not awaited.
    result.promise.catch(() => undefined)
    this.#pending.set(position, result)
    if (this.#failure) result.reject(this.#failure.error)
    return result
  }

  delete(position: number): void {
    this.#pending.delete(position)
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    for (const { reject } of this.#pending.values()) reject(error)
  }
}

const PROGRAM = fileURLToPath(new URL('./replay-worker.ts', import.meta.url))

/** A process that replays one file at a time. */
class ReplayWorker {
  readonly #process: ChildProcess
  readonly #settings: WorkerSettings
  readonly #ready = Promise.withResolvers<void>()
  #work:
    { readonly file: string; readonly start: number; readonly end: (result: FileResult) => void } | undefined
  isAlive = true

  constructor(settings: WorkerSettings) {
    this.#settings = settings
    // What machines print goes to standard error, since standard output has the results in order.
    this.#process = fork(PROGRAM, { stdio: ['ignore', 2, 2, 'ipc'], serialization: 'advanced' })
    this.#process.on('message', message => this.#receive(message as FromWorker))
    this.#process.on('error', error => this.#fail(error.message))
    this.#process.on('exit', (code, signal) =>
      this.#fail(signal ? `it was ended by ${signal}` : `it exited with code ${code}`),
    )
    this.#process.send({ settings })
  }

  /** Rejects if the machines cannot be loaded. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Replays a file; a crash of the process is its result. */
  replay(file: string): Promise<FileResult> {
    return new Promise(end => {
      this.#work = { file, start: performance.now(), end }
      if (this.isAlive) this.#process.send({ file }, error => error && this.#fail(error.message))
      else this.#fail('it exited before it received the file')
    })
  }

  stop(): void {
    // An idle process ends when disconnected, after it has written what machines printed.
    if (this.#work || !this.#process.connected) this.#process.kill()
    else this.#process.disconnect()
  }

  #receive(message: FromWorker): void {
    if ('isReady' in message) this.#ready.resolve()
    else if ('problem' in message)
      this.#ready.reject(message.isUsage ? new UsageError(message.problem) : new Error(message.problem))
    else this.#end(message.result)
  }

  #fail(how: string): void {
    this.isAlive = false
    this.#ready.reject(new Error(`A worker could not start: ${how}.`))
    if (!this.#work) return
    const { file, start } = this.#work
    const reason = `the worker process crashed while it replayed this file: ${how}; replay it alone for details`
    this.#end(resultOf(file, (performance.now() - start) / 1000, unusable(reason), this.#settings.wantsJson))
  }

  #end(result: FileResult): void {
    const { end } = this.#work ?? {}
    this.#work = undefined
    end?.(result)
  }
}
