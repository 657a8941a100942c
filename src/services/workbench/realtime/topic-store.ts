// State of one topic: its channel, log, presence, and message draft.
import { StateStore } from '../storage/state-store.ts'
import { throttle } from '../../runtime/index.ts'
import type { ChannelHandle, ChannelStatus, ChartroomClient, ChannelEvents } from '../../client/index.ts'
import { wallTime } from '../text/format.ts'
import { MessageLog, type NewEntry } from './message-log.ts'
import { Meters } from './meters.ts'
import { firstState, LEFT, type TopicState, describeState } from './describe-topic.ts'
import { EMPTY_TOPIC_DRAFT, outgoingOf, ownStateOf, type TopicDraft } from './topic-draft.ts'
import { channelOptions, type TopicSettings } from './topic-settings.ts'
import { nameOf, withoutMark } from './people.ts'
import { rowDiff } from './row-diff.ts'

export interface TopicParts {
  readonly client: ChartroomClient
  readonly topic: string
  readonly settings: TopicSettings
  readonly draft?: TopicDraft
  readonly user: { readonly key: string; readonly name: string }
  /** Called when stored data changes. */
  readonly onKept: () => void
}

/** Batches rendering when thousands of messages arrive per second. */
const SHOW_EVERY_MS = 60

/** Lives as long as its client: messages arrive while another page is shown. */
export class TopicStore extends StateStore<TopicState> {
  readonly topic: string
  readonly log = new MessageLog()
  readonly meters = new Meters()
  readonly user: TopicParts['user']
  readonly #client: ChartroomClient
  readonly #onKept: () => void
  #handle: ChannelHandle | undefined
  readonly #showing = throttle(
    () => {
      const unreadCount = this.#isWatched ? 0 : this.state().unreadCount + this.#unreadCount
      this.#unreadCount = 0
      this.update({ version: this.state().version + 1, unreadCount })
    },
    () => SHOW_EVERY_MS,
  )
  #isWatched = false

  constructor({ client, topic, settings, draft = EMPTY_TOPIC_DRAFT, user, onKept }: TopicParts) {
    super(firstState(settings, draft, user.name))
    this.#client = client
    this.topic = topic
    this.user = user
    this.#onKept = onKept
  }

  /** Joins, or joins again after a refusal. */
  readonly join = (): void => {
    this.#release()
    const { settings } = this.state()
    const wall = wallTime(this.#client.now()).getTime()
    const handle = this.#client.channel(this.topic, channelOptions(settings, this.user.key, wall))
    this.#handle = handle
    logChannelEvents(
      handle,
      () => this.#client.now(),
      entry => this.#receive(entry),
    )
    handle.on('presence', presence => this.update({ presence }))
    handle.on('status', status => this.#follow(status))
    this.update({ isIn: true, status: handle.status(), presence: handle.presence() })
    if (this.state().isShown) void this.show()
    this.#onKept()
  }

  /** Leaves; the log is kept. */
  readonly leave = (): void => {
    if (!this.state().isIn) return
    this.pause()
    this.#note('left')
    this.update({ isIn: false })
    this.#onKept()
  }

  /** Leaves the topic temporarily: it is rejoined later. */
  readonly pause = (): void => {
    this.#release()
    this.update({ status: LEFT, presence: {} })
  }

  /** Joins with other settings. */
  readonly configure = (settings: TopicSettings): void => {
    const isShown = settings.presence && (this.state().isShown || !this.state().settings.presence)
    this.update({ settings, isShown })
    this.#note('settings', 'rejoined with new settings')
    this.join()
  }

  readonly edit = (change: Partial<TopicDraft>): void => {
    this.update({ draft: { ...this.state().draft, ...change }, problem: undefined, ownProblem: undefined })
    this.#onKept()
  }

  /** Sends the draft; text is cleared once it is being sent. */
  readonly sendDraft = (): void => {
    const { draft } = this.state()
    const at = wallTime(this.#client.now()).toISOString()
    const outgoing = outgoingOf(draft, this.user.name, at)
    if ('problem' in outgoing) return this.update({ problem: outgoing.problem })
    if (draft.mode === 'words') this.edit({ words: '' })
    void this.send(outgoing.event, outgoing.payload)
  }

  /** Sends a message and logs the result. */
  readonly send = async (event: string, payload: unknown): Promise<void> => {
    const handle = this.#handle
    if (!handle) return
    const at = this.#client.now()
    const id = this.log.add({ at, direction: 'out', kind: 'broadcast', event, payload, phase: 'sending' })
    this.meters.count('out', at)
    this.#changed(false)
    const result = await handle.send(event, payload)
    const latency = this.#client.now() - at
    const { ack } = this.state().settings
    if (!result.ok) this.log.settle(id, { phase: 'failed', problem: result.failure.message })
    else this.log.settle(id, { phase: 'sent', ...(ack && { latency }) })
    if (result.ok && ack) this.meters.addLatency({ at: at + latency, ms: latency, of: 'ack' })
    this.#changed(false)
  }

  /** Shares the user's state as entered. */
  readonly show = async (): Promise<void> => {
    const ownState = ownStateOf(this.state().draft.own)
    if ('problem' in ownState) return this.update({ ownProblem: ownState.problem })
    this.update({ isShown: true, ownProblem: undefined })
    // Before the join, the channel stores it and sends it after joining.
    await this.#handle?.track(ownState.meta)
  }

  readonly hide = async (): Promise<void> => {
    this.update({ isShown: false })
    await this.#handle?.untrack()
  }

  readonly clear = (): void => {
    this.log.clear()
    this.#changed(false)
  }

  /** Marks the topic as visible; returns a function that ends that. */
  readonly watch = (): (() => void) => {
    this.#isWatched = true
    this.update({ unreadCount: 0 })
    return () => {
      this.#isWatched = false
    }
  }

  #release() {
    this.#handle?.leave()
    this.#handle = undefined
  }

  #receive(entry: NewEntry) {
    const { at, kind, latency } = entry
    const isNews = kind === 'broadcast' || kind === 'change'
    this.log.add(entry)
    if (isNews) this.meters.count('in', at)
    if (latency !== undefined) this.meters.addLatency({ at, ms: latency, of: 'change' })
    this.#changed(isNews)
  }

  #follow(status: ChannelStatus) {
    const before = this.state().status
    this.update({ status })
    const text = describeState(before, status)
    if (text !== undefined) this.#note(text, status.reason)
  }

  /** Logs an event of the channel itself. */
  #note(event: string, payload?: unknown) {
    this.log.add({ at: this.#client.now(), direction: 'note', kind: 'state', event, payload })
    this.#changed(false)
  }

  #unreadCount = 0

  #changed(isNews: boolean) {
    if (isNews && !this.#isWatched) this.#unreadCount += 1
    this.#showing.ask()
  }
}

