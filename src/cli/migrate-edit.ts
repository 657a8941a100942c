// Changes the text of one module: calls, imports and exports of the client.
import type { MagicString } from 'magic-string'
import type { CallExpression, ImportDeclaration, Node } from 'oxc-parser'
import type { SourceModule } from './migrate-source.ts'
import { type Binding, type Call, FUNCTIONS, SUPABASE_JS, SUPABASE_SSR, type Uses } from './migrate-uses.ts'

const { ours: OURS, renamed: CREATE_OURS } = SUPABASE_JS

/** Names for the client where the module exports its `supabase`; the first that is free. */
const CLIENT_NAMES = ['client', 'chartroom', 'chartroomClient']

export class ModuleEdit {
  readonly #module: SourceModule
  readonly #out: MagicString

  constructor(module: SourceModule, out: MagicString) {
    this.#module = module
    this.#out = out
  }

  call({ node, parents }: Call, names: ReadonlySet<string>): void {
    const { callee } = node
    this.#replace(callee.start, callee.end, CREATE_OURS)
    if (!node.typeArguments) this.#insert(callee.end, this.#inferred(parents))
    const exported = exportOf(node, parents)
    const name = CLIENT_NAMES.find(one => !names.has(one))
    if (!exported || name === undefined) {
      this.#insert(node.end, '.supabase')
      return
    }
    const { statement, id } = exported
    const written = this.#text(statement)
    const end = written.endsWith(';') ? ';' : ''
    this.#insert(
      statement.end,
      `${this.#newline()}${this.#indent(statement)}export const ${this.#text(id)} = ${name}.supabase${end}`,
    )
    this.#replace(id.start, id.end, name)
  }

  /** Type arguments that the declared type gave to `createClient`. */
  #inferred([parent, ...above]: readonly Node[]): string {
    const type = parent?.type === 'VariableDeclarator' ? parent.id.typeAnnotation : returnType(parent, above)
    const typeNode = type?.typeAnnotation
    if (typeNode?.type !== 'TSTypeReference' || !typeNode.typeArguments) return ''
    return this.#text(typeNode.typeName) === 'SupabaseClient' ? this.#text(typeNode.typeArguments) : ''
  }

  /** Imports our function, and drops the imports of `createClient` that nothing uses anymore. */
  imports({ bindings, otherBindings, calls, ours }: Uses, movedCalls: ReadonlySet<Call>): void {
    const used = bindings.filter(binding =>
      calls.some(call => movedCalls.has(call) && call.binding === binding),
    )
    const isUnused = (binding: Binding) =>
      binding.kind !== 'namespace' &&
      !otherBindings.has(binding) &&
      calls.every(call => movedCalls.has(call) || call.binding !== binding)
    let isImported = ours
    for (const binding of used) {
      if (binding.kind === 'required') {
        this.#required(binding, isUnused(binding))
        continue
      }
      if (isUnused(binding)) isImported = this.#withoutImport(binding, isImported) || isImported
      if (isImported || binding.statement.type !== 'ImportDeclaration') continue
      this.#addImport(binding.statement, [CREATE_OURS], OURS)
      isImported = true
    }
  }

  /** Calls another function, or the same by another name. */
  callee({ node: { callee } }: Call, name: string): void {
    this.#replace(callee.start, callee.end, name)
  }

  /** Drops all but two type arguments: @supabase/ssr had a third one before version 0.7. */
  twoTypes({ node }: Call): void {
    const types = node.typeArguments?.params ?? []
    const [second, last] = [types[1], types.at(-1)]
    if (types.length > 2 && second && last) this.#remove(second.end, last.end)
  }

  /** Imports these specifiers from `chartroom/ssr` instead, and some names in addition. */
  moveToSsr(
    statement: ImportDeclaration,
    movedNodes: ReadonlySet<Node>,
    addedNames: readonly string[],
  ): void {
    const { specifiers, source } = statement
    const { ours } = SUPABASE_SSR
    if (specifiers.every(part => movedNodes.has(part))) {
      this.moveSource(source)
      if (addedNames.length > 0) this.#addImport(statement, addedNames, ours)
      return
    }
    const texts = specifiers.filter(part => movedNodes.has(part)).map(this.#text)
    for (const part of specifiers)
      if (movedNodes.has(part)) this.#withoutSpecifier(statement, part, movedNodes)
    this.#addImport(statement, [...texts, ...addedNames], ours)
  }

  /** The literal that names @supabase/ssr names `chartroom/ssr` instead. */
  moveSource({ start, end }: Node): void {
    this.#replace(start, end, this.#quoted(start, SUPABASE_SSR.ours))
  }

  #required({ statement, part }: Binding, isUnused: boolean): void {
    if (statement.type !== 'VariableDeclaration') return
    const module = statement.declarations[0]?.init
    if (module?.type !== 'CallExpression' || !module.arguments[0]) return
    const { start, end } = module.arguments[0]
    if (isUnused) {
      this.#replace(part.start, part.end, CREATE_OURS)
      this.#replace(start, end, this.#quoted(start))
    } else {
      const required = `const { ${CREATE_OURS} } = require(${this.#quoted(start)})`
      this.#insert(
        statement.end,
        `${this.#newline()}${this.#indent(statement)}${required}${this.#endOf(statement)}`,
      )
    }
  }

  /** Drops a specifier, or turns it into ours if it is the only one; returns whether it did the latter. */
  #withoutImport({ statement, part }: Binding, isImported: boolean): boolean {
    if (statement.type !== 'ImportDeclaration') return false
    const { specifiers, source } = statement
    if (specifiers.length === 1 && !isImported) {
      this.#replace(part.start, part.end, CREATE_OURS)
      this.#replace(source.start, source.end, this.#quoted(source.start))
      return true
    }
    if (specifiers.length === 1) {
      const end = statement.end + (this.#module.text.slice(statement.end).match(/^\r?\n/)?.[0].length ?? 0)
      this.#remove(statement.start, end)
      return false
    }
    this.#withoutSpecifier(statement, part, new Set([part]))
    return false
  }

  /** Drops a specifier. `dropped` has every dropped specifier of this import, of which others stay. */
  #withoutSpecifier({ specifiers }: ImportDeclaration, part: Node, dropped: ReadonlySet<Node>): void {
    const namedSpecifiers = specifiers.filter(({ type }) => type === 'ImportSpecifier')
    const at = namedSpecifiers.findIndex(({ start }) => start === part.start)
    const [before, after] = [namedSpecifiers[at - 1], namedSpecifiers[at + 1]]
    const isFollowed = namedSpecifiers.slice(at + 1).some(specifier => !dropped.has(specifier))
    if (after && isFollowed) this.#removeWithComma(part.start, part.end, after.start, 'after')
    else if (before) this.#removeWithComma(part.start, part.end, before.end, 'before')
    // A default import before the braces, which contain nothing else.
    else {
      const first = specifiers[0]
      const close = this.#find('}', part.end)
      if (first) this.#remove(first.end, close + 1)
    }
  }

  /** Removes a specifier with an adjacent comma and the space up to the neighbor; keeps comments. */
  #removeWithComma(start: number, end: number, neighbor: number, side: 'after' | 'before'): void {
    const [from, to] = side === 'after' ? [start, neighbor] : [neighbor, end]
    if (!this.#module.comments.some(comment => comment.start >= from && comment.end <= to)) {
      this.#remove(from, to)
      return
    }
    const { text } = this.#module
    const outer = side === 'before' ? text.slice(0, start).trimEnd().length : start
    // The comma of the neighbor may stand before a comment, so the other one goes if there are two.
    const trailing = side === 'before' ? /^\s*,/.exec(text.slice(end))?.[0].length : undefined
    if (trailing !== undefined) {
      this.#remove(outer, end + trailing)
      return
    }
    const comma = this.#find(',', side === 'after' ? end : neighbor)
    this.#remove(comma, comma + 1)
    this.#remove(outer, end)
  }

  #addImport(statement: ImportDeclaration, names: readonly string[], from: string): void {
    const source = this.#quoted(statement.source.start, from)
    const addedImport = `import { ${names.join(', ')} } from ${source}${this.#endOf(statement)}`
    this.#insert(statement.end, `${this.#newline()}${this.#indent(statement)}${addedImport}`)
  }

  /** Offset of a letter outside of comments. */
  #find(letter: string, from: number): number {
    const { text, comments } = this.#module
    let at = text.indexOf(letter, from)
    for (;;) {
      const inside = comments.find(({ start, end }) => start <= at && at < end)
      if (!inside) return at
      at = text.indexOf(letter, inside.end)
    }
  }

  /** The name of our entry in the quotes of the literal that begins at this offset. */
  #quoted(at: number, ours: string = OURS): string {
    const quote = this.#module.text[at] ?? "'"
    return `${quote}${ours}${quote}`
  }

  #text = ({ start, end }: Node) => this.#module.text.slice(start, end)
  #endOf = (statement: Node) => (this.#text(statement).endsWith(';') ? ';' : '')
  #newline = () => (this.#module.text.includes('\r\n') ? '\r\n' : '\n')

  /** White space before the statement in its line. */
  #indent({ start }: Node): string {
    const line = this.#module.text.slice(this.#module.text.lastIndexOf('\n', start - 1) + 1, start)
    return line.trim() === '' ? line : ''
  }

  #replace(start: number, end: number, text: string): void {
    this.#out.overwrite(this.#module.start + start, this.#module.start + end, text)
  }

  #insert(at: number, text: string): void {
    if (text !== '') this.#out.appendLeft(this.#module.start + at, text)
  }

  #remove(start: number, end: number): void {
    this.#out.remove(this.#module.start + start, this.#module.start + end)
  }
}

/** The return type of the function whose result the call is. */
function returnType(parent: Node | undefined, above: readonly Node[]) {
  const isResult = parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression'
  const enclosing = isResult ? [parent, ...above].find(({ type }) => FUNCTIONS.includes(type)) : undefined
  return enclosing && 'returnType' in enclosing ? enclosing.returnType : undefined
}

/** `export const name = createClient(…)` at the top level of a module, with one name. */
function exportOf(call: CallExpression, [declarator, declaration, statement]: readonly Node[]) {
  const isExported =
    declarator?.type === 'VariableDeclarator' &&
    declarator.init === call &&
    declarator.id.type === 'Identifier' &&
    declaration?.type === 'VariableDeclaration' &&
    declaration.kind === 'const' &&
    declaration.declarations.length === 1 &&
    statement?.type === 'ExportNamedDeclaration'
  return isExported ? { statement, id: declarator.id } : undefined
}
