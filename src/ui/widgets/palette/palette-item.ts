// A line of the palette, and the properties of its kind.
import type { Command } from './command.ts'

/** A line of the palette. */
export interface PaletteItem<Kind extends string = string> {
  readonly key: string
  readonly kind: Kind
  readonly title: string
  /** Short description. */
  readonly detail: string
  readonly words?: string | undefined
  readonly keys?: readonly string[] | undefined
  /** Reason why the item is unavailable. */
  readonly disabled?: string | undefined
  readonly run: () => void
}

/** Properties shared by all lines of a kind. */
export interface KindFacts {
  /** Label at the end of the line; empty if the section is enough. */
  readonly word: string
  /** Ranks kinds with equal matches, heaviest first. */
  readonly weight: number
  /** Titles are values, shown in the monospace font. */
  readonly isValue?: boolean
  /** Lines were created for the typed text, so they are not filtered by it. */
  readonly isAsked?: boolean
}

/** Contents of a palette: kinds of lines, and the prefixes that filter them. */
export interface Grammar {
  /** Kinds in display order while the input is empty. */
  readonly kinds: Readonly<Record<string, KindFacts>>
  /** Prefix characters, each with the kinds it keeps. */
  readonly signs: Readonly<Record<string, { readonly kinds: readonly string[]; readonly name: string }>>
}

/** Converts commands to palette lines. */
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
