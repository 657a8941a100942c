// Parses the exposed schemas from the backend's refusal of another one.

/** Parses PostgREST's messages, old and new. */
export const schemasIn = (text: string): readonly string[] => {
  const [, list] = /(?:schemas are exposed|one of the following): ([^"]+)/.exec(text) ?? []
  return (list ?? '').split(/,\s*/).filter(name => name !== '')
}
