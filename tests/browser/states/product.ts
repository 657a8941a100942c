// A running product by its address, as the states need it.
import type { Account, Product, UserRequest } from './state.ts'

interface Config {
  readonly key: string
  readonly accounts: readonly Account[]
}

/** @param signIn opens a page of the app with a session */
export async function productAt(
  url: string,
  signIn: (
    page: Parameters<Product['signIn']>[0],
    url: string,
    account: Account,
    path?: string,
  ) => Promise<void>,
): Promise<Product> {
  const { key, accounts } = await json<Config>(`${url}/_chartroom/config`)
  const named = (name: string) => {
    const found = accounts.find(({ email }) => email.startsWith(`${name}@`))
    if (!found) throw new Error(`The demo has no account called ${name}`)
    return found
  }
  const headers = { apikey: key, 'content-type': 'application/json' }
  return {
    url,
    skipper: named('skipper'),
    mate: named('mate'),
    signIn: (page, account, path) => signIn(page, url, account, path),
    async faults(...faults) {
      const body = JSON.stringify({ faults })
      await json(`${url}/_chartroom/faults`, { method: 'PUT', headers, body })
    },
    async codeTo(email) {
      const path = `/_chartroom/inbox.json?to=${encodeURIComponent(email)}`
      const { messages } = await json<{ messages: readonly { otp?: string }[] }>(`${url}${path}`)
      return messages[0]?.otp ?? ''
    },
    async requestsAs(account) {
      const signingIn = { method: 'POST', headers, body: JSON.stringify(account) }
      const session = await json<{ access_token: string }>(
        `${url}/auth/v1/token?grant_type=password`,
        signingIn,
      )
      const signed = { ...headers, authorization: `Bearer ${session.access_token}` }
      const request: UserRequest = async (method, path, body) => {
        const init = { method, headers: signed, ...(body !== undefined && { body: JSON.stringify(body) }) }
        const response = await fetch(`${url}${path}`, init)
        if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
        return response
      }
      return request
    },
  }
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
  return (await response.json()) as T
}
