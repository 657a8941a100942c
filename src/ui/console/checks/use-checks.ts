// Checks the shown trace against invariants and assertions: in memory as it grows, files in a worker.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import type { FileTrace } from '../model/file-trace.ts'
import type { ShownTrace } from '../model/shown-trace.ts'
import { messageOf } from '../text.ts'
import type { Checking, OwnAssertions, Standing } from './checks-context.ts'
import { isCancelled, runJob, type RunningJob } from './run-job.ts'

export interface ChecksOptions {
  readonly trace: ShownTrace
  /** The file, if one is shown. */
  readonly opened: FileTrace | undefined
  readonly own: OwnAssertions
  readonly hasInvariants: boolean
  /** Returns the whole trace as a file. */
  readonly file: () => Promise<Blob>
  /** Machines that only the page has, for traces whose steps must be derived. */
  readonly systems: () => SystemRegistry
}

/** Maximum steps of a file that are checked without asking; more take long. */
const UNASKED = 200_000

const NOTHING: Standing = { results: [], steps: 0, of: 0 }

interface State {
  readonly of: unknown
  readonly checking: Checking
  readonly standing: Standing
}

export function useChecks({ trace, opened, own, hasInvariants, file, systems }: ChecksOptions) {
  const [state, setState] = useState<State>()
  const [asked, ask] = useReducer((count: number) => count + 1, 0)
  const answered = useRef(0)
  const job = useRef<RunningJob<'check'>>(undefined)
  const hasSteps = trace.header.steps !== false
  const isEmpty = !hasInvariants && own.assertions.length === 0
  useEffect(() => {
    let isOver = false
    const isAsked = asked !== answered.current
    answered.current = asked
    const report = (checking: Checking, standing = NOTHING) => {
      if (!isOver) setState({ of: trace, checking, standing })
    }
    const { source } = trace
    let stop = () => {}
    const inJob = async () => {
      report({ phase: 'going', progress: {} })
      const assertions = own.assertions
      const whole = await file()
      if (isOver) return
      const begun = runJob(
        'check',
        { file: whole, assertions, invariants: hasInvariants },
        {
          report: progress => report({ phase: 'going', progress }),
          ...(!hasSteps && { systems: systems() }),
        },
      )
      job.current = begun
      stop = begun.cancel
      const { results, steps } = await begun.answer
      report({ phase: 'done' }, { results, steps, of: steps })
    }
    const begin = async () => {
      if (isEmpty) return report({ phase: 'done' })
      if (source && hasSteps) {
        const { watchTrace } = await import('./watch-trace.ts')
        if (isOver) return
        const onStanding = (standing: Standing) => report({ phase: 'watching' }, standing)
        stop = watchTrace(source, own.assertions, hasInvariants, onStanding)
        return
      }
      await opened?.whenRead
      if (isOver) return
      const why = whyAsk(trace)
      if (why !== undefined && !isAsked) return report({ phase: 'asking', why })
      await inJob()
    }
    begin().catch((error: unknown) => {
      if (isCancelled(error)) report({ phase: 'asking', why: 'Canceled.' })
      else report({ phase: 'failed', message: messageOf(error) })
    })
    return () => {
      isOver = true
      job.current = undefined
      stop()
    }
  }, [trace, opened, own, hasInvariants, isEmpty, hasSteps, file, systems, asked])
  const known = state?.of === trace ? state : undefined
  return {
    checking: known?.checking ?? ({ phase: 'going', progress: {} } as const),
    standing: known?.standing ?? NOTHING,
    check: ask,
    cancel: useCallback(() => job.current?.cancel(), []),
  }
}

/** Returns why the user must start the check; undefined if it starts automatically. */
function whyAsk({ live, header, timeline }: ShownTrace): string | undefined {
  if (live && header.steps === false)
    return 'This recording has no steps. Checking replays what is recorded so far to derive them.'
  if (timeline.size > UNASKED) return 'Checking this many steps takes a while.'
  return undefined
}
