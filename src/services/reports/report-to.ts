// `reportTo`: reports problems with the recording of the last minutes to the app's own project.
import { type ActorOptions, createActor } from 'xstate'
import {
  type CaptureEvent,
  type DecideEvent,
  type NextReportEvent,
  type ReportCause,
  type ReportDeclined,
  reportDeliveryMachine,
  reporterMachine,
  type ReportOutcome,
  type ReportRequest,
  type SendPartEvent,
  type SettleReportEvent,
} from '../../machines/index.ts'
import {
  createRedactor,
  type ExplainedTrace,
  Listeners,
  readTraceContext,
  type TraceContext,
  traceparentOf,
} from '../../trace/index.ts'
import type { ChartroomClient, ClientRecording, FileContext, RecordedClient } from '../client/index.ts'
import { createEntropy, effect } from '../runtime/index.ts'
import { causeOfError, causeOfSignOut, causeOfUser } from './causes.ts'
import { openOutbox, type Outbox, type Spent, type StoredReport, uploadUrls } from './outbox.ts'
import { isPicture, sendFiles, sendRow } from './send-report.ts'
import { REPORTS_BUCKET, REPORTS_TABLE } from './tables.ts'
import { type ReportOn, watchFor } from './watch-for.ts'

/**
 * The recording of an app's own machines: a ring (`createRing`), or the result of `record` or `attach`, which grow
 * without bound.
 */
export type ReportedRecording = { readonly trace: { readonly header: { readonly system: string } } } & (
  | { readonly file: (context?: FileContext) => Promise<Uint8Array<ArrayBuffer>> }
  | { readonly download: (context?: FileContext) => Promise<Blob> }
)

/** Options of `reportTo`. */
export interface ReportToOptions {
  /** What a report contains. Defaults to the client's recording. */
  readonly recording?: ReportedRecording
  /** What is reported automatically. Defaults to nothing: only `report()` reports. */
  readonly on?: readonly ReportOn[]
  /**
   * Whether the user agreed to automatic reports; called for each. Required with `on`. A report by `report()`
   * needs none, since the user asked for it.
   */
  readonly consent?: () => boolean | Promise<boolean>
  /** Share of the clients that report automatically, from 0 to 1. Defaults to 1. */
  readonly sample?: number
  /** Most reports and bytes per day of this browser; see the defaults of `DAILY_BUDGET`. */
  readonly budget?: { readonly reports?: number; readonly bytes?: number }
  /** Version of the app. Without it, a failure that was fixed can't be recognized when it returns. */
  readonly appVersion?: string
  /**
   * Returns the value of a `traceparent` or `sentry-trace` header: the trace of OpenTelemetry or Sentry that is active
   * when something goes wrong. Reports can be found by its trace id, and exports to OTLP belong to it.
   */
  readonly traceparent?: () => string | undefined
  /** Whether automatic reports contain the id of the signed-in user. Defaults to false. */
  readonly userId?: boolean
  /** Defaults to `chartroom_reports`, as in the migration of `chartroom reports init`. */
  readonly table?: string
  /** Defaults to `chartroom-reports`. */
  readonly bucket?: string
  /** Name of the IndexedDB database of reports that wait for their delivery. */
  readonly database?: string
}

/** A report that the user or the app asked for. */
export interface NewReport {
  /**
   * An error that the app caught, e.g. in an error boundary or as the error of an actor. The report is grouped by
   * it, and made like an automatic one: only with `consent`, within the sample, and once a day.
   */
  readonly error?: unknown
  /** What the user says about it, at most 5,000 characters. Known secrets are removed. */
  readonly note?: string
  /** A picture of the page, if the user agreed: PNG, WebP or JPEG. `capturePage()` makes one. */
  readonly picture?: Blob
  /** Whether the id of the signed-in user may be sent. Defaults to false. */
  readonly withUser?: boolean
}

/** What became of a request: stored and on its way, or why not. */
export type Reported = { readonly kind: 'stored'; readonly id: string } | ReportOutcome

