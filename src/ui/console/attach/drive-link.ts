// The app's end of remote control from a console window: runs its commands and reports the system's state.
import { createRedactor, decodeValue, encodeValue, type Json } from '../../../trace/index.ts'
import { driven, type Driven, type DrivenBy, handOver } from '../drive/driven.ts'
import { messageOf } from '../text.ts'
import { perform, type Act, type DriveNews, type Way } from './drive-acts.ts'
import type { AppWire } from './tab-link.ts'
import type { FromWindow } from './tab-protocol.ts'

/** Keeps the system controllable while a window is connected; without one, the system runs freely. */
export class DriveLink {
  readonly #wire: AppWire
  readonly #handle: Pick<DrivenBy, 'open'> | undefined
  readonly #ways = new Map<number, AbortController>()
  #driven: Driven | undefined
  #opening: Promise<void> = Promise.resolve()
  #unsubscribe: (() => void) | undefined
  /** The last state sent, without values that change as time passes. */
  #sent = ''
  /** Releases the attendance taken for the window. */
  #leave: (() => void) | undefined

  constructor(wire: AppWire, handle: Pick<DrivenBy, 'open'> | undefined) {
    this.#wire = wire
    this.#handle = handle
  }

  get isDriven(): boolean {
    return this.#driven !== undefined
  }

  /** Handles a message and returns whether it was a control message. */
  receive(message: FromWindow): boolean {
    if (message.kind === 'drive') this.#opening = this.#open().catch(() => undefined)
    else if (message.kind === 'do') void this.#do(message.ask, message.act)
    else if (message.kind === 'halt') this.#ways.get(message.ask)?.abort()
    return message.kind === 'drive' || message.kind === 'do' || message.kind === 'halt'
  }

  /** Sends the state if it changed. Called several times a second. */
  report(isDue = false): void {
    if (!this.#driven) return
    const news = driveStateOf(this.#driven)
    const { state, actors, timers } = news
    const lasting = [
      state.hold?.seq,
      state.waiting.length,
      actors,
      timers.map(({ number, isDue }) => [number, isDue]),
    ]
    const encoded = JSON.stringify(encodeValue([lasting, { ...state, ahead: 0 }]))
    if (encoded === this.#sent && !isDue) return
    this.#sent = encoded
    this.#wire.send({ kind: 'drive', news: JSON.stringify(encodeValue(news)) })
  }

  /** Moves control back to the console in the app. */
  handOver(): void {
    if (this.#driven) handOver(this.#driven)
  }

  /** Stops control by the window. */
  rest(): void {
    this.#unsubscribe?.()
    for (const way of this.#ways.values()) way.abort()
    this.#attend(false)
    this.#driven = undefined
    this.#sent = ''
  }

  #attend(isThere: boolean): void {
    if (isThere) this.#leave ??= this.#driven?.attend()
    else this.#leave?.()
    if (!isThere) this.#leave = undefined
  }

  async #open(): Promise<void> {
    const opened = await this.#handle?.open()
    if (!opened) return
    this.#unsubscribe?.()
    this.#driven = driven(opened)
    this.#attend(true)
    // A pause is sent in the same task, not with the next interval.
    this.#unsubscribe = this.#driven.subscribe(() => this.report())
    this.#sent = ''
    this.report()
  }

  #act(system: Driven, act: Act, way: Way): unknown {
    if (act[0] === 'attend' || act[0] === 'leave') return this.#attend(act[0] === 'attend')
    return perform(system, act, way)
  }

  async #do(ask: number, text: string): Promise<void> {
    const controller = new AbortController()
    this.#ways.set(ask, controller)
    try {
      await this.#opening
      if (!this.#driven) throw new Error('this app cannot be controlled')
      const onStep = (at: number) => this.#wire.send({ kind: 'going', ask, at })
      const act = decodeValue(JSON.parse(text) as Json) as Act
      const way = { signal: controller.signal, onStep }
      const result = await this.#act(this.#driven, act, way)
      this.#wire.send({ kind: 'did', ask, result: JSON.stringify(encodeValue(result ?? null)) })
    } catch (error) {
      this.#wire.send({ kind: 'did', ask, failure: messageOf(error) })
    } finally {
      this.#ways.delete(ask)
      this.report()
    }
  }
}

/** Of the queued events, only the next one is sent in full, with secrets redacted. */
function driveStateOf(system: Driven): DriveNews {
  const state = system.state()
  const { value: hide } = createRedactor()
  const waiting = state.waiting.map((one, at) => ({
    ...one,
    event: at === 0 ? hide(one.event) : { type: one.event.type },
  }))
  return {
    state: { ...state, waiting, ahead: system.time.ahead },
    actors: system.actors().map(({ path, kind, src, value }) => ({ path, kind, src, value })),
    timers: system.timers().map(timer => ({ ...timer, event: { type: timer.event.type } })),
  }
}
