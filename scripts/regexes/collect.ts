// Collects every regular expression of a set of source files from their syntax trees.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface FoundRegex {
  readonly file: string
  readonly line: number
  /** The source of a literal; undefined if it is built at run time. */
  readonly source: string | undefined
  readonly flags: string
  /** Whether it is applied repeatedly over a text although it has no `g` flag. */
  readonly splits: boolean
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Lists the expressions in the order of files and lines. */
export function collectRegexes(root: string, files: readonly string[]): FoundRegex[] {
  return files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    const { program, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
    const found: FoundRegex[] = []
    const add = (node: Node, source: string | undefined, flags: string, splits: boolean) =>
      found.push({
        file,
        line: text.slice(0, Number(node['start'])).split('\n').length,
        source,
        flags,
        splits,
      })
    const visit = (node: unknown, splits: boolean): void => {
      if (Array.isArray(node)) for (const item of node) visit(item, splits)
      if (!isNode(node) || Array.isArray(node)) return
      const { type, regex, callee } = node
      if (type === 'Literal' && isNode(regex))
        add(node, String(regex['pattern']), String(regex['flags']), splits)
      const isCall = type === 'NewExpression' || type === 'CallExpression'
      if (isCall && isNode(callee) && callee['name'] === 'RegExp') add(node, undefined, '', false)
      const property = isCall && isNode(callee) ? callee['property'] : undefined
      const isSplit = isNode(property) && property['name'] === 'split'
      for (const key of Object.keys(node)) visit(node[key], isSplit && key === 'arguments')
    }
    visit(program, false)
    return found
  })
}
