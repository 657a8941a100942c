// Texts as parts of generated code in JavaScript, SQL and shells: a text is always a value there, never code.

/** Control characters, line separators, and characters that are invisible or change the direction of a line. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16)

/** Returns the code of a character as people read it: `\n`, `\x1b`, `\u{2028}`. */
export function controlCode(character: string): string {
  if (character === '\n') return '\\n'
  const digits = hex(character)
  return digits.length <= 2 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`
}

/** Returns a text as one line, with each control character except tabs replaced by its code: `\x1b`. */
export const oneLine = (text: string): string =>
  text.replaceAll(CONTROLS, character => (character === '\t' ? character : controlCode(character)))

/** Test runners and compilers obey these words, even in strings: `@vitest-environment NAME` loads a package. */
const DIRECTIVE = /@(?=(?:vitest|jest|module-tag|ts-|jsx))/g

/** A line comment of JavaScript, of one line. */
export const jsComment = (text: string): string => `// ${oneLine(text).replaceAll(DIRECTIVE, '(at)')}`

const JS_ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A string literal of JavaScript in single quotes. */
export const jsString = (text: string): string =>
  `'${text
    .replaceAll(/['\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, found => {
      const digits = hex(found)
      return JS_ESCAPES[found] ?? (digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`)
    })
    .replaceAll(DIRECTIVE, '\\u0040')}'`

const NAME = /^[A-Za-z_$][\w$]*$/

/** A property name of an object literal. */
export function jsKey(name: string): string {
  // As a literal, this key would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return NAME.test(name) ? name : jsString(name)
}

/** Words that cannot name a variable of a module. */
const RESERVED = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof undefined var void while with yield`.split(
    /\s+/,
  ),
)

/** Whether a text can name a variable of a module. */
export const isVariableName = (text: string): boolean => NAME.test(text) && !RESERVED.has(text)

/** An import of one export of a module. */
export interface NamedImport {
  /** The statement. */
  readonly import: string
  /** The variable. */
  readonly name: string
}

/** Imports an export, which may have any name; one that can't name a variable is called `machine`. */
export function jsImport(exported: string, from: string): NamedImport {
  if (isVariableName(exported))
    return { import: `import { ${exported} } from ${jsString(from)}`, name: exported }
  const source = NAME.test(exported) ? exported : jsString(exported)
  return { import: `import { ${source} as machine } from ${jsString(from)}`, name: 'machine' }
}

/** Imports one of Chartroom's own systems, which needs no module of a user. */
export const ownSystem = (system: string): NamedImport => ({
  import: "import { systems } from '@chartroom/devtools/replay'",
  name: `systems[${jsString(system)}]`,
})

/** A name of SQL in double quotes. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A string of SQL, also where backslashes are escapes (`standard_conforming_strings = off`). */
export function sqlString(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

/** Needs no quotes in any shell. */
const PLAIN_WORD = /^[\w@%+:,./-][\w@%+:,./=-]*$/

/**
 * A word of a shell command. Control characters, which a terminal would obey when the command is pasted, become
 * escapes of `$'…'` (bash, zsh, ksh, POSIX 2024).
 */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const bytes = (character: string) =>
    [...new TextEncoder().encode(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  // The quotes end after an escape of digits, so that a digit behind it is no part of it.
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll(CONTROLS, found => (found === '\n' ? '\\n' : `${bytes(found)}'$'`))
  return `$'${escaped}'`
}