/** Receives each entry; a `note` concerns the channel itself. */
type LogEvent = (entry: NewEntry) => void

/** A larger difference between the two clocks measures the clocks rather than the latency. */
const CREDIBLE_MS = 60_000

const isReplayed = (meta: unknown): boolean =>
  typeof meta === 'object' && meta !== null && Reflect.get(meta, 'replayed') === true

function changeEntry(change: ChannelEvents['change'], at: number): NewEntry {
  const latency = wallTime(at).getTime() - Date.parse(change.commitTimestamp)
  return {
    at,
    direction: 'in',
    kind: 'change',
    event: `${change.type} ${change.schema}.${change.table}`,
    payload: change,
    detail: rowDiff(change),
    ...(latency >= 0 && latency < CREDIBLE_MS && { latency }),
  }
}

/** Listens until the handle is left. */
export function logChannelEvents(handle: ChannelHandle, now: () => number, report: LogEvent): void {
  const entryOf = (kind: NewEntry['kind'], event: string, payload: unknown) =>
    report({ at: now(), direction: kind === 'state' ? 'note' : 'in', kind, event, payload })
  const changedEntry = ({ key, metas }: ChannelEvents['join'], how: string) =>
    report({
      at: now(),
      direction: 'in',
      kind: 'presence',
      event: `${nameOf(key, metas)} ${how}`,
      payload: metas,
      detail: metas.map(withoutMark),
    })
  handle.on('broadcast', ({ event, payload, meta }) =>
    entryOf('broadcast', isReplayed(meta) ? `${event} (replayed)` : event, payload),
  )
  handle.on('change', change => report(changeEntry(change, now())))
  handle.on('join', joined => changedEntry(joined, 'joined'))
  handle.on('leave', left => changedEntry(left, 'left'))
  handle.on('system', ({ extension, status, message }) =>
    entryOf('system', `${extension}: ${status}`, message),
  )
  handle.on('gap', ({ reason = 'no reason given' }) =>
    entryOf('state', 'gap', `row changes may be missing from here on: ${reason}`),
  )
}
