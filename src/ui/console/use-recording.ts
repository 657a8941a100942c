// The live recording as React state: whether it is recording, for how long, and its current trace.
import { useMemo, useReducer, useState } from 'react'
import { batchOf, type TraceSource } from '../../trace/index.ts'
import { useInterval, useIsVisible, useSampled } from '../widgets/time.ts'
import type { ConsoleRecording } from './console-recording.ts'

const SECOND = 1000

/** Recording status for the toolbar. */
export interface RecordingState {
  readonly trace: TraceSource
  readonly isRecording: boolean
  /** Milliseconds since the recording began, also while nothing is recorded. */
  readonly elapsed: () => number
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
    return {
      trace,
      isRecording,
      elapsed: () => recording.elapsed(),
      start: then(() => recording.start()),
      stop: then(() => recording.stop()),
    }
  }, [trace, isRecording, recording])
}

/** Returns the milliseconds that the recording lasts so far; stops while nothing is recorded. */
export function useElapsed({ isRecording, trace, elapsed }: RecordingState): number {
  const [ms, setMs] = useState(() => (isRecording ? elapsed() : lastTime(trace)))
  const ticks = useIsVisible() && isRecording
  useInterval(() => setMs(elapsed()), ticks ? SECOND : undefined, trace)
  return ms
}

/** Uses prepared records only: preparing the rest would block the page. */
function lastTime(trace: TraceSource): number {
  const { steps, stimuli } = batchOf(trace, 0)
  return Math.max(steps.at(-1)?.t ?? 0, stimuli.at(-1)?.t ?? 0)
}
