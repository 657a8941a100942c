// The source positions of a machine's parts, which a trace stores next to its chart.

/** A place in a file of the project. */
export interface SourcePosition {
  /** Path from the root of the project, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
}

/** A position whose file is the n-th of `files`, or the first one. */
export type SourcePlace = readonly [line: number, column: number, file?: number]

type Places = Readonly<Record<string, SourcePlace>>

/** The positions of one machine. What is not known is left out. */
export interface MachineSource {
  /** Paths from the root of the project, with `/`. */
  readonly files: readonly string[]
  /** The call that created the machine. */
  readonly machine: SourcePlace
  /** By the path of the state; that of the root is empty. */
  readonly states?: Places
  /** By name, `path#n`: the n-th of the state at that path in its chart. */
  readonly transitions?: Places
  /** By the names under which the machine has them. */
  readonly guards?: Places
  readonly actions?: Places
  readonly actors?: Places
  readonly delays?: Places
  /** Guards, actions and actors without a name, by the place in the chart at which they are used. */
  readonly inline?: Places
}

/** The place of a value in a module, and those of its properties or items. */
export type PlaceTree = readonly [
  line: number,
  column: number,
  inside?: Readonly<Record<string, PlaceTree>> | readonly (PlaceTree | null)[],
]

/**
 * Name of the global symbol under which transformed modules note positions. A change of what they note needs another
 * one.
 */
export const SOURCES_KEY = 'chartroom.sources/1'
