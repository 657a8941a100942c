// The past moment that the console shows, for its host: an app can show it, with its own state of then.
import { useEffect, useMemo, useRef } from 'react'
import type { ConsoleMoment, OnMoment } from './console-recording.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import type { ConsoleModel } from './use-console-model.ts'

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
