// Changes a module so that its machines and their parts are noted with their positions when it runs.
import { MagicString, type SourceMap } from 'magic-string'
import { parseSync, type ParserOptions } from 'oxc-parser'
import { findCalls } from './find-calls.ts'
import { mayHaveCalls } from './may-have-calls.ts'
import { type CallNote, NOTE, noteCode } from './note-code.ts'
import { TreeBuilder } from './place-tree.ts'

export interface NotedModule {
  readonly code: string
  readonly map: SourceMap
  /** What its machines are called: the variable, or `#n` for the n-th machine of the module. */
  readonly machines: readonly string[]
}

type Lang = NonNullable<ParserOptions['lang']>

/**
 * Returns the changed module: every call is wrapped in place and returns the same value, and no line moves. Undefined
 * if the module has no such calls, or does not parse.
 * @param file path from the root of the project, with `/`
 */
export function noteSources(code: string, file: string): NotedModule | undefined {
  if (!mayHaveCalls(code) || code.includes(NOTE)) return undefined
  const program = parsed(code, file)
  if (!program) return undefined
  const out = new MagicString(code)
  const placeOf = placesIn(code)
  const notes: CallNote[] = []
  const keys = new Map<string, number>()
  findCalls(program, ({ kind, noted, literal, at, variable, resolve }) => {
    const [line, column] = placeOf(at)
    const inside = literal && new TreeBuilder(resolve, placeOf).tree(literal, at)[2]
    const key = kind === 'machine' ? keyOf(variable, keys) : undefined
    // Outer calls are visited first, and two may begin or end at the same place.
    out.appendRight(noted.start, `${NOTE}(`).prependLeft(noted.end, `, ${notes.length})`)
    notes.push({
      kind,
      ...(key !== undefined && { key }),
      tree: inside ? [line, column, inside] : [line, column],
    })
  })
  if (notes.length === 0) return undefined
  out.append(noteCode(file, notes))
  return {
    code: out.toString(),
    map: out.generateMap({ source: file, includeContent: true, hires: 'boundary' }),
    machines: notes.flatMap(({ key }) => key ?? []),
  }
}

function keyOf(variable: string | undefined, keys: Map<string, number>): string {
  const count = (name: string) => {
    const n = (keys.get(name) ?? 0) + 1
    keys.set(name, n)
    return n
  }
  const n = count('')
  if (variable === undefined) return `#${n}`
  const same = count(variable)
  return same === 1 ? variable : `${variable}#${same}`
}

function parsed(code: string, file: string) {
  const ending = /\.[cm]?([jt]sx?)$/.exec(file)?.[1]
  // JSX is common in files that end in .js.
  const lang: Lang = ending === 'ts' || ending === 'tsx' ? ending : 'jsx'
  const { program, errors } = parseSync(`module.${lang}`, code, {
    lang,
    sourceType: 'unambiguous',
    astType: 'ts',
  })
  return errors.length === 0 ? program : undefined
}

/** Returns a function that finds the line and column of an offset, from 1. */
function placesIn(code: string): (offset: number) => readonly [line: number, column: number] {
  const starts = [0, ...Array.from(code.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)]
  return offset => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1]
  }
}
