// Errors of PostgREST, and of hosts that answer for a backend; loads before the sign-in.

/** An error of PostgREST; missing texts are empty. */
export interface RestError {
  readonly message: string
  readonly code: string
  readonly details: string
  readonly hint: string
}

/** The texts in a response or in an error of supabase-js. */
export const restErrorIn = (error: unknown): RestError => {
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  return { message: text('message'), code: text('code'), details: text('details'), hint: text('hint') }
}

/** The message and the hint of a response, as one text. */
export const wordsIn = (error: unknown): string => {
  const { message, hint } = restErrorIn(error)
  return [message, hint]
    .filter(text => text !== '')
    .map(text => text.replace(/[^.!?]$/, '$&.'))
    .join(' ')
}

/** Status of a hosted project that is paused. */
const PAUSED = 540
/** Status of a hosted project whose organization exceeds a quota or has not paid. */
const RESTRICTED = 402
/** What a disabled Data API exposes. */
const NO_SCHEMAS = 'pg_pgrst_no_exposed_schemas'

/** Explains what only the project's owner can change; undefined for other responses. */
export function explainHost(
  status: number,
  error: unknown,
): { readonly title: string; readonly message: string } | undefined {
  const words = wordsIn(error)
  if (status === PAUSED)
    return {
      title: 'This project is paused',
      message: `${words} Its owner can restore it in the dashboard of the host.`,
    }
  if (status === RESTRICTED)
    return {
      title: 'The host restricts this project',
      message: `${words} Its owner can see the reason in the dashboard of the host.`,
    }
  if (/legacy api keys are disabled/i.test(words))
    return {
      title: 'The legacy API keys of this project are disabled',
      message: `${words} Connect with the publishable key, which begins with sb_publishable_.`,
    }
  if (words.includes(NO_SCHEMAS))
    return {
      title: 'The Data API of this project is disabled',
      message: `${words} Its owner can enable it in the settings of the project; everything else works without it.`,
    }
  return undefined
}
