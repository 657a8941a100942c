// Parses and writes PostgreSQL array literals: `{a,"b c",NULL}`.

/** An element; null is SQL null. */
export type Element = string | null

/** Whether the text is valid without quotes. */
const isPlain = (text: string) => /^[^\s{}",\\]+$/.test(text) && !/^null$/i.test(text)

/** Types whose arrays have another delimiter than a comma (`typdelim`): PostgreSQL's own, and those of PostGIS. */
const OTHER_DELIMITER = /^(?:\w+\.)?(?:box|geometry|geography)\b/

/** Parses a one-dimensional array of a type, such as `text[]`; undefined for anything else. */
export const readArrayText = (text: string, type: string): readonly Element[] | undefined => {
  if (OTHER_DELIMITER.test(type)) return undefined
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const inner = text.slice(1, -1)
  if (inner.trim() === '') return []
  const elements: Element[] = []
  const element = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s{}",\\](?:[^{}",\\]*[^\s{}",\\])?))\s*(,|$)/gy
  for (let at = 0; at < inner.length; at = element.lastIndex) {
    element.lastIndex = at
    const match = element.exec(inner)
    if (match === null) return undefined
    const [, quoted, plain = '', end] = match
    const word = /^null$/i.test(plain) ? null : plain
    elements.push(quoted === undefined ? word : quoted.replaceAll(/\\([\s\S])/g, '$1'))
    if (end === '') return elements
  }
  // A trailing comma.
  return undefined
}

/** Writes the elements as a PostgreSQL array literal. */
export const writeArrayText = (elements: readonly Element[]): string => {
  const texts = elements.map(element => {
    if (element === null) return 'NULL'
    return isPlain(element) ? element : `"${element.replaceAll(/["\\]/g, character => `\\${character}`)}"`
  })
  return `{${texts.join(',')}}`
}

/** Checks braces, quotes and commas; the server validates the elements. */
export const isArrayText = (text: string): boolean => {
  const bare = text
    .replace(/^(\[-?\d+:-?\d+\])+=/, '')
    .replaceAll(/"(?:[^"\\]|\\[\s\S])*("?)/g, (_, end) => (end === '' ? '"' : '0'))
  if (!bare.startsWith('{') || !bare.endsWith('}') || bare.includes('"')) return false
  let depth = 0
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1
    if (bare[at] === '}') depth -= 1
    if (depth === 0 && at < bare.length - 1) return false
  }
  return depth === 0
}
