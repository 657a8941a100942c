// The systems that a page records, and which of them its console shows.
import type { ControlHandle } from '../../../services/control/index.ts'
import { Listeners } from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'

/** A recorded system of the page. */
export interface ConsoleSystem {
  /** Its machine's id; several systems may share it. */
  readonly name: string
  readonly recording: ConsoleRecording
  readonly control?: Pick<ControlHandle, 'open' | 'systems'>
  readonly isRunning: () => boolean
}

/** A system as the list shows it. */
export interface SystemEntry {
  readonly id: number
  /** The name, with a number if other systems had the same name before. */
  readonly label: string
  readonly isRunning: boolean
}

interface Known extends ConsoleSystem {
  readonly id: number
  readonly label: string
}

/** Systems to keep after their end: components that are mounted and unmounted leave one each. */
const ENDED_KEPT = 20

/** Storage for the name of the chosen system, which is chosen again after a reload. */
export interface ChosenName {
  readonly read: () => string | undefined
  readonly write: (name: string) => void
}

/** Lists the systems of a page in the order of their start. */
export class Systems {
  readonly subscribe: (listener: () => void) => () => void
  readonly #listeners = new Listeners()
  readonly #chosenName: ChosenName
  readonly #counts = new Map<string, number>()
  #known: readonly Known[] = []
  #entries: readonly SystemEntry[] = []
  #shown: Known | undefined
  #isChosen = false
  /** The shown system was chosen after its end, for what is recorded of it. */
  #isPast = false

  constructor(chosenName: ChosenName) {
    this.#chosenName = chosenName
    this.subscribe = this.#listeners.subscribe
  }

  /** The same list until it changes. */
  readonly entries = (): readonly SystemEntry[] => this.#entries

  /** The system that the console shows; undefined before the first one. */
  readonly shown = (): (ConsoleSystem & Pick<SystemEntry, 'id'>) | undefined => this.#shown

  /** The system with this id of the list. */
  readonly system = (id: number): ConsoleSystem | undefined => this.#known.find(one => one.id === id)

  add(system: ConsoleSystem): void {
    const { name } = system
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    const id = (this.#known.at(-1)?.id ?? 0) + 1
    const known = { ...system, id, label: count === 1 ? name : `${name} #${count}` }
    this.#known = [...this.#known, known]
    if (!this.#isChosen && name === this.#chosenName.read()) this.#choose(known)
    this.refresh()
  }

  /** Shows another system from now on. */
  show(id: number): void {
    const known = this.#known.find(one => one.id === id)
    if (!known) return
    this.#choose(known)
    this.#isPast = !known.isRunning()
    this.#chosenName.write(known.name)
    this.refresh()
  }

  /** Call this when a system may have ended. */
  refresh(): void {
    this.#shown = this.#toShow()
    const ended = this.#known.filter(one => one !== this.#shown && !one.isRunning())
    const dropped = new Set(ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
    this.#known = this.#known.filter(one => !dropped.has(one))
    this.#entries = this.#known.map(({ id, label, isRunning }) => ({ id, label, isRunning: isRunning() }))
    this.#listeners.notify()
  }

  #choose(known: Known): void {
    this.#shown = known
    this.#isChosen = true
    this.#isPast = false
  }

  /** Stays with a system until it ends and another one of its name runs, as after a hot update. */
  #toShow(): Known | undefined {
    const now = this.#shown
    if (this.#isPast || now?.isRunning() === true) return now
    const running = this.#known.filter(one => one.isRunning())
    const successor = now && running.findLast(({ name }) => name === now.name)
    if (successor) return successor
    return this.#isChosen ? now : (running[0] ?? now ?? this.#known.at(-1))
  }
}
