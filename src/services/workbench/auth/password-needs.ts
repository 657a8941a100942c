// Password requirements of a backend, parsed from its error message, and which of them a password meets.

export interface Need {
  readonly text: string
  readonly isMet: (password: string) => boolean
}

const SETS: readonly (readonly [words: RegExp, text: string, pattern: RegExp])[] = [
  [/a lower-case letter/, 'A lower-case letter', /[a-z]/],
  [/an upper-case letter/, 'An upper-case letter', /[A-Z]/],
  [/a letter/, 'A letter', /[a-z]/i],
  [/a digit/, 'A digit', /\d/],
  [/a symbol/, 'A symbol, such as ! or #', /[^\w\s]|_/],
]

/**
 * Parses the requirements in an error message; empty if it names none that can be checked.
 *
 * @param refused the password that was rejected.
 */
export const needsOf = (message: string, refused: string): readonly Need[] => {
  const least = Number(/at least (\d+) characters/.exec(message)?.[1] ?? 0)
  const isKnown = /known to be weak|pwned|leaked|easy to guess/i.test(message)
  return [
    ...(least === 0
      ? []
      : [{ text: `At least ${least} characters`, isMet: (password: string) => password.length >= least }]),
    ...SETS.filter(([words]) => words.test(message)).map(([, text, pattern]) => ({
      text,
      isMet: (password: string) => pattern.test(password),
    })),
    ...(isKnown
      ? [{ text: 'Not known from a leak', isMet: (password: string) => password !== refused }]
      : []),
  ]
}
