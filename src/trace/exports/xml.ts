// Text and attributes of XML documents.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** What XML 1.0 can't hold in any form: most control characters, halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string, found: RegExp) =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(found, one => ENTITIES[one] ?? one)

/** Text between tags. */
export const xmlText = (text: string): string => escaped(text, /[&<>\r]/g)

/** Attributes with a space before each; those without a value are left out. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : ` ${name}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`,
    )
    .join('')
}

/** A comment; two hyphens in a row, which would end it, are drawn apart. */
export function xmlComment(text: string): string {
  return `<!-- ${text
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/-(?=-)/g, '- ')
    .replace(/-$/, '- ')} -->`
}
