// Remote control of another tab's system, for the console in a separate window.
import { encodeValue, Listeners } from '../../../trace/index.ts'
import type { BreakOn, ControlState } from '../../../services/control/index.ts'
import type { Driven, GoOptions } from '../drive/driven.ts'
import type { Act, DriveNews } from './drive-acts.ts'
import { readNews, readValue, takenOf } from './drive-answers.ts'
import { RemoteCalls } from './remote-calls.ts'
import type { FromApp, FromWindow } from './tab-protocol.ts'

const IDLE: ControlState = {
  hold: undefined,
  waiting: [],
  stale: 0,
  breakpoints: [],
  faults: [],
  speed: 1,
  ahead: 0,
}
const NOTHING: DriveNews = { state: IDLE, actors: [], timers: [] }
const GONE = 'The app is closed or reloading'
const UNREADABLE = 'The answer of the app cannot be read'
/** Responses slower than this mean the tab is gone. Path runs may wait for effects and have no limit. */
const PATIENCE_MS = 5_000

export interface RemoteDriveOptions {
  readonly send: (message: FromWindow) => void
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

function resultOf({ result = 'null', failure }: FromApp & { kind: 'did' }): unknown {
  const found = failure === undefined ? readValue(result) : undefined
  if (!found) throw new Error(failure ?? UNREADABLE)
  return found.value
}

const breakAct = (where: BreakOn, from?: number): Act =>
  from === undefined ? ['breakOn', where] : ['breakOn', where, from]

/**
 * One per window. After the app reloads, its breakpoints are set again; all other control state is lost with
 * the page.
 */
export class RemoteDrive {
  readonly driven: Driven
  readonly #options: RemoteDriveOptions
  readonly #calls = new RemoteCalls<FromApp & { kind: 'did' }>(GONE)
  /** Path runs, by their calls. */
  readonly #runs = new Map<number, GoOptions['onStep']>()
  readonly #listeners = new Listeners()
  readonly #opened = Promise.withResolvers<Driven>()
  #news = NOTHING
  /** When the last state arrived. */
  #at = 0
  #isWanted = false
  #isThere = false

  constructor(options: RemoteDriveOptions) {
    this.#options = options
    this.driven = this.#made()
  }

  /** Requests control of the tab; resolves when it is first available. */
  readonly open = (): Promise<Driven> => {
    this.#isWanted = true
    this.#options.send({ kind: 'drive' })
    return this.#opened.promise
  }

  /** Returns what is wrong with the message, if something is. */
  receive(message: FromApp): string | undefined {
    if (message.kind === 'here' && this.#isWanted) this.#options.send({ kind: 'drive' })
    if (message.kind === 'going') this.#runs.get(message.ask)?.(message.at)
    if (message.kind === 'did') this.#calls.answer(message.ask, message)
    if (message.kind !== 'drive') return undefined
    const news = readNews(message.news)
    if (!news) return 'the state of its control cannot be read'
    this.#take(news)
    return undefined
  }

  /** Clears all state of the system. */
  lose(): void {
    if (!this.#isThere) return
    this.#isThere = false
    // Breakpoints stay visible and are set again after the reload.
    this.#news = { ...NOTHING, state: { ...IDLE, breakpoints: this.#news.state.breakpoints } }
    this.#calls.lose()
    this.#listeners.notify()
  }

  #take(news: DriveNews): void {
    const before = this.#news.state.breakpoints
    const isNewSystem = !this.#isThere && news.state.breakpoints.length === 0
    this.#isThere = true
    this.#news = news
    this.#at = this.#options.now()
    this.#opened.resolve(this.driven)
    if (isNewSystem) for (const { where, from, isOn } of before) if (isOn) this.#do(breakAct(where, from))
    this.#listeners.notify()
  }

  #call(act: Act, limit?: number): { readonly ask: number; readonly done: Promise<unknown> } {
    const { ask, answer } = this.#calls.start(limit, number => {
      if (this.#isThere)
        this.#options.send({ kind: 'do', ask: number, act: JSON.stringify(encodeValue(act)) })
    })
    if (!this.#isThere) this.#calls.lose()
    return { ask, done: answer.then(resultOf) }
  }

  readonly #ask = (act: Act): Promise<unknown> => this.#call(act, PATIENCE_MS).done

  /** The next state message shows whether it took effect. */
  readonly #do = (act: Act): void => void this.#ask(act).catch(() => undefined)

  async #whether(act: Act): Promise<boolean> {
    return (await this.#ask(act).catch(() => false)) === true
  }

  #left(): number {
    const { hold, speed } = this.#news.state
    return hold ? 0 : (this.#options.now() - this.#at) * speed
  }

  #made(): Driven {
    const act = this.#do
    const ahead = () => this.#news.state.ahead
    return {
      subscribe: this.#listeners.subscribe,
      state: () => this.#news.state,
      attend: () => {
        act(['attend'])
        return () => act(['leave'])
      },
      hold: () => act(['hold']),
      step: () => act(['step']),
      release: () => act(['release']),
      send: (path, event) => this.#whether(['send', path, event]),
      emitAs: (path, event) => this.#whether(['emitAs', path, event]),
      actors: () => this.#news.actors,
      timers: () => {
        const passed = this.#left()
        return this.#news.timers.map(timer => ({ ...timer, left: Math.max(0, timer.left - passed) }))
      },
      breakOn: (where, from) => this.#ask(breakAct(where, from)),
      changeBreakpoint: (id, change) => act(['changeBreakpoint', id, change]),
      removeBreakpoint: id => act(['removeBreakpoint', id]),
      faults: {
        set: fault => act(['faults.set', fault]),
        clear: kind => act(kind === undefined ? ['faults.clear'] : ['faults.clear', kind]),
        killSockets: async () => Number(await this.#ask(['faults.killSockets']).catch(() => 0)),
      },
      time: {
        get ahead() {
          return ahead()
        },
        setSpeed: speed => act(['time.setSpeed', speed]),
        toReal: () => act(['time.toReal']),
        toNextDeadline: () => act(['time.toNextDeadline']),
        fire: number => act(['time.fire', number]),
        skip: number => act(['time.skip', number]),
      },
      takeMeThere: async (path, steps, { signal, onStep, payloads }) => {
        const { ask, done } = this.#call(['go', path, steps, payloads])
        this.#runs.set(ask, onStep)
        const halt = () => this.#options.send({ kind: 'halt', ask })
        signal.addEventListener('abort', halt, { once: true })
        const stopped = (reason: string) => ({ outcome: 'stopped', at: 0, reason }) as const
        try {
          return takenOf(await done) ?? stopped(UNREADABLE)
        } catch (error) {
          return stopped(String(error))
        } finally {
          this.#runs.delete(ask)
          signal.removeEventListener('abort', halt)
        }
      },
    }
  }
}
