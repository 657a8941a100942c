// The app's end of driving from a window of its own: does what that asks for, and tells how the system is.
import { encodeValue, type Json } from '../../../trace/codec.ts'
import { decodeValue } from '../../../trace/codec-decode.ts'
import { createRedactor } from '../../../trace/redact.ts'
import { driven, type Driven, type DrivenBy } from '../drive/driven.ts'
import { messageOf } from '../text.ts'
import { perform, type Act, type DriveNews, type Way } from './drive-acts.ts'
import { handOver } from './hand-over.ts'
import type { AppWire } from './tab-link.ts'
import type { FromWindow } from './tab-protocol.ts'

/** Drives for as long as a window is there; without one the system goes on by itself. */
export class DriveLink {
  readonly #wire: AppWire
  readonly #handle: Pick<DrivenBy, 'open'> | undefined
  readonly #ways = new Map<number, AbortController>()
  #driven: Driven | undefined
  #opening: Promise<void> = Promise.resolve()
  #unsubscribe: (() => void) | undefined
  /** What was told last, but for what passes by itself. */
  #told = ''
  /** Ends that somebody looks on. */
  #leave: (() => void) | undefined

  constructor(wire: AppWire, handle: Pick<DrivenBy, 'open'> | undefined) {
    this.#wire = wire
    this.#handle = handle
  }

  get isDriven(): boolean {
    return this.#driven !== undefined
  }

  /** Whether the message was about driving. */
  hear(said: FromWindow): boolean {
    if (said.kind === 'drive') this.#opening = this.#open().catch(() => undefined)
    else if (said.kind === 'do') void this.#do(said.ask, said.act)
    else if (said.kind === 'halt') this.#ways.get(said.ask)?.abort()
    return said.kind === 'drive' || said.kind === 'do' || said.kind === 'halt'
  }

  /** To be called some times a second: tells what became another. */
  tell(isDue = false): void {
    if (!this.#driven) return
    const news = newsOf(this.#driven)
    const { state, actors, timers } = news
    const lasting = [
      state.hold?.seq,
      state.waiting.length,
      actors,
      timers.map(({ number, isDue }) => [number, isDue]),
    ]
    const told = JSON.stringify(encodeValue([lasting, { ...state, ahead: 0 }]))
    if (told === this.#told && !isDue) return
    this.#told = told
    this.#wire.say({ kind: 'drive', news: JSON.stringify(encodeValue(news)) })
  }

  /** The console comes back into the app. */
  handOver(): void {
    if (this.#driven) handOver(this.#driven)
  }

  /** Nobody drives any more. */
  rest(): void {
    this.#unsubscribe?.()
    for (const way of this.#ways.values()) way.abort()
    this.#attend(false)
    this.#driven = undefined
    this.#told = ''
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
    // A hold is told in the same task, not with the next beat.
    this.#unsubscribe = this.#driven.subscribe(() => this.tell())
    this.#told = ''
    this.tell()
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
      if (!this.#driven) throw new Error('nothing can be driven here')
      const onStep = (at: number) => this.#wire.say({ kind: 'going', ask, at })
      const act = decodeValue(JSON.parse(text) as Json) as Act
      const way = { signal: controller.signal, onStep }
      const result = await this.#act(this.#driven, act, way)
      this.#wire.say({ kind: 'did', ask, result: JSON.stringify(encodeValue(result ?? null)) })
    } catch (error) {
      this.#wire.say({ kind: 'did', ask, failure: messageOf(error) })
    } finally {
      this.#ways.delete(ask)
      this.tell()
    }
  }
}

/** Of what waits, only the next one is told in full, and no secrets. */
function newsOf(system: Driven): DriveNews {
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
