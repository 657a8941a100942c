// What a host asks of a password, read from its own refusal, and which of it a password has.

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
 * What the words of a refusal ask for; empty when they name nothing that can be looked for.
 *
 * @param refused the password that they are about.
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
      ? [{ text: 'None that is known from a leak', isMet: (password: string) => password !== refused }]
      : []),
  ]
}
