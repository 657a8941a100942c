// Answers where a part of a machine is in the source code. A trace has these positions in `header.sources`, by the
// keys of `header.machines`, if the app ran with the transform of the Vite plugin, the Vitest plugin or the command
// line; else every answer is undefined. A position is shown to the user, and never opened or read without a root
// that the user chose: the file of a recording is text that its author wrote. Paths that leave the root are dropped.
import type { MachineSource, SourcePlace, SourcePosition } from '../format/source.ts'

/** A part of a machine, as a chart names it. */
export type MachinePart =
  | { readonly kind: 'machine' }
  /** `name`: the path of the state. */
  | { readonly kind: 'state'; readonly name: string }
  /** `name`: `path#n`, as in the `via` of a step and in `NamedTransition`. */
  | { readonly kind: 'transition'; readonly name: string }
  | {
      readonly kind: 'guard' | 'action' | 'actor' | 'delay'
      readonly name: string
      /** Where the chart uses it. It finds parts without a name, and else the user of the part. */
      readonly at?: PartPlace
    }

/** Where a chart uses a guard, action, actor or delay. */
export type PartPlace =
  | { readonly transition: string; readonly n?: number }
  | { readonly state: string; readonly list: 'entry' | 'exit' | 'invoke'; readonly n: number }

/** The sources of a trace, by the keys of its machines. */
export type MachineSources = Readonly<Record<string, MachineSource>>

/**
 * Returns the position of a part. A guard, action, actor or delay that has none is at the transition or state that
 * uses it. Undefined if the position is unknown.
 * @param machine key in `header.machines`, which is the `src` of its actors
 */
export function positionIn(
  { sources }: { readonly sources?: MachineSources },
  machine: string,
  part: MachinePart,
): SourcePosition | undefined {
  const source = sources && Object.hasOwn(sources, machine) ? sources[machine] : undefined
  return source && toPosition(source, placeIn(source, part))
}

/** Formats a position as editors and terminals link it: `src/session.ts:12:3`. */
export const positionText = ({ file, line, column }: SourcePosition): string => `${file}:${line}:${column}`

/** The key of a part without a name in `inline`. */
export function inlineKey(kind: 'guard' | 'action' | 'actor', at: PartPlace): string {
  return 'transition' in at
    ? `${kind} ${at.transition} ${at.n ?? 0}`
    : `${kind} ${at.list} ${at.state} ${at.n}`
}

function placeIn(source: MachineSource, part: MachinePart): SourcePlace | undefined {
  switch (part.kind) {
    case 'machine':
      return source.machine
    case 'state':
      return entry(source.states, part.name)
    case 'transition':
      return entry(source.transitions, part.name)
    default: {
      const { kind, name, at } = part
      const named = entry(source[`${kind}s`], name)
      if (named || !at) return named
      const inline = kind === 'delay' ? undefined : entry(source.inline, inlineKey(kind, at))
      return (
        inline ??
        ('transition' in at ? entry(source.transitions, at.transition) : entry(source.states, at.state))
      )
    }
  }
}

const entry = (places: Readonly<Record<string, SourcePlace>> = {}, name: string): SourcePlace | undefined =>
  Object.hasOwn(places, name) ? places[name] : undefined

function toPosition({ files }: MachineSource, place: SourcePlace | undefined): SourcePosition | undefined {
  if (!place) return undefined
  const [line, column, index = 0] = place
  const file = files[index]
  return file !== undefined && isProjectPath(file) ? { file, line, column } : undefined
}

/** Whether a path stays below the root that it is relative to, on every system, and is one line of plain text. */
export function isProjectPath(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 1024 &&
    !/[\\:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) &&
    path.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  )
}
