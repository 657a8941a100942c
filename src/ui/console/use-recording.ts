// The live recording as React state: whether it records, for how long, and which trace is the current one.
import { useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import type { TraceSource } from '../../trace/format.ts'
import { portionOf } from '../../trace/portion.ts'
import type { ConsoleRecording } from './console-recording.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import { messageOf } from './text.ts'

const SECOND = 1000

/** What the toolbar says about the recording. */
export interface RecordingState {
  readonly trace: TraceSource
  readonly isRecording: boolean
  readonly start: () => void
  readonly stop: () => void
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, SECOND)
  return () => clearInterval(timer)
}

/** Follows a recording that others may start and stop as well. */
export function useRecording(recording: ConsoleRecording): RecordingState {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const trace = useSyncExternalStore(everySecond, () => recording.trace)
  const isRecording = useSyncExternalStore(everySecond, () => recording.isRecording())
  return useMemo(() => {
    const then = (action: () => void) => () => {
      action()
      refresh()
    }
    return { trace, isRecording, start: then(() => recording.start()), stop: then(() => recording.stop()) }
  }, [trace, isRecording, recording])
}

/** What opens a recording that keeps no steps as a file: those of a file are derived. Nothing where steps are there. */
export function useDerived(
  recording: ConsoleRecording,
  trace: ShownTrace | undefined,
  open: (file: File) => void,
): (() => void) | undefined {
  const isLean = trace?.live === true && trace.header.views === false
  return useMemo(() => {
    if (!isLean) return undefined
    return () =>
      void recording.download().then(
        blob => open(new File([blob], 'This recording so far')),
        (error: unknown) => toast.error(`The recording could not be had as a file: ${messageOf(error)}`),
      )
  }, [isLean, recording, open])
}

/** Milliseconds since the recording began; stands still while nothing is recorded. */
export function useElapsed(trace: TraceSource, now: () => number, running: boolean): number {
  const [elapsed, setElapsed] = useState(lastTime(trace))
  useEffect(() => {
    if (!running) return
    // How long it has been quiet is not known before the next append; counting on from the last is nearest.
    let began = now() - lastTime(trace)
    // An append calls back within its own task, so its time and the clock's differ by nothing that shows.
    const anchor = () => {
      began = now() - lastTime(trace)
    }
    const tick = () => setElapsed(now() - began)
    tick()
    const unsubscribe = trace.subscribe(anchor)
    const timer = setInterval(tick, SECOND)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [trace, now, running])
  return elapsed
}

/** Of what is ready: making the rest so would stop the page. */
function lastTime(trace: TraceSource): number {
  const { views, stimuli } = portionOf(trace, 0)
  return Math.max(views.at(-1)?.t ?? 0, stimuli.at(-1)?.t ?? 0)
}
