// Removes secrets from stored lines.

/** Returns an edit function that replaces secrets by pseudonyms; event names are not changed. */
export function redactStored(
  secrets: readonly (readonly [secret: string, pseudonym: string])[],
): (text: string) => string {
  const known = new Map(
    secrets.flatMap(([secret, pseudonym]) => [
      [JSON.stringify(secret).slice(1, -1), pseudonym] as const,
      [encodeURIComponent(secret), pseudonym] as const,
    ]),
  )
  const forms = [...known.keys()]
    .sort((a, b) => b.length - a.length)
    .map(form => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const finder = new RegExp(`"type":"(?:[^"\\\\]|\\\\.)*"|${forms.join('|')}`, 'g')
  return text => text.replaceAll(finder, found => known.get(found) ?? found)
}
