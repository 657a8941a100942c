// The live recording as React state: whether it is recording, for how long, and its current trace.
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { toast } from 'sonner'
import { batchOf, type TraceSource } from '../../trace/index.ts'
import { useInterval, useSampled } from '../widgets/time.ts'
import type { ConsoleRecording } from './console-recording.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import { messageOf } from './text.ts'

const SECOND = 1000

/** Recording status for the toolbar. */
export interface RecordingState {
  readonly trace: TraceSource
  readonly isRecording: boolean
  readonly start: () => void
  readonly stop: () => void
}

/** Follows a recording that others may start and stop as well. */
export function useRecording(recording: ConsoleRecording): RecordingState {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const trace = useSampled(() => recording.trace, SECOND)
  const isRecording = useSampled(() => recording.isRecording(), SECOND)
  return useMemo(() => {
    const then = (action: () => void) => () => {
      action()
      refresh()
    }
    return { trace, isRecording, start: then(() => recording.start()), stop: then(() => recording.stop()) }
  }, [trace, isRecording, recording])
}

/**
 * Returns a function that opens a recording without steps as a file, which derives them. Undefined if there
 * are steps.
 */
export function useDerived(
  recording: ConsoleRecording,
  trace: ShownTrace | undefined,
  open: (file: File) => void,
): (() => void) | undefined {
  const isLean = trace?.live === true && trace.header.steps === false
  return useMemo(() => {
    if (!isLean) return undefined
    return () =>
      void recording.download().then(
        blob => open(new File([blob], 'This recording so far')),
        (error: unknown) =>
          toast.error(`The recording could not be converted to a file: ${messageOf(error)}`),
      )
  }, [isLean, recording, open])
}

/** Returns the milliseconds since the recording began; stops while nothing is recorded. */
export function useElapsed(trace: TraceSource, now: () => number, running: boolean): number {
  const [elapsed, setElapsed] = useState(lastTime(trace))
  const began = useRef(0)
  useEffect(() => {
    if (!running) return
    // An append calls back in its own task, so the difference between its time and the clock's is negligible.
    const anchor = () => {
      began.current = now() - lastTime(trace)
    }
    // The idle time is unknown until the next append; counting from the last one is the closest estimate.
    anchor()
    return trace.subscribe(anchor)
  }, [trace, now, running])
  useInterval(() => setElapsed(now() - began.current), running ? SECOND : undefined, trace)
  return elapsed
}

/** Uses prepared records only: preparing the rest would block the page. */
function lastTime(trace: TraceSource): number {
  const { steps, stimuli } = batchOf(trace, 0)
  return Math.max(steps.at(-1)?.t ?? 0, stimuli.at(-1)?.t ?? 0)
}
