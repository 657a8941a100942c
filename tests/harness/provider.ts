// Signs in at the simulated provider as a browser would, without one.

/** A demo user, another user with a typed name, or none. */
export type Choice =
  | { readonly person: string }
  | { readonly email: string; readonly name?: string; readonly verified?: boolean }
  | 'decline'

export interface Returned {
  /** The address that the provider redirected to: the auth server's callback, for codes. */
  readonly callback: string
  /** The final address of the browser. */
  readonly end: URL
  readonly query: Record<string, string>
  readonly hash: Record<string, string>
}

/** @param address the start: `/authorize` of the auth server, or the provider's own page. */
export async function signInAt(address: string, choice: Choice): Promise<Returned> {
  const page = address.includes('/_chartroom/oauth/') ? address : await locationOf(address)
  const callback = await answerPage(page, choice)
  const isCode = new URL(callback).pathname === '/auth/v1/callback'
  return ended(callback, isCode ? await locationOf(callback) : callback)
}

/** Posts the form of the provider's page; returns where that redirects to. */
async function answerPage(page: string, choice: Choice): Promise<string> {
  const html = await (await fetch(page)).text()
  const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1]
  if (token === undefined) throw new Error(`There is no form at ${page}: ${html.slice(-300)}`)
  return locationOf(page, {
    method: 'POST',
    body: new URLSearchParams({ form_token: token, ...fieldsOf(choice) }),
  })
}

/** Goes to the callback, once more for one thing. */
export async function follow(callback: string): Promise<Returned> {
  return ended(callback, await locationOf(callback))
}

function fieldsOf(choice: Choice): Record<string, string> {
  if (choice === 'decline') return { decision: 'deny' }
  if ('person' in choice) return { person: choice.person }
  const { email, name = '', verified = true } = choice
  return { email, name, decision: 'approve', ...(verified ? { verified: 'yes' } : {}) }
}

async function locationOf(address: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return location
}

function ended(callback: string, address: string): Returned {
  const end = new URL(address)
  return {
    callback,
    end,
    query: Object.fromEntries(end.searchParams),
    hash: Object.fromEntries(new URLSearchParams(end.hash.slice(1))),
  }
}
