// Why a captcha's token was not taken, as far as the backend passes on what the captcha's own service said.

const AGAIN = 'Get another one and paste it at once'

/** The codes of both services that backends use; the first that fits has the say. No setting tells which of them it is. */
const BY_CODE: readonly (readonly [code: RegExp, words: string])[] = [
  [
    /timeout-or-duplicate/,
    `Turnstile says that this token was used already or is older than five minutes. ${AGAIN}.`,
  ],
  [
    /expired-input-response|already-seen-response/,
    `hCaptcha says that this token was used already or is older than two minutes. ${AGAIN}.`,
  ],
  [
    /sitekey-secret-mismatch/,
    'hCaptcha says that this token comes from a site with another key. Get one from the app that this backend belongs to.',
  ],
  [
    /input-secret|not-using-dummy-secret/,
    'The captcha of this backend is not set up rightly. Whoever runs it has to put its secret key in order.',
  ],
  [
    /invalid-input-response/,
    'This is no whole token, or one from a site with another key. Copy all of it, from the app that this backend belongs to.',
  ],
]

/** @param message what the backend said. */
export const captchaWords = (message: string): string =>
  BY_CODE.find(([code]) => code.test(message))?.[1] ??
  'This backend asks for a captcha. It is checked for the site that it belongs to, so it can’t be shown here: paste a token of it below, or sign in another way.'
