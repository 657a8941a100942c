// The work on functions of one user of one connection: the call being written, the one under way, those before.
import type { ChartroomClient } from '../../../index.ts'
import { draftProblems, EMPTY_DRAFT, type Draft, type DraftFiles, type DraftProblems } from './call-draft.ts'
import { entryOf, filesFor, isSameDraft, withEntry, wasSent, type HistoryEntry } from './call-history.ts'
import { callTimes, outgoingCall } from './call-request.ts'
import { callReducer, isUnderWay, NO_CALL, type CallEvent, type CallState } from './call-state.ts'
import { keepCalls, readCalls } from './kept-calls.ts'
import type { Receiver } from './received.ts'
import { sendCall } from './send-call.ts'

export interface DeskState {
  readonly draft: Draft
  readonly files: DraftFiles
  readonly problems: DraftProblems
  /** What was being written before something else was loaded over it. */
  readonly before: Draft | undefined
  readonly call: CallState
  readonly history: readonly HistoryEntry[]
}

type Callers = (as: string) => ChartroomClient['fetch'] | undefined

export interface DeskParts {
  readonly url: string
  /** Under which it is kept: of one connection and one user. */
  readonly name: string
  readonly first: Partial<Draft>
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
  /** ISO time of day. */
  readonly wall: () => string
}

/** Who calls through the client in use: the user, or anybody. */
const OWN_CALLERS: ReadonlySet<string> = new Set(['user', 'public'])
const SIGNED_OUT = 'This account is signed out. Choose who calls.'
/** A stream may move a thousand times a second; nobody sees more than this. */
const SHOW_EVERY_MS = 60

/** Lives as long as its client: a call goes on while another page is shown. */
export class FunctionsDesk {
  readonly #parts: DeskParts
  readonly #listeners = new Set<() => void>()
  readonly #first: Draft
  #callers: Callers = () => undefined
  #state: DeskState
  #calls = 0
  #began = 0
  #running: AbortController | undefined
  #receiver: Receiver | undefined
  #showing: ReturnType<typeof setTimeout> | undefined

  constructor(parts: DeskParts) {
    this.#parts = parts
    const first = (this.#first = { ...EMPTY_DRAFT, ...parts.first })
    this.#state = {
      ...readCalls(parts.name, first),
      files: {},
      problems: {},
      before: undefined,
      call: NO_CALL,
    }
  }

  /** Tells how to call as somebody; undefined for who is not signed in any more. */
  readonly callThrough = (callers: Callers): void => {
    this.#callers = callers
  }

  readonly state = (): DeskState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly edit = (change: Partial<Draft>): void => {
    const { draft: before, problems: told, files } = this.#state
    const draft = { ...before, ...change }
    // Once told, a problem goes as soon as it is mended.
    const problems = Object.keys(told).length === 0 ? told : draftProblems(draft, files)
    this.#show({ draft, problems, before: undefined })
  }

  /** Puts a file under the id of a form part, or of the whole body. */
  readonly choose = (id: string, file: File): void =>
    this.#show({ files: { ...this.#state.files, [id]: file }, problems: {} })

  /** Sends what is written; false when something must be put right first. */
  readonly send = (): boolean => {
    if (isUnderWay(this.#state.call)) return false
    const { draft } = this.#state
    const files = filesFor(draft, this.#state.files)
    const fetch = this.#callers(draft.as)
    const problems = { ...draftProblems(draft, files), ...(fetch ? {} : { as: SIGNED_OUT }) }
    this.#show({ problems })
    if (fetch === undefined || Object.keys(problems).length > 0) return false
    void this.#run(draft, files, fetch)
    return true
  }

  readonly stop = (): void => {
    const { call } = this.#state
    if (!isUnderWay(call)) return
    this.#moved()
    this.#tell({ type: 'call.stopped', id: call.id, duration: this.#parts.now() - this.#began })
    this.#running?.abort()
  }

  /** Takes a call from the history, or an example; `restore` takes that back. */
  readonly load = (draft: Draft): void => {
    if (isSameDraft(draft, this.#state.draft)) return
    const { draft: before, history } = this.#state
    const isAtHand = isSameDraft(before, this.#first) || wasSent(before, history)
    this.#show({ draft, before: isAtHand ? undefined : before, problems: {} })
  }

  readonly restore = (): void => {
    const { before } = this.#state
    if (before) this.#show({ draft: before, before: undefined, problems: {} })
  }

  readonly forget = (id: string): void =>
    this.#show({ history: this.#state.history.filter(entry => entry.id !== id) })

  readonly clearHistory = (): void => this.#show({ history: [] })

  /** The bytes of the answer on show. */
  readonly answer = (): Blob | undefined => {
    const { call } = this.#state
    if (call.phase === 'none' || call.phase === 'sending' || !call.head) return undefined
    return this.#receiver?.blob(call.head.type)
  }

  async #run(draft: Draft, files: DraftFiles, fetch: ChartroomClient['fetch']): Promise<void> {
    const { url, now, wall } = this.#parts
    const call = outgoingCall(draft, files)
    const id = ++this.#calls
    this.#began = now()
    this.#receiver = undefined
    this.#running = new AbortController()
    const { signal } = this.#running
    this.#tell({ type: 'call.sent', id, draft, path: call.path, sentAt: wall() })
    // Those of other accounts are in no recording that the console has.
    const isOwn = OWN_CALLERS.has(draft.as)
    const onStart = (request: string) => isOwn && this.#tell({ type: 'request.started', id, request })
    await sendCall(
      { fetch, asked: { ...callTimes(draft), onStart }, url, call, signal, now },
      {
        onHead: head => this.#tell({ type: 'call.answered', id, head }),
        onBody: receiver => this.#receive(receiver),
        onEnd: (receiver, duration) => {
          this.#receive(receiver)
          this.#tell({ type: 'body.ended', id, body: receiver.body(), duration })
        },
        onFailure: (failure, duration) => {
          this.#moved()
          this.#tell({ type: 'call.failed', id, failure, duration })
        },
        onLine: line => this.#tell({ type: 'line.measured', id, line }),
      },
    )
  }

  #receive(receiver: Receiver) {
    // A call that was stopped may still have something on the way.
    if (!isUnderWay(this.#state.call)) return
    this.#receiver = receiver
    if (this.#showing === undefined) this.#showing = setTimeout(() => this.#moved(), SHOW_EVERY_MS)
  }

  /** Shows what has come so far. */
  #moved() {
    clearTimeout(this.#showing)
    this.#showing = undefined
    const { call } = this.#state
    if (call.phase === 'receiving' && this.#receiver)
      this.#tell({ type: 'body.moved', id: call.id, body: this.#receiver.body() })
  }

  #tell(event: CallEvent) {
    const { call: before, history } = this.#state
    const call = callReducer(before, event)
    if (call === before) return
    const isOver = isUnderWay(before) && call.phase !== 'none' && !isUnderWay(call)
    this.#show({ call, ...(isOver ? { history: withEntry(history, entryOf(call)) } : {}) })
  }

  #show(change: Partial<DeskState>) {
    const before = this.#state
    this.#state = { ...before, ...change }
    keepCalls(this.#parts.name, before, this.#state)
    for (const listener of this.#listeners) listener()
  }
}
