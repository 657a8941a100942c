// One line of the palette, and what is known of its kind.
import type { Command } from './command.ts'

/** One line of the palette. */
export interface PaletteItem<Kind extends string = string> {
  readonly key: string
  readonly kind: Kind
  readonly title: string
  /** What it is or does, in a few words. */
  readonly detail: string
  readonly words?: string | undefined
  readonly keys?: readonly string[] | undefined
  /** Why it can't be had now. */
  readonly disabled?: string | undefined
  readonly run: () => void
}

/** What is alike in all lines of a kind. */
export interface KindFacts {
  /** Stands at the line's end; empty where the section says enough. */
  readonly word: string
  /** Of what fits equally well the heavier stands first. */
  readonly weight: number
  /** Its titles are values, not words. */
  readonly isValue?: boolean
  /** Lines that were made for what is typed, so that nothing has to be looked for in them. */
  readonly isAsked?: boolean
}

/** What a palette has: kinds of lines, and the signs that leave some of them. */
export interface Grammar {
  /** In the order in which they stand while nothing is typed. */
  readonly kinds: Readonly<Record<string, KindFacts>>
  /** First letters that leave some kinds of lines. */
  readonly signs: Readonly<Record<string, { readonly kinds: readonly string[]; readonly name: string }>>
}

/** Commands as lines. */
export const commandItems = (commands: readonly Command[]): readonly PaletteItem<'command'>[] =>
  commands.map(({ id, title, section, words, keys, disabled, run }) => ({
    key: `command:${id}`,
    kind: 'command',
    title,
    detail: section,
    words,
    keys,
    disabled,
    run,
  }))
