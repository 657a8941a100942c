// A job of the shown trace as React state.
import { useSyncExternalStore } from 'react'
import { useJudge } from './judge-context.ts'
import type { JobRunner, JobState } from './job-desk.ts'
import type { JobKind } from './jobs.ts'

export interface Job<K extends JobKind> extends Pick<JobRunner<K>, 'start' | 'stop' | 'cancel'> {
  readonly state: JobState<K>
}

export function useJob<K extends JobKind>(kind: K): Job<K> {
  const runner = useJudge().desk.of(kind)
  const state = useSyncExternalStore(runner.subscribe, runner.state, runner.state)
  const { start, stop, cancel } = runner
  return { state, start, stop, cancel }
}
