// Reads a source file as modules: a script file is one, a Vue, Svelte or Astro component has one per script block.
import { extname } from 'node:path'
import { type Comment, parseSync, type Program } from 'oxc-parser'

type Lang = 'js' | 'jsx' | 'ts' | 'tsx'

/** One module within a file. */
export interface SourceModule {
  readonly program: Program
  readonly comments: readonly Comment[]
  readonly text: string
  /** Offset of the module's text in the file. */
  readonly start: number
  /** What it is if it only runs on servers. */
  readonly server?: string
}

/** Thrown for a module that does not parse. */
export class ParseFailure extends Error {
  override readonly name = 'ParseFailure'
  /** Offset in the file. */
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const LANGS: Readonly<Record<string, Lang>> = {
  // JSX is common in files that end in .js.
  '.js': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
}
const COMPONENTS: readonly string[] = ['.vue', '.svelte', '.astro']

/** Whether the file is a module or component whose code can be changed. */
export const isSource = (file: string): boolean =>
  COMPONENTS.includes(extname(file)) || (langOf(file) !== undefined && !/\.d\.[cm]?ts$/.test(file))

const langOf = (file: string) => LANGS[extname(file)]

/**
 * Parses the modules of a file.
 * @throws ParseFailure if one of them does not parse
 */
export function modulesOf(file: string, text: string): SourceModule[] {
  const lang = langOf(file)
  if (lang) return [parseModule(text, 0, [lang])]
  const fence = extname(file) === '.astro' ? /^\uFEFF?\s*---\r?\n/.exec(text)?.[0].length : undefined
  const end = fence === undefined ? -1 : text.indexOf('\n---', fence - 1)
  const frontmatter =
    fence === undefined || end < fence
      ? []
      : [
          {
            ...parseModule(text.slice(fence, end), fence, ['ts', 'tsx'], true),
            server: 'the frontmatter of a page',
          },
        ]
  const scripts = scriptBlocks(text, frontmatter.length > 0 ? end : 0)
  return [
    ...frontmatter,
    ...scripts.map(({ start, end }) => parseModule(text.slice(start, end), start, ['ts', 'tsx'])),
  ]
}

/** The frontmatter of Astro may return a response, which a module may not. */
const RETURN = "A 'return' statement can only be used within a function body."

/** Parses it in the first language in which it parses. */
function parseModule(
  text: string,
  start: number,
  langs: readonly [Lang, ...Lang[]],
  mayReturn = false,
): SourceModule {
  // Old CommonJS files may contain what modules forbid.
  const ways = (['module', 'commonjs'] as const).flatMap(sourceType =>
    langs.map(lang => ({ lang, sourceType })),
  )
  let failure: ParseFailure | undefined
  for (const { lang, sourceType } of ways) {
    const { program, comments, errors } = parseSync(`module.${lang}`, text, {
      lang,
      sourceType,
      astType: 'ts',
    })
    const error = errors.find(({ message }) => !mayReturn || message !== RETURN)
    if (!error) return { program, comments, text, start }
    failure ??= new ParseFailure(error.message, start + (error.labels[0]?.start ?? 0))
  }
  throw failure ?? new ParseFailure('no language', start)
}

interface Block {
  readonly start: number
  readonly end: number
}

/** Finds the script blocks of a component. HTML ends a script at the next `</script`, wherever it stands. */
function scriptBlocks(text: string, from: number): Block[] {
  const blocks: Block[] = []
  const lower = text.toLowerCase()
  for (let at = lower.indexOf('<script', from); at !== -1; at = lower.indexOf('<script', at + 1)) {
    const start = endOfTag(text, at) + 1
    const end = lower.indexOf('</script', start)
    if (start === 0 || end === -1) break
    blocks.push({ start, end })
    at = end
  }
  return blocks
}

/** Returns the offset of the `>` that ends the tag, which is outside of quotes; -1 without one. */
function endOfTag(text: string, from: number): number {
  let quote: string | undefined
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (quote !== undefined) {
      if (letter === quote) quote = undefined
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return -1
}
