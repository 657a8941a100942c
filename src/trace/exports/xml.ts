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

/** Characters that XML 1.0 cannot contain in any form: most control characters and unpaired surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string, found: RegExp) =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(found, one => ENTITIES[one] ?? one)

/** Text between tags. */
export const xmlText = (text: string): string => escaped(text, /[&<>\r]/g)

/** Attributes, each preceded by a space; those without a value are omitted. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : ` ${name}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`,
    )
    .join('')
}

/** A comment; double hyphens, which would end it, are separated. */
export function xmlComment(text: string): string {
  return `<!-- ${text
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/-(?=-)/g, '- ')
    .replace(/-$/, '- ')} -->`
}