/** Reports of one client. */
export interface Reporter {
  /**
   * Reports what happened in the last minutes. Resolves when the report is stored and survives the tab
   * (`stored`), or with the reason why there is none. It is delivered in the background; `onSettled` says
   * when. @throws TypeError for a note that is too long or a picture of another type
   */
  report(report?: NewReport): Promise<Reported>
  /** Calls the listener when a report was delivered, declined, refused or lost. Returns an unsubscribe function. */
  onSettled(listener: (id: string, outcome: ReportOutcome) => void): () => void
  /** Number of reports that wait for their delivery. */
  pending(): Promise<number>
  /** Stops. Reports that were not delivered are delivered by the next `reportTo` of this origin. */
  dispose(): void
}

/** Most reports and bytes of one browser per day, in UTC. */
export const DAILY_BUDGET = { reports: 20, bytes: 50_000_000 } as const

/** Milliseconds after which a backend accepts no files for a report anymore. */
const EXPIRED_AFTER = 7 * 86_400_000

const LONGEST_NOTE = 5_000

/** Name of the lock of the tab that delivers. */
const LOCK = 'chartroom.reports'

/**
 * Sends the recording of the last minutes to the app's own project when something goes wrong, or when the user
 * asks for it. The project needs the migration of `chartroom reports init`. Recordings contain no secrets;
 * the guide about reports lists what is sent. A client without a recording can deliver the one of an app's own
 * machines (`recording`).
 * @throws TypeError if the options are not usable
 */
export function reportTo(client: RecordedClient, options?: ReportToOptions): Reporter
export function reportTo(
  client: ChartroomClient,
  options: ReportToOptions & Required<Pick<ReportToOptions, 'recording'>>,
): Reporter
export function reportTo(client: ChartroomClient, options: ReportToOptions = {}): Reporter {
  return createReporter(client, checked(client, options), {
    now: () => Date.now(),
    random: createEntropy().random,
    id: createEntropy().id,
    outbox: openOutbox(options.database ?? 'chartroom.reports'),
    locks: (globalThis.navigator as { readonly locks?: LockManager } | undefined)?.locks,
    page: 'addEventListener' in globalThis ? globalThis : undefined,
  })
}

type Checked = Required<Omit<ReportToOptions, 'database' | 'budget'>> & {
  readonly budget: Required<NonNullable<ReportToOptions['budget']>>
}

function checked(client: ChartroomClient, options: ReportToOptions): Checked {
  const { on = [], sample = 1, consent, budget, recording = client.recording } = options
  if (recording === undefined)
    throw new TypeError(
      'A report contains the recording of the client: create it with `recording: recordEverything({ steps: false, ring: { minutes: 5 } })`, or pass the recording of your own machines to `reportTo`.',
    )
  if (on.includes('invariant') && client.recording === undefined)
    throw new TypeError(
      "'invariant' reports the client's own invariants, and the client is not recorded. Leave it out of `on`.",
    )
  if (on.length > 0 && !consent)
    throw new TypeError('Automatic reports need `consent`, a function that returns whether the user agreed.')
  if (!(sample >= 0 && sample <= 1)) throw new TypeError('`sample` is a share from 0 to 1.')
  return {
    on,
    recording,
    traceparent: options.traceparent ?? (() => undefined),
    consent: consent ?? (() => false),
    sample,
    budget: { ...DAILY_BUDGET, ...budget },
    appVersion: options.appVersion ?? '',
    userId: options.userId ?? false,
    table: options.table ?? REPORTS_TABLE,
    bucket: options.bucket ?? REPORTS_BUCKET,
  }
}

type ActorClock = NonNullable<ActorOptions<typeof reporterMachine>['clock']>

/** What a reporter needs of the platform. */
export interface ReporterWorld {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  readonly id: () => string
  readonly outbox: Promise<Outbox>
  /** The locks of the browser, so that one tab delivers. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  /** For the pauses between attempts. */
  readonly clock?: ActorClock
  /** Sources of errors, and of the moments at which a delivery should be tried again. */
  readonly page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined
}

/** The parts of a client that a reporter uses. */
type ReportedClient = Pick<ChartroomClient, 'recording' | 'fetch' | 'status' | 'onStatus'>

/** A request without its cause; the machine knows ids only. */
type Details = NewReport & { readonly happenedAt: string; readonly context: TraceContext | undefined }

