// Which schemas a backend serves, as its refusal of another one tells.

/** The schemas in PostgREST's words, old and new. */
export const schemasIn = (words: string): readonly string[] => {
  const [, list] = /(?:schemas are exposed|one of the following): ([^"]+)/.exec(words) ?? []
  return (list ?? '').split(/,\s*/).filter(name => name !== '')
}
