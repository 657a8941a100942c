// All commands that are offered at the moment: one list for keys, palette and key sheet.
import { isAlike, type Command, type KeyNote } from './command.ts'

/** Whoever offers commands; it may change what it offers, and end it. */
export type Offerer = object

/** The commands of one console, or of one app. */
export class CommandRegistry {
  readonly #sections: readonly string[]
  readonly #offers = new Map<Offerer, readonly Command[]>()
  readonly #notes = new Map<Offerer, readonly KeyNote[]>()
  readonly #listeners = new Set<() => void>()
  #list: readonly Command[] | undefined
  #noteList: readonly KeyNote[] | undefined

  /** Sections stand in the order in which they are given; one that is not among them stands first. */
  constructor(sections: readonly string[] = []) {
    this.#sections = sections
  }

  /** Offers these in place of those that it offered before. */
  offer(by: Offerer, commands: readonly Command[]): void {
    const before = this.#offers.get(by)
    this.#offers.set(by, commands)
    if (!before || !isAlike(before, commands)) this.#touch()
  }

  /** Tells of keys that a view takes by itself. */
  note(by: Offerer, notes: readonly KeyNote[]): void {
    this.#notes.set(by, notes)
    this.#touch()
  }

  withdraw(by: Offerer): void {
    const was = [this.#offers.delete(by), this.#notes.delete(by)]
    if (was.includes(true)) this.#touch()
  }

  /** Every command once, by section; of two with one id the one that was offered later. The same list until it changes. */
  readonly list = (): readonly Command[] => {
    // What a command does may become another without the list becoming another: it is looked up when it is asked for.
    this.#list ??= this.#bySection(this.#all()).map(one => ({ ...one, run: () => void this.run(one.id) }))
    return this.#list
  }

  /** Every key note once, by section. */
  readonly notes = (): readonly KeyNote[] => {
    this.#noteList ??= this.#bySection([...this.#notes.values()].flat())
    return this.#noteList
  }

  /** The command of a key: of several the one that can be done now, and of those the one offered last. */
  forKey(name: string): Command | undefined {
    const found = this.#all().filter(({ keys }) => keys?.includes(name))
    return found.findLast(({ disabled }) => disabled === undefined) ?? found.at(-1)
  }

  /** Does it, if it is offered and can be done now; says whether. */
  readonly run = (id: string): boolean => {
    const command = this.#all().findLast(offered => offered.id === id)
    if (!command || command.disabled !== undefined) return false
    command.run()
    return true
  }

  /** Calls back when the list becomes another; returns the unsubscribe function. */
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
