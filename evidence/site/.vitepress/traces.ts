// The recordings of "Try the console", and where the console opens each.

interface TryIt {
  readonly id: string
  readonly title: string
  /** One sentence. */
  readonly about: string
  /** The file in the site's folder `traces`; undefined for the running example. */
  readonly file?: string
  /** The place in the console, as in its address. */
  readonly place: Readonly<Record<string, string>>
}

export const TRIES: readonly TryIt[] = [
  {
    id: 'outage',
    title: 'A token expires offline',
    about: 'A Chartroom client for six minutes: a wrong password, a sign-in, and an outage.',
    file: 'token-expires-offline.trace.gz',
    // The token expires; tests/scripts/docs-site.test.ts checks the number.
    place: { actor: 'client/session', at: '143' },
  },
  {
    id: 'signed-out',
    title: 'Signed out at night',
    about: 'Another XState app, with the bug that the tour finds.',
    file: 'signed-out.trace.gz',
    place: { actor: 'watch/session', at: '88', tab: 'cause' },
  },
  {
    id: 'live',
    title: 'Live',
    about: 'The app of the tour, running in this page.',
    place: {},
  },
]

/** Address of the console page with this recording, relative to the site. */
export function consoleAddress({ file, place }: TryIt): string {
  const search = new URLSearchParams({ ...(file !== undefined && { trace: `../traces/${file}` }), ...place })
  return `/console/index.html${search.size > 0 ? `?${search.toString()}` : ''}`
}
