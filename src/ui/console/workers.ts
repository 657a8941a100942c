// The workers of the console. The viewer, a single file, has in-page-workers.ts in place of this module.

/** Reads a trace file. */
export const startReaderWorker = (): Worker =>
  new Worker(new URL('./model/trace-worker.ts', import.meta.url), { type: 'module' })

/** Does one job of the checks. */
export const startChecksWorker = (): Worker =>
  new Worker(new URL('./checks/checks-worker.ts', import.meta.url), { type: 'module' })

/** Lays out charts. */
export const startLayoutWorker = (): Worker =>
  new Worker(new URL('elkjs/lib/elk-worker.min.js', import.meta.url), { type: 'module' })
