// Explains why a captcha token was rejected, from the error codes that the backend passes on.

const AGAIN = 'Get another one and paste it at once'

/** Error codes of both services, first match wins. No setting reports which service a backend uses. */
const BY_CODE: readonly (readonly [code: RegExp, words: string])[] = [
  [
    /timeout-or-duplicate/,
    `Turnstile reports that this token was already used or is older than five minutes. ${AGAIN}.`,
  ],
  [
    /expired-input-response|already-seen-response/,
    `hCaptcha reports that this token was already used or is older than two minutes. ${AGAIN}.`,
  ],
  [
    /sitekey-secret-mismatch/,
    'hCaptcha reports that this token comes from a site with another key. Get one from the app that this backend belongs to.',
  ],
  [
    /input-secret|not-using-dummy-secret/,
    'The captcha of this backend is misconfigured. Its operator has to correct the secret key.',
  ],
  [
    /invalid-input-response/,
    'This token is incomplete or comes from a site with another key. Copy all of it, from the app that this backend belongs to.',
  ],
]

/** @param message the backend's error message. */
export const describeCaptcha = (message: string): string =>
  BY_CODE.find(([code]) => code.test(message))?.[1] ??
  'This backend requires a captcha. It only works on its own site, so it can’t be shown here: paste a token below, or use another sign-in method.'