export function createReporter(client: ReportedClient, options: Checked, world: ReporterWorld): Reporter {
  const { text: redacted } = createRedactor()
  const isSampled = world.random() < options.sample
  const details = new Map<string, Details>()
  const settled = new Listeners<[id: string, outcome: ReportOutcome]>()
  const lock = createDeliveryLock(world.locks)

  /** Returns why a report is not made, if so. */
  const declinedFor = async ({ kind, fingerprint }: ReportCause): Promise<ReportDeclined | undefined> => {
    const { reports, bytes, fingerprints } = await spentToday(await world.outbox, world)
    if (reports >= options.budget.reports || bytes >= options.budget.bytes) return 'budget'
    if (kind === 'user') return undefined
    if (!isSampled) return 'notSampled'
    if (fingerprints.includes(fingerprint)) return 'repeated'
    return (await options.consent()) ? undefined : 'consent'
  }

  const capture = async ({ id, cause }: ReportRequest): Promise<CaptureEvent> => {
    const { note = '', picture, withUser, happenedAt = '', context } = details.get(id) ?? {}
    const traceparent = context && traceparentOf(context)
    const trace = await fileOf(options.recording, { traceparent })
    const outbox = await world.outbox
    await outbox.put({
      id,
      cause,
      happenedAt,
      appVersion: options.appVersion,
      system: options.recording.trace.header.system,
      traceId: context?.traceId,
      note: redacted(note),
      withUser: withUser ?? (cause.kind !== 'user' && options.userId),
      trace,
      picture,
      attempts: 0,
    })
    const { day, reports, bytes, fingerprints } = await spentToday(outbox, world)
    await outbox.spend({
      day,
      reports: reports + 1,
      bytes: bytes + trace.size + (picture?.size ?? 0),
      fingerprints: [...new Set([...fingerprints, cause.fingerprint])],
    })
    return { type: 'report.captured' }
  }

  const next = async (): Promise<NextReportEvent> => {
    if (!(await lock.take())) return { type: 'outbox.inUse' }
    const outbox = await world.outbox
    const all = await outbox.list()
    const isExpired = ({ happenedAt }: StoredReport) => world.now() - Date.parse(happenedAt) > EXPIRED_AFTER
    for (const { id } of all.filter(isExpired)) await outbox.remove(id)
    const [oldest] = all.filter(report => !isExpired(report)).sort(byAttempts)
    if (oldest) return { type: 'outbox.next', id: oldest.id, attempts: oldest.attempts }
    lock.free()
    return { type: 'outbox.empty' }
  }

  const settle = async ({ id, result }: Settling): Promise<SettleReportEvent> => {
    const outbox = await world.outbox
    const report = await outbox.get(id)
    if (result !== 'failed') await outbox.remove(id)
    else if (report) await outbox.put({ ...report, attempts: report.attempts + 1 })
    lock.free()
    return { type: 'outbox.settled' }
  }

  const send =
    (part: typeof sendRow) =>
    async ({ id }: { readonly id: string }, signal: AbortSignal): Promise<SendPartEvent> => {
      const outbox = await world.outbox
      const report = await outbox.get(id)
      // The app has cleared its storage.
      if (!report) return { type: 'part.sent' }
      return part({ client, place: options, report, signal, urlStorage: uploadUrls(outbox, id) })
    }

  const machine = reporterMachine.provide({
    actors: {
      decideReport: effect<ReportRequest, DecideEvent>(async ({ cause }) => {
        const reason = await declinedFor(cause)
        return reason ? { type: 'report.declined', reason } : { type: 'report.allowed' }
      }),
      captureReport: effect(capture),
      delivery: reportDeliveryMachine.provide({
        actors: {
          nextReport: effect(next),
          announceReport: effect(send(sendRow)),
          attachFiles: effect(send(sendFiles)),
          settleReport: effect(settle),
        },
      }),
    },
  })
  const input = { seed: Math.floor(world.random() * 2 ** 32) }
  const actor = createActor(machine, { input, ...(world.clock && { clock: world.clock }) })
  const stored = new Listeners<[id: string]>()
  actor.on('report.stored', ({ id }) => {
    details.delete(id)
    stored.notify(id)
  })
  actor.on('report.settled', ({ id, outcome }) => {
    details.delete(id)
    settled.notify(id, outcome)
  })
  actor.start()

  const nowText = () => new Date(world.now()).toISOString()
  const request = (cause: ReportCause, report: NewReport, happenedAt = nowText()): string => {
    const id = world.id()
    details.set(id, { ...report, happenedAt, context: contextOf(options) })
    actor.send({ type: 'report.requested', id, cause })
    return id
  }
  let isDisposed = false
  const stop = watchFor(client, options.on, world.page, {
    report: cause => void request(cause, {}),
    reportSignOut(reason) {
      const happenedAt = nowText()
      const send = (trace: ExplainedTrace | undefined) =>
        void (isDisposed || request(causeOfSignOut(reason, trace), {}, happenedAt))
      const trace = explainable(client.recording)
      if (trace instanceof Promise) void trace.then(send)
      else send(trace)
    },
    resume: () => actor.send({ type: 'delivery.resume' }),
  })
  return {
    async report(report = {}) {
      const problem = problemOf(report)
      if (problem !== undefined) throw new TypeError(problem)
      const happenedAt = nowText()
      const cause =
        'error' in report
          ? causeOfError(report.error)
          : causeOfUser(client.status(), await explainable(client.recording))
      return new Promise(resolve => {
        // Both happen after the machine's next step at the earliest.
        const id = request(cause, report, happenedAt)
        const unsubscribe = [
          stored.subscribe(storedId => storedId === id && done({ kind: 'stored', id })),
          settled.subscribe((settledId, outcome) => settledId === id && done(outcome)),
        ]
        const done = (outcome: Reported) => {
          for (const one of unsubscribe) one()
          resolve(outcome)
        }
      })
    },
    onSettled: settled.subscribe,
    pending: async () => (await (await world.outbox).list()).length,
    dispose() {
      isDisposed = true
      stop()
      actor.stop()
      lock.free()
      void world.outbox.then(outbox => outbox.close())
    },
  }
}

