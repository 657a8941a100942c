// Lists what each entry of the package exports: name, kind, doc comment and declaration.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type Comment, type Directive, type Statement } from 'oxc-parser'
import { declarationOf } from './declaration.ts'

export interface ExportedName {
  readonly name: string
  readonly kind: 'class' | 'constant' | 'function' | 'type'
  /** First sentence of the doc comment; undefined where there is none. */
  readonly description: string | undefined
  /** Path of the declaring file, relative to the root. */
  readonly file: string
}

/** An export with what the reference shows of it. */
export interface DocumentedName extends ExportedName {
  /** The whole doc comment with its tags; empty where there is none. */
  readonly doc: string
  /** TypeScript without the bodies of functions; one per overload. */
  readonly code: string
}

export interface Entry<Name extends ExportedName = ExportedName> {
  /** As it is imported, such as `chartroom/react`. */
  readonly name: string
  readonly file: string
  /** The sentence that opens the file. */
  readonly description: string
  /** In alphabetical order. */
  readonly exports: readonly Name[]
}

interface Parsed {
  readonly text: string
  readonly body: readonly (Statement | Directive)[]
  readonly comments: readonly Comment[]
  /** Filled on first use: many names lead through the same file. */
  exports?: readonly DocumentedName[]
  readonly declared: Map<Statement | Directive, readonly DocumentedName[]>
}

/** The manifests whose `exports` are the entries, where they exist. */
const MANIFESTS = ['package.json', 'src/public/devtools/package.json']

/** Reads the entries of the manifests. */
export function collectEntries(root: string): Entry[] {
  return collectReference(root).map(entry => ({
    ...entry,
    exports: entry.exports.map(({ name, kind, description, file }) => ({ name, kind, description, file })),
  }))
}

/** The same entries, with doc comments and declarations. */
export function collectReference(root: string): Entry<DocumentedName>[] {
  const files = new Map<string, Parsed>()
  const parse = (file: string): Parsed => {
    const known = files.get(file)
    if (known) return known
    const text = readFileSync(join(root, file), 'utf8')
    const { program, comments } = parseSync(file, text)
    const parsed: Parsed = { text, body: program.body, comments, declared: new Map() }
    files.set(file, parsed)
    return parsed
  }
  return MANIFESTS.filter(path => existsSync(join(root, path))).flatMap(path => {
    const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      readonly name: string
      readonly exports: Readonly<Record<string, string | { readonly default: string }>>
    }
    return Object.entries(exports).map(([entry, source]) => {
      const file = join(dirname(path), typeof source === 'string' ? source : source.default)
      return {
        name: join(name, entry),
        file,
        description: openingSentence(parse(file)),
        exports: exportsOf(file, parse).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
      }
    })
  })
}

type Parse = (file: string) => Parsed

function exportsOf(file: string, parse: Parse): readonly DocumentedName[] {
  const parsed = parse(file)
  return (parsed.exports ??= readExports(file, parse))
}

function readExports(file: string, parse: Parse): DocumentedName[] {
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
function resolve(name: string, source: string | undefined, file: string, parse: Parse): DocumentedName {
  if (source !== undefined) {
    if (!source.startsWith('.'))
      return { name, kind: 'type', description: undefined, file: source, doc: '', code: '' }
    const target = join(dirname(file), source)
    const found = exportsOf(target, parse).find(one => one.name === name)
    if (!found) throw new Error(`${file} exports ${name}, which ${target} does not have`)
    return found
  }
  const overloads: DocumentedName[] = []
  for (const statement of parse(file).body) {
    if (statement.type === 'ImportDeclaration') {
      const imported = statement.specifiers.find(({ local }) => local.name === name)
      if (imported?.type === 'ImportSpecifier')
        return resolve(nameOf(imported.imported), statement.source.value, file, parse)
    } else {
      const found = declared(statement, file, parse).find(one => one.name === name)
      if (found) overloads.push(found)
    }
  }
  const [first] = overloads
  if (first) return { ...first, code: overloadsOf(overloads) }
  throw new Error(`${file} exports ${name}, which it does not declare`)
}

/** The implementation of an overloaded function has no part in its interface. */
const overloadsOf = (all: readonly DocumentedName[]): string =>
  (all.length > 1 && all[0]?.kind === 'function' ? all.slice(0, -1) : all).map(({ code }) => code).join('\n')

function declared(statement: Statement | Directive, file: string, parse: Parse): readonly DocumentedName[] {
  const { declared: known } = parse(file)
  const found = known.get(statement) ?? readDeclared(statement, file, parse)
  known.set(statement, found)
  return found
}

function readDeclared(statement: Statement | Directive, file: string, parse: Parse): DocumentedName[] {
  const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  const { text } = parse(file)
  const doc = docOf(statement.start, parse(file))
  const description = descriptionOf(doc)
  const of = (name: string, kind: ExportedName['kind']) => [
    { name, kind, description, file, doc, code: node ? declarationOf(node, name, text) : '' },
  ]
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

/** The doc comment that ends where a declaration starts, without its asterisks. */
function docOf(start: number, { text, comments }: Parsed): string {
  const doc = comments.findLast(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  )
  const lines = doc?.value.split('\n').map(line => line.replace(/^\s*\*+ ?/, '').trimEnd()) ?? []
  return lines.join('\n').trim()
}

/** First sentence of a doc comment. */
function descriptionOf(doc: string): string | undefined {
  const lines = doc.split('\n').map(line => line.trim())
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
