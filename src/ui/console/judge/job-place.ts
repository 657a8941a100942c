// What a job may use, and how it comes by the trace.
import type { ReplayableTrace, SystemRegistry } from '../../../replay.ts'
import type { Tell } from './jobs.ts'

/** What a job may use. */
export interface JobPlace {
  readonly tell: Tell
  /** Ends those that can end early with what they have. */
  readonly signal: AbortSignal
  /** Machines of the app, beside those of the client. */
  readonly systems?: SystemRegistry
}

/** @throws Error when it is no trace */
export async function readWhole(file: Blob): Promise<ReplayableTrace> {
  const { readTrace } = await import('../../../replay.ts')
  const read = await readTrace(file)
  if (read.kind === 'unusable') throw new Error(`The file can't be used: ${read.message}`)
  return read.trace
}

/** With its steps, which of a recording without them are derived. @throws Error when they can't be */
export async function readSteps(file: Blob, { systems: own, tell }: JobPlace): Promise<ReplayableTrace> {
  const trace = await readWhole(file)
  if (trace.header.views !== false) return trace
  const { deriveViewsGently, systems } = await import('../../../replay.ts')
  const derived = await deriveViewsGently(
    trace,
    { ...systems, ...own },
    { onProgress: (done, whole) => tell({ share: done / whole, words: 'deriving its steps' }) },
  )
  if (derived.kind === 'unusable') throw new Error(derived.message)
  return derived.trace
}
