// Escapes text for Mermaid diagrams.

const inOneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim()

/** A label of a sequence diagram: characters with a meaning in its grammar become entity codes. */
export const messageText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}[\]()%\\`]/g, found => `#${found.codePointAt(0)};`) || '#160;'

/** Look-alikes of the characters with a meaning in the grammar of state diagrams. */
const ALIKE: Readonly<Record<string, string>> = {
  ':': '∶',
  ';': '；',
  '#': '＃',
  '"': '″',
  '`': '′',
  '{': '｛',
  '}': '｝',
  '<': '‹',
  '>': '›',
  '%': '％',
  '\\': '＼',
}

/** A label of a state diagram, which would show entity codes literally. */
export const stateText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}%\\`]/g, found => ALIKE[found] ?? found) || '\u00a0'
