// Text within Mermaid diagrams.

const inOneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim()

/** A label of a sequence diagram: letters that mean something to its grammar are written as entity codes. */
export const messageText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}[\]()%\\`]/g, found => `#${found.codePointAt(0)};`) || '#160;'

/** Letters that look like those which mean something to the grammar of state diagrams. */
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

/** A label of a state diagram, where entity codes would be drawn as they stand. */
export const stateText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}%\\`]/g, found => ALIKE[found] ?? found) || '\u00a0'
