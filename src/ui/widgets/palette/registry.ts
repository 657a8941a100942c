// Registry of all current commands, for shortcuts, palette and key sheet.
import { isAlike, type Command, type KeyNote } from './command.ts'

/** Identifies a component that registers commands; it may replace and withdraw them. */
export type Offerer = object

/** The commands of one console or of one app. */
export class CommandRegistry {
  readonly #sections: readonly string[]
  readonly #offers = new Map<Offerer, readonly Command[]>()
  readonly #notes = new Map<Offerer, readonly KeyNote[]>()
  readonly #listeners = new Set<() => void>()
  #list: readonly Command[] | undefined
  #noteList: readonly KeyNote[] | undefined

  /** Sections in display order; unknown sections come first. */
  constructor(sections: readonly string[] = []) {
    this.#sections = sections
  }

  /** Registers commands and replaces the previous ones of the same component. */
  offer(by: Offerer, commands: readonly Command[]): void {
    const before = this.#offers.get(by)
    this.#offers.set(by, commands)
    if (!before || !isAlike(before, commands)) this.#touch()
  }

  /** Registers key notes: keys that a view handles itself. */
  note(by: Offerer, notes: readonly KeyNote[]): void {
    this.#notes.set(by, notes)
    this.#touch()
  }

  withdraw(by: Offerer): void {
    const was = [this.#offers.delete(by), this.#notes.delete(by)]
    if (was.includes(true)) this.#touch()
  }

  /** All commands by section; the latest wins if ids are equal. Keeps its identity until it changes. */
  readonly list = (): readonly Command[] => {
    // A command's function may change without a new list, so it is looked up when it runs.
    this.#list ??= this.#bySection(this.#all()).map(one => ({ ...one, run: () => void this.run(one.id) }))
    return this.#list
  }

  /** All key notes without duplicates, by section. */
  readonly notes = (): readonly KeyNote[] => {
    this.#noteList ??= this.#bySection([...this.#notes.values()].flat())
    return this.#noteList
  }

  /** Returns the command of a key: an available one if possible, and of those the latest. */
  forKey(name: string): Command | undefined {
    const found = this.#all().filter(({ keys }) => keys?.includes(name))
    return found.findLast(({ disabled }) => disabled === undefined) ?? found.at(-1)
  }

  /** Runs a command if it is registered and available; returns whether it ran. */
  readonly run = (id: string): boolean => {
    const command = this.#all().findLast(offered => offered.id === id)
    if (!command || command.disabled !== undefined) return false
    command.run()
    return true
  }

  /** Calls back when the list changes; returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #all(): readonly Command[] {
    return [...this.#offers.values()].flat()
  }

  #bySection<T extends Listed>(all: readonly T[]): readonly T[] {
    const known = [...new Map(all.map(one => [one.id, one])).values()]
    const place = ({ section, rank = 0 }: Listed) => this.#sections.indexOf(section) * 10_000 + rank
    return known.toSorted((a, b) => place(a) - place(b))
  }

  #touch(): void {
    this.#list = undefined
    this.#noteList = undefined
    for (const listener of this.#listeners) listener()
  }
}

type Listed = Pick<Command, 'id' | 'section' | 'rank'>
