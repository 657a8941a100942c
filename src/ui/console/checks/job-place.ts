// The resources of a job, and how it reads the trace.
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import type { Tell } from './jobs.ts'

/** The resources of a job. */
export interface JobPlace {
  readonly report: Tell
  /** Ends jobs that support it early, with the result so far. */
  readonly signal: AbortSignal
  /** Machines of the app, besides those of the client. */
  readonly systems?: SystemRegistry
}

/** @throws Error when the file is not a trace */
export async function readWhole(file: Blob): Promise<ReplayableTrace> {
  const { readTrace } = await import('../replay-engine.ts')
  const read = await readTrace(file)
  if (read.kind === 'unusable') throw new Error(`The file can't be used: ${read.message}`)
  return read.trace
}

/** Reads a trace and derives its steps if it has none. @throws Error when they cannot be derived */
export async function readSteps(file: Blob, { systems: own, report }: JobPlace): Promise<ReplayableTrace> {
  const trace = await readWhole(file)
  if (trace.header.steps !== false) return trace
  const { deriveStepsGently, systems } = await import('../replay-engine.ts')
  const derived = await deriveStepsGently(
    trace,
    { ...systems, ...own },
    { onProgress: (done, whole) => report({ share: done / whole, words: 'deriving steps' }) },
  )
  if (derived.kind === 'unusable') throw new Error(derived.message)
  return derived.trace
}
