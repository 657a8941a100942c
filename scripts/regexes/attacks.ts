// Generates texts that would make a vulnerable regular expression slow, from what the expression itself
// matches.

/** The parts of a regular expression that are needed to generate texts that it partially matches. */
type Piece =
  | { readonly kind: 'letters'; readonly letters: readonly string[] }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly of: Piece; readonly isLong: boolean; readonly least: number }

/** A text made of a prefix, a repeated part and a suffix. */
export interface Attack {
  readonly before: string
  readonly again: string
  readonly after: string
}

const COMMON = [
  'a',
  '0',
  ' ',
  '-',
  '.',
  '/',
  '"',
  '\\',
  '_',
  '!',
  '\n',
  'A',
  '=',
  '%',
  ':',
  '[',
  '(',
  ',',
  '\u{1f600}',
]
/** Fragments known to cause catastrophic backtracking. */
const KILLERS = [
  '[:',
  '[[:',
  'eyJ',
  '((',
  '\\"',
  '"a":"',
  '://',
  ' \n',
  '${',
  '<!--',
  '[](',
  'a@',
  '1e',
  '#a',
  '?a=',
]
const ENDS = ['', '\u0001', '\n\u0001']
const MOST = 160

export function attacksOn(source: string, flags: string): Attack[] {
  const tree = new Reader(source, flags).read()
  const found = new Map<string, Attack>()
  const add = (before: string, again: string) => {
    if (again === '') return
    for (const after of ENDS)
      if (found.size < MOST) found.set(JSON.stringify([before, again, after]), { before, again, after })
  }
  const visit = (piece: Piece, before: string): void => {
    switch (piece.kind) {
      case 'letters':
        return
      case 'any':
        for (const each of piece.of) visit(each, before)
        return
      case 'repeat':
        if (piece.isLong) for (const text of variants(piece.of)) add(before, text)
        visit(piece.of, before)
        return
      case 'all': {
        let text = before
        for (const each of piece.of) {
          visit(each, text)
          text += sample(each)
          add('', text)
          if (/\w$/.test(text)) add('', `${text} `)
        }
      }
    }
  }
  visit(tree, '')
  const letters = [...new Set(lettersIn(tree))].slice(0, 8)
  for (const letter of letters) {
    add('', letter)
    add('\u0001', letter)
  }
  for (const text of KILLERS) add('', text)
  for (const one of letters) for (const other of letters) if (one !== other) add('', one + other)
  return [...found.values()]
}

const lettersIn = (piece: Piece): string[] =>
  piece.kind === 'letters'
    ? piece.letters.slice(0, 2)
    : piece.kind === 'repeat'
      ? lettersIn(piece.of)
      : piece.of.flatMap(lettersIn)

function sample(piece: Piece): string {
  switch (piece.kind) {
    case 'letters':
      return piece.letters[0] ?? ''
    case 'any':
      return piece.of[0] ? sample(piece.of[0]) : ''
    case 'repeat':
      return sample(piece.of).repeat(Math.min(piece.least, 40))
    case 'all':
      return piece.of.map(sample).join('')
  }
}

function variants(piece: Piece): string[] {
  switch (piece.kind) {
    case 'letters':
      return piece.letters.slice(0, 4)
    case 'any':
      return piece.of.flatMap(variants).slice(0, 8)
    case 'repeat':
      return variants(piece.of)
    case 'all':
      return [
        piece.of.map(sample).join(''),
        ...piece.of.flatMap((each, at) =>
          variants(each).map(text =>
            piece.of.map((one, index) => (index === at ? text : sample(one))).join(''),
          ),
        ),
      ].slice(0, 8)
  }
}

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags.replaceAll(/[gy]/g, '')
  }

  read(): Piece {
    const ways: Piece[] = []
    let parts: Piece[] = []
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1
        ways.push({ kind: 'all', of: parts })
        parts = []
      } else parts.push(this.#repeated(this.#one()))
    }
    ways.push({ kind: 'all', of: parts })
    return ways.length === 1 && ways[0] ? ways[0] : { kind: 'any', of: ways }
  }

  #one(): Piece {
    const opened = this.#take(/\((\?(?:[:=!]|<[=!]|<\w+>))?/y)
    if (opened) {
      const [, group] = opened
      const inner = this.read()
      this.#at += 1
      // Lookarounds add nothing to the text.
      return group !== undefined && /[=!]$/.test(group) ? { kind: 'all', of: [] } : inner
    }
    const [token = ''] =
      this.#take(
        /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\dA-Fa-f]{2}|u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|[pP]\{[^}]*\}|k<\w+>|[^])|[^]/y,
      ) ?? []
    if (/^(?:[\^$]|\\[bB1-9]|\\k<.*)$/.test(token)) return { kind: 'all', of: [] }
    return { kind: 'letters', letters: this.#lettersOf(token) }
  }

  /** Asks the regex engine itself. */
  #lettersOf(token: string): string[] {
    const own = Array.from(this.#source).filter(letter => /[^\\[\]()*+?{}|^$]/.test(letter))
    const one = new RegExp(`^(?:${token})$`, this.#flags)
    const written = Array.from(token.replaceAll(/\\[dwsDWS]|\\(?=[^])/g, ''))
    return [...new Set([...written, ...COMMON, ...own])].filter(letter => one.test(letter))
  }

  #repeated(of: Piece): Piece {
    const [all, least, most] = this.#take(/(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/y) ?? []
    if (all === undefined) return of
    if (least === undefined)
      return { kind: 'repeat', of, isLong: all[0] !== '?', least: all[0] === '+' ? 1 : 0 }
    return { kind: 'repeat', of, isLong: most === '' || Number(most ?? least) > 20, least: Number(least) }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}
