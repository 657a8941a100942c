// Takes secrets out of lines that are stored already.

/** An edit of lines that puts the pseudonyms in the place of the secrets; names of events stay as they are. */
export function hiding(
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
