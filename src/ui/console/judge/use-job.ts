// A job as React state; another one, or leaving, gives the one before up.
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../text.ts'
import { useJudge } from './judge-context.ts'
import type { Answer, Ask, JobKind, JobProgress } from './jobs.ts'
import { isCancelled, runJob, type RunningJob } from './run-job.ts'

export type JobState<K extends JobKind> =
  | { readonly phase: 'none' }
  | { readonly phase: 'going'; readonly progress: JobProgress }
  | { readonly phase: 'done'; readonly answer: Answer<K> }
  | { readonly phase: 'failed'; readonly message: string }

export interface Job<K extends JobKind> {
  readonly state: JobState<K>
  /** Begins it; `ask` is given what is shown as a file. */
  readonly start: (ask: (file: Blob) => Ask<K>, onDone?: (answer: Answer<K>) => void) => void
  /** Lets it end with what it has. */
  readonly stop: () => void
  readonly cancel: () => void
}

export function useJob<K extends JobKind>(kind: K): Job<K> {
  const { file, systems } = useJudge()
  const [state, setState] = useState<JobState<K>>({ phase: 'none' })
  const running = useRef<RunningJob<K>>(undefined)
  /** Which turn is the latest; what earlier ones say is not heard. */
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current += 1
      running.current?.cancel()
    },
    [],
  )
  const start = useCallback(
    (ask: (file: Blob) => Ask<K>, onDone?: (answer: Answer<K>) => void) => {
      const mine = ++turn.current
      const isMine = () => mine === turn.current
      running.current?.cancel()
      const tell = (progress: JobProgress) => isMine() && setState({ phase: 'going', progress })
      tell({})
      const work = async () => {
        const blob = await file()
        if (!isMine()) return
        const job = runJob(kind, ask(blob), { tell, systems: systems() })
        running.current = job
        const answer = await job.answer
        if (!isMine()) return
        setState({ phase: 'done', answer })
        onDone?.(answer)
      }
      work().catch((error: unknown) => {
        if (!isMine()) return
        setState(isCancelled(error) ? { phase: 'none' } : { phase: 'failed', message: messageOf(error) })
      })
    },
    [kind, file, systems],
  )
  return {
    state,
    start,
    stop: useCallback(() => running.current?.stop(), []),
    cancel: useCallback(() => {
      running.current?.cancel()
      setState({ phase: 'none' })
    }, []),
  }
}
