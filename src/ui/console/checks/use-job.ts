// A job of the shown trace as React state.
import { useSyncExternalStore } from 'react'
import { useChecksContext } from './checks-context.ts'
import type { RunJob, JobState } from './job-runner.ts'
import type { JobKind } from './jobs.ts'

export interface Job<K extends JobKind> extends Pick<RunJob<K>, 'start' | 'stop' | 'cancel'> {
  readonly state: JobState<K>
}

export function useJob<K extends JobKind>(kind: K): Job<K> {
  const runner = useChecksContext().runner.of(kind)
  const state = useSyncExternalStore(runner.subscribe, runner.state, runner.state)
  const { start, stop, cancel } = runner
  return { state, start, stop, cancel }
}
