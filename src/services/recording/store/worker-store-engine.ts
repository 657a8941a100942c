// Both ends of a store engine in a worker, and their message protocol.
import type { StoreEngine } from './store-engine.ts'
import type { StoreEngineLike } from './store.ts'
import type { StoreStatus } from './trace-store.ts'

type Method = keyof StoreEngineLike

/** Messages from the page to the worker. */
export type Question =
  | { readonly kind: 'open'; readonly options: WorkerOptions }
  | { readonly kind: 'ask'; readonly n: number; readonly method: Method; readonly args: readonly unknown[] }
  /** Enables the worker's timers, because a hidden page's own timers fire once a minute. */
  | { readonly kind: 'tick'; readonly every: number | undefined }

/** Messages from the worker to the page. */
export type Answer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'answer'; readonly n: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly n: number; readonly reason: string }
  | { readonly kind: 'status'; readonly status: StoreStatus }
  | { readonly kind: 'tick' }

/** Options of the store engine in a worker. */
export interface WorkerOptions {
  readonly database: string
  readonly retention: Readonly<Record<string, number>>
}

export interface RemoteOptions {
  readonly onStatus: (status: StoreStatus) => void
  readonly onTick: () => void
}

export interface WorkerStoreEngine extends StoreEngineLike {
  /** Makes the worker call `onTick` at this interval in ms. */
  tick(every: number | undefined): void
}

/** The page's end. Resolves when the worker has opened its database. */
export function createWorkerStoreEngine(
  worker: Worker,
  options: WorkerOptions,
  { onStatus, onTick }: RemoteOptions,
): Promise<WorkerStoreEngine> {
  const open = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let count = 0
  /** Why the worker is gone. */
  let gone: Error | undefined
  const post = (question: Question) => worker.postMessage(question, [])
  const ask = (method: Method, args: readonly unknown[]) =>
    new Promise<never>((resolve, reject) => {
      if (gone) return reject(gone)
      const n = count++
      open.set(n, { resolve: resolve as (result: unknown) => void, reject })
      post({ kind: 'ask', n, method, args })
    })
  const remote: WorkerStoreEngine = {
    list: () => ask('list', []),
    open: id => ask('open', [id]),
    delete: id => ask('delete', [id]),
    keep: (id, kept) => ask('keep', [id, kept]),
    rename: (id, name) => ask('rename', [id, name]),
    write: orders => ask('write', [orders]),
    tick: every => post({ kind: 'tick', every }),
    async close() {
      await ask('close', [])
      worker.terminate()
    },
  }
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      worker.terminate()
      gone = new Error(reason)
      reject(gone)
      for (const asked of open.values()) asked.reject(gone)
      open.clear()
    }
    const settle = (n: number) => {
      const asked = open.get(n)
      open.delete(n)
      return asked
    }
    worker.addEventListener('error', ({ message }) =>
      fail(message || 'the storage worker could not be started'),
    )
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'opened') resolve(remote)
      else if (data.kind === 'refused') fail(data.reason)
      else if (data.kind === 'status') onStatus(data.status)
      else if (data.kind === 'tick') onTick()
      else if (data.kind === 'answer') settle(data.n)?.resolve(data.result)
      else settle(data.n)?.reject(new Error(data.reason))
    })
    post({ kind: 'open', options })
  })
}

/** The worker's end. */
export function serveStoreEngine(
  create: (options: WorkerOptions, onStatus: (status: StoreStatus) => void) => Promise<StoreEngine>,
  post: (answer: Answer) => void,
): (question: Question) => void {
  let engine: Promise<StoreEngine> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  return question => {
    if (question.kind === 'open') {
      engine = create(question.options, status => post({ kind: 'status', status }))
      engine.then(
        () => post({ kind: 'opened' }),
        (error: unknown) => post({ kind: 'refused', reason: reasonOf(error) }),
      )
    } else if (question.kind === 'tick') {
      clearInterval(timer)
      if (question.every !== undefined) timer = setInterval(() => post({ kind: 'tick' }), question.every)
    } else {
      const { n, method, args } = question
      const answer = engine?.then((there): Promise<unknown> => Reflect.apply(there[method], there, args))
      answer?.then(
        result => post({ kind: 'answer', n, result }),
        (error: unknown) => post({ kind: 'failed', n, reason: reasonOf(error) }),
      )
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
