// Parses the part of TypeScript that generated database types consist of: object, tuple, union and literal types.

/** A parsed type; `name` is any type that is only mentioned. */
export type TypeNode =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Member> }
  | { readonly kind: 'tuple'; readonly items: readonly TypeNode[] }
  | { readonly kind: 'array'; readonly item: TypeNode }
  | { readonly kind: 'union'; readonly parts: readonly TypeNode[] }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  /** `Database["public"]["Enums"]["rig"]`. */
  | { readonly kind: 'index'; readonly of: TypeNode; readonly at: TypeNode }

export interface Member {
  readonly isOptional: boolean
  readonly type: TypeNode
  /** Counted from 1. */
  readonly line: number
}

/** Thrown for a text that is not such a type. */
export class TypeSyntaxError extends Error {
  override name = 'TypeSyntaxError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

interface Token {
  readonly text: string
  readonly kind: 'word' | 'string' | 'sign' | 'end'
  readonly line: number
}

const SPACE = /\s+|\/\/[^\n]*|\/\*[^]*?\*\//y
const TOKEN = /[\w$]+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|=>|[^\s\w$]/y

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  const step = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match === undefined) return undefined
    at += match.length
    return match
  }
  while (at < text.length) {
    const space = step(SPACE)
    if (space !== undefined) {
      line += space.split('\n').length - 1
      continue
    }
    const token = step(TOKEN) ?? ''
    const kind = /^["'`]./.test(token) ? 'string' : /^[\w$]/.test(token) ? 'word' : 'sign'
    tokens.push({ text: kind === 'string' ? unquoted(token) : token, kind, line })
    line += token.split('\n').length - 1
  }
  return [...tokens, { text: 'the end of the text', kind: 'end', line }]
}

const unquoted = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, '$1')

/** Deeper types are no database types; they would exhaust the stack. */
const DEEPEST = 200

/**
 * Parses the declaration of a type or interface.
 * @returns undefined if the text declares no type of this name
 * @throws TypeSyntaxError
 */
export function parseDeclaration(text: string, name: string): TypeNode | undefined {
  const tokens = tokensOf(text)
  const at = tokens.findIndex(
    (token, index) =>
      token.text === name &&
      ['type', 'interface'].includes(tokens[index - 1]?.text ?? '') &&
      token.kind === 'word',
  )
  if (at < 0) return undefined
  return new Parser(tokens, at + 1).declaration()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at: number
  #depth = 0

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens
    this.#at = at
  }

  declaration(): TypeNode {
    this.#accept('=')
    return this.#type()
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] ?? { text: '', kind: 'end', line: 1 }
  }

  #is(text: string): boolean {
    return this.#token.text === text && this.#token.kind !== 'string'
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at += 1
    return true
  }

  #expect(text: string, where: string): void {
    if (!this.#accept(text)) this.#fail(`expected "${text}" ${where}, not ${this.#tokenText()}`)
  }

  #tokenText(): string {
    const { text, kind } = this.#token
    return kind === 'end' ? text : `"${text}"`
  }

  #fail(problem: string): never {
    throw new TypeSyntaxError(this.#token.line, problem)
  }

  #type(): TypeNode {
    this.#depth += 1
    if (this.#depth > DEEPEST) this.#fail('the type is nested too deeply')
    this.#accept('|')
    const parts = [this.#postfix()]
    while (this.#accept('|') || this.#accept('&')) parts.push(this.#postfix())
    this.#depth -= 1
    const [onlyPart] = parts
    return onlyPart !== undefined && parts.length === 1 ? onlyPart : { kind: 'union', parts }
  }

  #postfix(): TypeNode {
    let type = this.#primary()
    while (this.#accept('[')) {
      if (this.#accept(']')) type = { kind: 'array', item: type }
      else {
        type = { kind: 'index', of: type, at: this.#type() }
        this.#expect(']', 'after an index')
      }
    }
    return type
  }

  #primary(): TypeNode {
    if (this.#accept('{')) return this.#object()
    if (this.#accept('[')) return { kind: 'tuple', items: this.#list(']') }
    if (this.#accept('(')) {
      const type = this.#type()
      this.#expect(')', 'after a type')
      return type
    }
    const { kind, text } = this.#token
    if (kind === 'string') {
      this.#at += 1
      return { kind: 'literal', text }
    }
    this.#accept('-')
    if (this.#token.kind !== 'word') this.#fail(`expected a type, not ${this.#tokenText()}`)
    return this.#namedType()
  }

  #namedType(): TypeNode {
    let name = this.#token.text
    this.#at += 1
    while (this.#accept('.')) {
      name += `.${this.#token.text}`
      this.#at += 1
    }
    if (this.#accept('<')) this.#list('>')
    return { kind: 'name', name }
  }

  #list(end: string): readonly TypeNode[] {
    const items: TypeNode[] = []
    while (!this.#accept(end)) {
      items.push(this.#type())
      if (!this.#accept(',') && !this.#is(end)) this.#fail(`expected "${end}", not ${this.#tokenText()}`)
    }
    return items
  }

  #object(): TypeNode {
    const members = new Map<string, Member>()
    while (!this.#accept('}')) {
      const { line } = this.#token
      // Not a modifier if it is the name itself.
      if (this.#is('readonly') && this.#tokens[this.#at + 1]?.text !== ':') this.#at += 1
      const name = this.#memberName()
      const isOptional = this.#accept('?')
      this.#expect(':', name === undefined ? 'after the name of a member' : `after "${name}"`)
      const type = this.#type()
      if (name !== undefined) members.set(name, { isOptional, type, line })
      if (!this.#accept(';')) this.#accept(',')
    }
    return { kind: 'object', members }
  }

  /** Undefined for `[_ in never]` and `[key: string]`, which name no member. */
  #memberName(): string | undefined {
    if (this.#accept('[')) {
      while (!this.#accept(']')) {
        if (this.#token.kind === 'end') this.#fail('expected "]"')
        this.#at += 1
      }
      return undefined
    }
    const { kind, text } = this.#token
    if (kind !== 'word' && kind !== 'string')
      this.#fail(`expected the name of a member, not ${this.#tokenText()}`)
    this.#at += 1
    return text
  }
}
