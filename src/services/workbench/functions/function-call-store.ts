// Function calls of one user and connection: the draft, the pending call, and the history.
import { StateStore } from '../storage/state-store.ts'
import { throttle } from '../../runtime/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { createFunctionCall, type FunctionCall, functionCallState } from '../jobs/create-function-call.ts'
import type { AccountClient } from '../accounts/accounts.ts'
import {
  draftProblems,
  EMPTY_DRAFT,
  type Draft,
  type DraftFiles,
  type DraftProblems,
  draftSchema,
} from './call-draft.ts'
import {
  entryOf,
  filesFor,
  isSameDraft,
  withEntry,
  wasSent,
  type HistoryEntry,
  besideOthers,
  historySchema,
  withoutSecrets,
} from './call-history.ts'
import { callTimes, outgoingCall } from './call-request.ts'
import { callState, isUnderWay, NO_CALL, type CallState, type Sent } from './call-state.ts'
import { keptResponse, type KeptResponses, keptWith, NO_RESPONSES } from './kept-responses.ts'
import { Sending } from './send-call.ts'
import { safeParse } from 'valibot'
import { readSetting, writeSetting } from '../storage/local-store.ts'
import { readInTab, writeInTab } from '../storage/tab-store.ts'

export interface FunctionCallState {
  readonly draft: Draft
  readonly files: DraftFiles
  readonly problems: DraftProblems
  /** The draft before another one was loaded over it. */
  readonly before: Draft | undefined
  readonly call: CallState
  readonly history: readonly HistoryEntry[]
  /** Responses of calls in the history that this page made. */
  readonly responses: KeptResponses
}

export type Caller = Pick<AccountClient, 'fetch' | 'client'>
type Callers = (as: string) => Caller | undefined

export interface FunctionCallParts {
  readonly url: string
  /** Storage name, per connection and user. */
  readonly name: string
  readonly first: Partial<Draft>
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** ISO date and time. */
  readonly wall: () => string
  /** Called with the call's own recording. */
  readonly onCalled?: (name: string, job: FunctionCall, by: ChartroomClient) => void
}

const SIGNED_OUT = 'This account is signed out. Choose another caller.'
/** A stream may update a thousand times a second; render less often. */
const SHOW_EVERY_MS = 60

/** A sent call with its machine. */
interface PreparedCall {
  readonly sent: Sent
  readonly sending: Sending
  readonly job: FunctionCall
  readonly by: ChartroomClient
}

