// Calls of the official client, whose code loads with the first of them.
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Failure } from '../../../machines/index.ts'
import { describedAs } from '../auth/auth-response.ts'
import type * as Official from './supabase-official.ts'

/** Loads the official code; rejects if that fails. */
export type LoadOfficial = () => Promise<typeof Official>

/** Resolves with the official client, or undefined if its code could not be loaded. */
export type OfficialClient = () => Promise<SupabaseClient<unknown> | undefined>

/**
 * Returns the official code, or undefined if it could not be loaded: the next call tries again.
 * @throws TypeError if it is too old
 */
export async function officialCode(load: LoadOfficial): Promise<typeof Official | undefined> {
  const code = await load().catch(() => undefined)
  code?.checkVersion()
  return code
}

/** The client is created with the first call. */
export function officialClient(host: Official.OfficialHost, load: LoadOfficial): OfficialClient {
  let client: SupabaseClient<unknown> | undefined
  return async () => {
    const code = await officialCode(load)
    return (client ??= code?.createOfficial(host))
  }
}

/** A property, or a call of a method if there are arguments. */
export type Step = readonly [name: string, given?: readonly unknown[]]

/** Takes steps from the object with this name, and returns what the last one results in. */
export function follow(from: object, name: string, steps: readonly Step[]): unknown {
  let target: unknown = from
  let path = name
  for (const [member, args] of steps) {
    const value: unknown = Reflect.get(target as object, member)
    path += `.${member}`
    if (args && typeof value !== 'function') throw new TypeError(`${path} is not a function`)
    target = args ? Reflect.apply(value as () => unknown, target, args) : value
  }
  return target
}

/**
 * Returns `own` with all methods that it does not have, and groups of them such as `mfa`.
 * @param call receives the steps to a method that is called
 */
export function withCalls<Own extends object>(
  ownMembers: Own,
  call: (steps: readonly Step[]) => unknown,
  group: readonly Step[] = [],
): Own {
  const add = (name: string | symbol) => {
    if (name in ownMembers || !isMethodName(name)) return
    const method = (...args: readonly unknown[]) => call([...group, [name, args]])
    Reflect.set(ownMembers, name, withCalls(method, call, [...group, [name]]))
  }
  return new Proxy(ownMembers, {
    get(_, name, receiver) {
      add(name)
      return Reflect.get(ownMembers, name, receiver) as unknown
    },
    // Asked by tests that replace a method.
    getOwnPropertyDescriptor(_, name) {
      add(name)
      return Reflect.getOwnPropertyDescriptor(ownMembers, name)
    },
  })
}

/** Everything else is asked by frameworks and tools, such as `then` by `await`. */
const isMethodName = (name: string | symbol): name is string =>
  typeof name === 'string' && /^[a-z]\w*$/i.test(name) && name !== 'then' && name !== 'toJSON'

/** An official error without its class, which could not be loaded. */
export const plainError = <Fields extends object>(failure: Failure, fields: Fields): Error & Fields =>
  describedAs(Object.assign(new Error(failure.message), fields), failure)
