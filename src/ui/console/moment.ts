// The past moment that the console shows, for its host: an app can show it, with its own state of then.
import { useEffect, useMemo, useRef } from 'react'
import type { StepRecord } from '../../trace/index.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import type { ConsoleModel } from './use-console-model.ts'

/** A moment of a live recording before its last step. */
export interface ConsoleMoment {
  /** Number of the last step that had happened, as in the recording's `trace.steps`. */
  readonly step: number
  /** Time of that step in milliseconds since the recording began. */
  readonly t: number
  /** Returns the latest step of the actor at this path until then; undefined if it had none. */
  readonly latest: (path: string) => StepRecord | undefined
  /** Returns the console to the end of the recording. */
  readonly toNow: () => void
}

/** Called when the shown moment changes: with undefined once the console follows the recording, or closes. */
export type OnMoment = (moment: ConsoleMoment | undefined) => void

/** Looks up steps of actors by path. A restarted actor is listed again at its path. */
const latestOf =
  ({ timeline, details }: ShownTrace, at: number): ConsoleMoment['latest'] =>
  path => {
    const seqs = timeline.actors
      .filter(actor => actor.path === path)
      .map(({ index }) => timeline.lastOf(index, at))
    return details.peek(Math.max(-1, ...seqs))
  }

/** Reports the moment of a live recording; neither a file nor a sandbox is the app's own past. */
export function useMoment(
  { followed, selection, go }: Pick<ConsoleModel, 'followed' | 'selection' | 'go'>,
  onMoment: OnMoment | undefined,
): void {
  const { trace, size } = followed
  const { at } = selection
  // At the last step, as while the system is paused there, the app is not further than the console.
  const isPast = trace.live && at >= 0 && at < size - 1
  const moment = useMemo<ConsoleMoment | undefined>(
    () =>
      isPast
        ? {
            step: at,
            t: trace.timeline.t(at),
            latest: latestOf(trace, at),
            toNow: () => go({ type: 'end' }),
          }
        : undefined,
    [isPast, trace, at, go],
  )
  const latest = useRef(onMoment)
  useEffect(() => {
    latest.current = onMoment
  })
  useEffect(() => latest.current?.(moment), [moment])
  useEffect(() => () => latest.current?.(undefined), [])
}