/** Lives as long as its client: a call continues while another page is shown. */
export class FunctionCallStore extends StateStore<FunctionCallState> {
  readonly #parts: FunctionCallParts
  readonly #first: Draft
  #callers: Callers = () => undefined
  #calls = 0
  #prepared: PreparedCall | undefined
  readonly #showing = throttle(
    () => this.#show(),
    () => SHOW_EVERY_MS,
  )

  constructor(parts: FunctionCallParts) {
    const first = { ...EMPTY_DRAFT, ...parts.first }
    super({
      ...readCalls(parts.name, first),
      files: {},
      problems: {},
      before: undefined,
      call: NO_CALL,
      responses: NO_RESPONSES,
    })
    this.#parts = parts
    this.#first = first
  }

  /** Sets the lookup of callers by account; it returns undefined for an account that is signed out. */
  readonly callThrough = (callers: Callers): void => {
    this.#callers = callers
  }

  readonly edit = (change: Partial<Draft>): void => {
    const { draft: before, problems: shownProblems, files } = this.state()
    const draft = { ...before, ...change }
    // A displayed problem disappears when it is fixed.
    const problems = Object.keys(shownProblems).length === 0 ? shownProblems : draftProblems(draft, files)
    this.update({ draft, problems, before: undefined })
  }

  /** Sets the file of a form part or of the whole body. */
  readonly choose = (id: string, file: File): void =>
    this.update({ files: { ...this.state().files, [id]: file }, problems: {} })

  /** Sends the draft; returns false if it is invalid. */
  readonly send = (): boolean => {
    if (isUnderWay(this.state().call)) return false
    const { draft } = this.state()
    const files = filesFor(draft, this.state().files)
    const caller = this.#callers(draft.as)
    const problems = { ...draftProblems(draft, files), ...(caller ? {} : { as: SIGNED_OUT }) }
    this.update({ problems })
    if (caller === undefined || Object.keys(problems).length > 0) return false
    this.#run(draft, files, caller)
    return true
  }

  readonly stop = (): void => {
    if (isUnderWay(this.state().call))
      this.#prepared?.job.actor.send({ type: 'call.cancel', duration: this.#prepared.sending.since() })
  }

  /** Loads a call from the history or an example; `restore` reverts it. */
  readonly load = (draft: Draft): void => {
    if (isSameDraft(draft, this.state().draft)) return
    const { draft: before, history } = this.state()
    const isAtHand = isSameDraft(before, this.#first) || wasSent(before, history)
    this.update({ draft, before: isAtHand ? undefined : before, problems: {} })
  }

  readonly restore = (): void => {
    const { before } = this.state()
    if (before) this.update({ draft: before, before: undefined, problems: {} })
  }

  readonly forget = (id: string): void =>
    this.#keep(
      this.state().history.filter(entry => entry.id !== id),
      this.state().responses,
    )

  readonly clearHistory = (): void => this.#keep([], NO_RESPONSES)

  /** The bytes of the shown response. */
  readonly answer = (): Blob | undefined => this.#prepared?.sending.blob()

  /** The recording of the shown call, for its own console. */
  readonly job = (): FunctionCall | undefined => this.#prepared?.job

  /** The client that made the shown call. */
  readonly calledBy = (): ChartroomClient | undefined => this.#prepared?.by

  #run(draft: Draft, files: DraftFiles, { fetch, client }: Caller) {
    const { url, now, wall } = this.#parts
    const call = outgoingCall(draft, files)
    const sent = { id: ++this.#calls, draft, path: call.path, sentAt: wall() }
    const { ask: onPiece, now: show } = this.#showing
    const sending = new Sending({ fetch, url, requestOptions: callTimes(draft), call, now, onPiece })
    const { method, name } = draft
    const as = draft.as === 'user' ? 'user' : draft.as === 'public' ? 'anybody' : 'otherAccount'
    const job = createFunctionCall({ method, name, as, call: sending.call, measure: sending.measure })
    this.#prepared = { sent, sending, job, by: client }
    this.#parts.onCalled?.(`Call of ${name}`, job, client)
    this.update({ call: { phase: 'sending', ...sent } })
    show()
    job.actor.subscribe(show)
  }

  /** Publishes the state of the last call. */
  #show() {
    const prepared = this.#prepared
    if (!prepared) return
    const { call: before, history, responses } = this.state()
    const call = callState(
      prepared.sent,
      functionCallState(prepared.job.actor.getSnapshot()),
      prepared.sending.received(),
    )
    const isOver = isUnderWay(before) && call.phase !== 'none' && !isUnderWay(call)
    this.update({ call })
    if (!isOver) return
    const entry = entryOf(call)
    const response = keptResponse(call)
    this.#keep(
      withEntry(history, entry),
      response === undefined ? responses : new Map([...responses, [entry.id, response]]),
    )
  }

  /** Sets the history; responses of calls that left it are forgotten. */
  #keep(history: readonly HistoryEntry[], responses: KeptResponses) {
    this.update({
      history,
      responses: keptWith(
        responses,
        history.map(({ id }) => id),
      ),
    })
  }

  protected override update(change: Partial<FunctionCallState>): void {
    const before = this.state()
    super.update(change)
    keepCalls(this.#parts.name, before, this.state())
  }
}

interface KeptCalls {
  readonly draft: Draft
  readonly history: readonly HistoryEntry[]
}

const nameOf = (what: keyof KeptCalls, owner: string) => `functions.${what}.${owner}`

function draftOfTab(owner: string): Draft | undefined {
  try {
    const read = safeParse(draftSchema, JSON.parse(readInTab(nameOf('draft', owner)) ?? 'null'))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/**
 * A new tab starts with the draft last edited in any tab.
 *
 * @param owner connection and user
 */
export const readCalls = (owner: string, first: Draft): KeptCalls => ({
  draft: draftOfTab(owner) ?? readSetting(nameOf('draft', owner), draftSchema, first),
  history: readSetting(nameOf('history', owner), historySchema, []),
})

/** Stores what changed, without secrets. */
export function keepCalls(owner: string, before: KeptCalls, now: KeptCalls): void {
  if (now.draft !== before.draft) {
    const draft = withoutSecrets(now.draft)
    writeInTab(nameOf('draft', owner), JSON.stringify(draft))
    writeSetting(nameOf('draft', owner), draft)
  }
  if (now.history === before.history) return
  const stored = readSetting(nameOf('history', owner), historySchema, before.history)
  writeSetting(nameOf('history', owner), besideOthers(stored, before.history, now.history))
}
