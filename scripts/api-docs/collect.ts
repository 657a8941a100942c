// Lists what each entry of the package exports: name, kind and the first sentence of its doc comment.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type Comment, type Directive, type Statement } from 'oxc-parser'

export interface ExportedName {
  readonly name: string
  readonly kind: 'class' | 'constant' | 'function' | 'type'
  /** First sentence of the doc comment; undefined where there is none. */
  readonly description: string | undefined
  /** Path of the declaring file, relative to the root. */
  readonly file: string
}

export interface Entry {
  /** As it is imported, such as `chartroom/react`. */
  readonly name: string
  readonly file: string
  /** The sentence that opens the file. */
  readonly description: string
  /** In alphabetical order. */
  readonly exports: readonly ExportedName[]
}

interface Parsed {
  readonly text: string
  readonly body: readonly (Statement | Directive)[]
  readonly comments: readonly Comment[]
}

/** Reads the entries named in the `exports` of package.json. */
export function collectEntries(root: string): Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string>>
  }
  const files = new Map<string, Parsed>()
  const parse = (file: string): Parsed => {
    const known = files.get(file)
    if (known) return known
    const text = readFileSync(join(root, file), 'utf8')
    const { program, comments } = parseSync(file, text)
    const parsed = { text, body: program.body, comments }
    files.set(file, parsed)
    return parsed
  }
  return Object.entries(exports).map(([path, source]) => {
    const file = join(source)
    return {
      name: join(name, path),
      file,
      description: openingSentence(parse(file)),
      exports: exportsOf(file, parse).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    }
  })
}

type Parse = (file: string) => Parsed

function exportsOf(file: string, parse: Parse): ExportedName[] {
  return parse(file).body.flatMap(statement => {
    if (statement.type === 'ExportAllDeclaration') throw new Error(`${file} has an export of everything`)
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (statement.declaration) return declared(statement, file, parse)
    return statement.specifiers.map(({ local, exported }) => {
      const found = resolve(nameOf(local), statement.source?.value, file, parse)
      return { ...found, name: nameOf(exported) }
    })
  })
}

/** Finds the declaration of a name that a file declares, imports or exports from another file. */
function resolve(name: string, source: string | undefined, file: string, parse: Parse): ExportedName {
  if (source !== undefined) {
    if (!source.startsWith('.')) return { name, kind: 'type', description: undefined, file: source }
    const target = join(dirname(file), source)
    const found = exportsOf(target, parse).find(one => one.name === name)
    if (!found) throw new Error(`${file} exports ${name}, which ${target} does not have`)
    return found
  }
  for (const statement of parse(file).body) {
    if (statement.type === 'ImportDeclaration') {
      const imported = statement.specifiers.find(({ local }) => local.name === name)
      if (imported?.type === 'ImportSpecifier')
        return resolve(nameOf(imported.imported), statement.source.value, file, parse)
    } else {
      const found = declared(statement, file, parse).find(one => one.name === name)
      if (found) return found
    }
  }
  throw new Error(`${file} exports ${name}, which it does not declare`)
}

function declared(statement: Statement | Directive, file: string, parse: Parse): ExportedName[] {
  const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  const description = descriptionOf(statement.start, parse(file))
  const of = (name: string, kind: ExportedName['kind']) => [{ name, kind, description, file }]
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return node.id ? of(node.id.name, 'function') : []
    case 'ClassDeclaration':
      return node.id ? of(node.id.name, 'class') : []
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return of(node.id.name, 'type')
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id, init }) => {
        if (id.type !== 'Identifier') throw new Error(`${file} exports a pattern`)
        const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
        return of(id.name, isFunction ? 'function' : 'constant')
      })
    default:
      return []
  }
}

function nameOf(node: { readonly name: string } | { readonly value: string }): string {
  return 'name' in node ? node.name : node.value
}

/** First sentence of the doc comment that ends where a declaration starts. */
function descriptionOf(start: number, { text, comments }: Parsed): string | undefined {
  const doc = comments.findLast(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  )
  if (!doc) return undefined
  const lines = doc.value.split('\n').map(line => line.replace(/^\s*\*+ ?/, '').trim())
  const tag = lines.findIndex(line => line.startsWith('@'))
  const [paragraph = ''] = lines
    .slice(0, tag < 0 ? undefined : tag)
    .join('\n')
    .trim()
    .split(/\n\s*\n/)
  return firstSentence(paragraph.replaceAll('\n', ' '))
}

function firstSentence(text: string): string | undefined {
  const [sentence = ''] = /^.*?(?<!e\.g)\.(?= |$)/.exec(text) ?? [text]
  const plain = sentence.replace(/[.:]$/, '').trim()
  return plain === '' ? undefined : `${plain}.`
}

function openingSentence({ comments }: Parsed): string {
  const [first] = comments
  const text = first?.type === 'Line' ? first.value.trim() : ''
  const sentence = text.replace(/^The public entry `[^`]*`: /, '')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
