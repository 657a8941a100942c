// Coverage of the shown trace and added files: counted automatically if that is quick, and again as it grows.
import { useCallback, useEffect, useState } from 'react'
import { useConsole } from '../use-console.ts'
import { useChecksContext } from './checks-context.ts'
import { useJob } from './use-job.ts'

/** Maximum events of a trace that is counted automatically. */
const UNASKED = 200_000
/** Maximum events of a trace that is recounted as it grows. */
const RENEWED = 20_000
/** Milliseconds between two counts: frequent enough for a viewer, rare enough to cost little. */
const RENEW_EVERY = 4_000

export function useCoverage() {
  const { trace, size } = useConsole()
  const { fileName, runner } = useChecksContext()
  const { state, start, cancel } = useJob('cover')
  const [files, setFiles] = useState(runner.added)
  const begin = useCallback(() => {
    start(blob => ({
      files: [{ name: fileName, blob }, ...runner.added.map(file => ({ name: file.name, blob: file }))],
    }))
  }, [start, runner, fileName])
  const { phase, last } = state
  const isReady = trace.share() >= 1 && size > 0 && size <= UNASKED
  const isFirst = isReady && phase === 'none' && last === undefined
  useEffect(() => {
    if (isFirst) begin()
  }, [isFirst, begin])
  const isStale = phase !== 'going' && last !== undefined && last.size !== size
  const isRenewed = isStale && size <= RENEWED && phase === 'done'
  useEffect(() => {
    if (!isRenewed) return
    const timer = setTimeout(begin, RENEW_EVERY)
    return () => clearTimeout(timer)
  }, [isRenewed, begin])
  const change = (next: readonly File[]) => {
    runner.setAdded(next)
    setFiles(next)
    begin()
  }
  return {
    state,
    answer: last?.answer,
    files,
    cancel,
    /** Whether the user must start a recount. */
    isStale: isStale && !isRenewed,
    count: begin,
    add: (more: readonly File[]) => change([...files, ...more]),
    drop: (file: File) => change(files.filter(one => one !== file)),
  }
}