/** The client's recording with its steps; undefined if there are none, and none can be derived. */
const explainable = (
  recording: ReportedClient['recording'],
): ExplainedTrace | undefined | Promise<ExplainedTrace | undefined> =>
  recording?.trace.header.steps === false ? derived(recording) : recording?.trace

async function derived({ segments }: ClientRecording): Promise<ExplainedTrace | undefined> {
  try {
    const { withSteps } = await import('./with-steps.ts')
    return await withSteps(segments.recorded())
  } catch {
    return undefined
  }
}

/** The app's own code must not prevent a report. */
function contextOf({ traceparent }: Pick<Checked, 'traceparent'>): TraceContext | undefined {
  try {
    return readTraceContext(traceparent() ?? '')
  } catch {
    return undefined
  }
}

const fileOf = async (recording: ReportedRecording, context: FileContext): Promise<Blob> =>
  'download' in recording
    ? recording.download(context)
    : new Blob([await recording.file(context)], { type: 'application/gzip' })

type Settling = { readonly id: string; readonly result: 'sent' | 'refused' | 'failed' }

/** Reports that failed less often first, then the oldest. */
const byAttempts = (one: StoredReport, b: StoredReport) =>
  one.attempts - b.attempts || (one.happenedAt < b.happenedAt ? -1 : 1)

/** What was reported today; a new day has a new budget. */
async function spentToday(outbox: Outbox, { now }: ReporterWorld): Promise<Spent> {
  const day = new Date(now()).toISOString().slice(0, 10)
  const spent = await outbox.spent()
  return spent?.day === day ? spent : { day, reports: 0, bytes: 0, fingerprints: [] }
}

function problemOf({ note = '', picture }: NewReport): string | undefined {
  if (note.length > LONGEST_NOTE)
    return `The note has ${note.length} characters; ${LONGEST_NOTE} are allowed.`
  if (picture && !isPicture(picture))
    return `The picture is of type "${picture.type}"; PNG, WebP and JPEG are supported.`
  return undefined
}

/** Held while a report is delivered, so that tabs do not deliver the same one. */
function createDeliveryLock(locks: ReporterWorld['locks']) {
  let release: (() => void) | undefined
  return {
    /** False if another tab has it. */
    take: () =>
      new Promise<boolean>((resolve, reject) => {
        if (!locks || release) return resolve(true)
        locks
          .request(LOCK, { ifAvailable: true }, lock => {
            resolve(lock !== null)
            return lock && new Promise<void>(free => (release = free))
          })
          .catch(reject)
      }),
    free() {
      release?.()
      release = undefined
    },
  }
}
