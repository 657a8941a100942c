// Checks the shown trace against invariants and assertions, and provides the results to the views below.
import { useCallback, useEffect, useMemo, useState, type ReactNode, useReducer, useRef } from 'react'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import type { DrivenBy } from '../drive/driven.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { Timeline } from '../../../trace/index.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { useConsole } from '../use-console.ts'
import { findingsOf } from './findings.ts'
import { JobRunner, isCancelled, runJob, type RunningJob } from './job-runner.ts'
import {
  ChecksContext,
  type ChecksValue,
  type OwnAssertions,
  VerdictsContext,
  type Checking,
  type Standing,
} from './checks-context.ts'
import { storedTexts, storeTexts } from '../stored-layout.ts'
import type { ShownTrace } from '../model/shown-trace.ts'
import { messageOf, traceFileName } from '../text.ts'

const NAME = 'assertions'

const storedOwn = (): string => storedTexts(NAME)[0] ?? ''

const storeOwn = (text: string): void => storeTexts(NAME, text.trim() === '' ? [] : [text])

export interface ChecksProviderProps {
  readonly recording: ConsoleRecording
  /** The file shown instead of the recording. */
  readonly file: FileTrace | undefined
  /** Opens another file. */
  readonly open: (file: File) => void
  /** Control of the system, if available; it knows the machines. */
  readonly control: Pick<DrivenBy, 'systems'> | undefined
  readonly children: ReactNode
}

/** The client's invariants only apply to its own systems. */
const isClient = (system: string) => /^chartroom(?:\/|$)/.test(system)

export function ChecksProvider(props: ChecksProviderProps) {
  const { recording, file: opened, open, control, children } = props
  const { trace, timeline, header } = useConsole()
  const [ownText, setText] = useState(storedOwn)
  const own = useOwn(ownText)
  const hasInvariants = isClient(header.system)
  const file = useCallback(
    () => (opened ? Promise.resolve<Blob>(opened.file) : recording.download()),
    [opened, recording],
  )
  const systems = useCallback(() => control?.systems ?? {}, [control])
  const checks = useChecks({ trace, opened, own, hasInvariants, file, systems })
  const { standing, checking, check, cancel } = checks
  const keepOwn = useCallback((text: string) => {
    storeOwn(text)
    setText(text)
  }, [])
  const runner = useJobRunner(timeline, file, systems)
  const fileName = opened?.name ?? traceFileName(header)
  const value = useMemo<ChecksValue>(
    () => ({
      standing,
      checking,
      check,
      cancel,
      hasInvariants,
      own,
      ownText,
      keepOwn,
      file,
      fileName,
      open,
      runner,
    }),
    [standing, checking, check, cancel, hasInvariants, own, ownText, keepOwn, file, fileName, open, runner],
  )
  // The list stays the same while its findings do, so that views need not redraw.
  const counts = standing.results
    .map(({ name, failed, failures }) => [name, failed, failures[0]?.seq, failures.at(-1)?.seq].join(' '))
    .join('\n')
  const [kept, setKept] = useState({ timeline, counts: '', findings: findingsOf([], () => 0) })
  let shown = kept
  if (kept.timeline !== timeline || kept.counts !== counts) {
    const actorOf = (path: string) => timeline.actors.findIndex(one => one.path === path)
    shown = { timeline, counts, findings: findingsOf(standing.results, actorOf) }
    setKept(shown)
  }
  const { findings } = shown
  const progress = standing.of === 0 ? 0 : standing.steps / standing.of
  const verdicts = useMemo(() => ({ findings, progress }), [findings, progress])
  return (
    <ChecksContext value={value}>
      <VerdictsContext value={verdicts}>{children}</VerdictsContext>
    </ChecksContext>
  )
}

/** Each trace has its own jobs; those of the previous one are canceled. */
function useJobRunner(
  timeline: Timeline,
  file: () => Promise<Blob>,
  systems: () => SystemRegistry,
): JobRunner {
  const runner = useMemo(
    () => new JobRunner({ file, systems, size: () => timeline.size }),
    [timeline, file, systems],
  )
  useEffect(() => () => runner.end(), [runner])
  return runner
}

const NONE: OwnAssertions = { assertions: [], problems: [] }

/** Parses the text once the parser is loaded. */
function useOwn(text: string): OwnAssertions {
  const [read, setRead] = useState({ text: '', own: NONE })
  useEffect(() => {
    if (text.trim() === '') return
    let wanted = true
    void import('./watch-trace.ts').then(({ readOwn }) => wanted && setRead({ text, own: readOwn(text) }))
    return () => {
      wanted = false
    }
  }, [text])
  return read.text === text ? read.own : NONE
}

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
