// Chaos on an original: the auth requests of virtual days, sent to it in the same order, must be answered as
// the simulated server answered them.
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { jwtClaims } from '../../../src/services/runtime/index.ts'
import { runChaos } from '../../../tests/harness/chaos.ts'
import type { AuthLogEntry, AuthLogRequest } from '../../../tests/harness/world-server.ts'
import { signToken } from '../compare/conversation.ts'
import { JWT_SECRET, serviceToken, type Server } from '../compare/servers.ts'

export interface ChaosResult {
  readonly seed: number
  readonly requests: number
  /** Each different answer, and each invariant that failed, as text. */
  readonly differences: readonly string[]
}

/** How long a used refresh token may be used again; the simulated server has the same. */
const REUSE_MS = 10_000
/** The original's clock is not ours to the millisecond, and requests take time. */
const MARGIN_MS = 1_000
const PASSWORD = 'harbour-demo'
/** Some wait; more than this could exceed the connections of the original's database. */
const AT_ONCE = 16

const sessionSchema = v.object({ access_token: v.string(), refresh_token: v.string() })
const errorSchema = v.object({ error_code: v.string() })
const credentialsSchema = v.object({ email: v.optional(v.string()), refresh_token: v.optional(v.string()) })

/** A moment on the clocks of both servers, in milliseconds. */
interface Moment {
  readonly world: number
  readonly real: number
}

/** Runs the schedules of seeds, and sends their auth requests to the original, several schedules at once. */
export async function compareChaos(
  seeds: readonly number[],
  original: Server,
): Promise<readonly ChaosResult[]> {
  const days: Day[] = []
  // One after another: while a schedule is computed, nothing is sent in time.
  for (const seed of seeds) {
    const { world, broken } = await runChaos(seed)
    days.push({ seed, log: world.server.authLog, broken })
  }
  const results: ChaosResult[] = []
  const work = async () => {
    for (let day = days.shift(); day; day = days.shift()) results.push(await compareDay(day, original))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

interface Day {
  readonly seed: number
  readonly log: readonly AuthLogEntry[]
  /** Invariants that failed, as text. */
  readonly broken: readonly string[]
}

async function compareDay({ seed, log, broken }: Day, original: Server): Promise<ChaosResult> {
  const copy = new Copy(seed, original)
  await copy.addUsers(log)
  const differences = [...broken]
  for (const entry of log) {
    const difference = entry === 'sessionsEnded' ? await copy.endSessions() : await copy.send(entry)
    if (difference !== undefined) differences.push(`seed ${seed}: ${difference}`)
  }
  return { seed, requests: log.filter(entry => entry !== 'sessionsEnded').length, differences }
}

/** One schedule on the original: the same users, and for each simulated token the original's. */
class Copy {
  readonly #seed: number
  readonly #original: Server
  readonly #emails = new Set<string>()
  readonly #tokens = new Map<string, string>()
  /** When a refresh token was first used, which revokes it. */
  readonly #used = new Map<string, Moment>()

  constructor(seed: number, original: Server) {
    this.#seed = seed
    this.#original = original
  }

  async addUsers(log: readonly AuthLogEntry[]): Promise<void> {
    for (const entry of log) {
      const email = entry === 'sessionsEnded' ? undefined : credentialsOf(entry).email
      if (email !== undefined) this.#emails.add(this.#ownEmail(email))
    }
    for (const email of this.#emails) {
      const body = { email, password: PASSWORD, email_confirm: true }
      const { status } = await this.#ask('POST', '/admin/users', { bearer: serviceToken(), body })
      if (status !== 200) throw new Error(`The original answered ${status} to the new user ${email}.`)
    }
  }

  /** Every session of every user, as an administrator would. */
  async endSessions(): Promise<undefined> {
    for (const email of this.#emails) {
      const { body } = await this.#ask('POST', '/token?grant_type=password', {
        body: { email, password: PASSWORD },
      })
      const { access_token } = v.parse(sessionSchema, body)
      await this.#ask('POST', '/logout?scope=global', { bearer: access_token })
    }
  }

  /** Returns what is different in the response. */
  async send({ at, call, isLive, response }: AuthLogRequest): Promise<string | undefined> {
    const path = call.path.replace('/auth/v1', '')
    const { email, refresh_token } = credentialsOf({ call })
    if (refresh_token !== undefined) await this.#passTime(refresh_token, at)
    const answer = await this.#ask(call.method, path, {
      ...(email === undefined && refresh_token === undefined
        ? { bearer: this.#bearer(call.bearer, isLive) }
        : {}),
      ...(email === undefined ? {} : { body: { email: this.#ownEmail(email), password: PASSWORD } }),
      ...(refresh_token === undefined ? {} : { body: { refresh_token: this.#own(refresh_token) } }),
    })
    this.#learn(response.body, answer.body)
    if (refresh_token !== undefined && !this.#used.has(refresh_token))
      this.#used.set(refresh_token, { world: at, real: Date.now() })
    const [ours, theirs] = [describe(response), describe(answer)]
    return ours === theirs ? undefined : `${call.method} ${path}: ${ours}, original: ${theirs}`
  }

  /** Waits until a used token is as old on the original, where that decides whether it may be used again. */
  async #passTime(token: string, at: number): Promise<void> {
    const used = this.#used.get(token)
    if (!used || at - used.world <= REUSE_MS) return
    await delay(Math.max(0, used.real + REUSE_MS + MARGIN_MS - Date.now()))
  }

  #learn(ours: unknown, theirs: unknown): void {
    const [simulated, real] = [v.safeParse(sessionSchema, ours), v.safeParse(sessionSchema, theirs)]
    if (!simulated.success || !real.success) return
    this.#tokens.set(simulated.output.access_token, real.output.access_token)
    this.#tokens.set(simulated.output.refresh_token, real.output.refresh_token)
  }

  #own(token: string): string {
    return this.#tokens.get(token) ?? token
  }

  /** The original's token; expired, if the simulated one has expired. */
  #bearer(token: string, isLive: boolean): string {
    const own = this.#own(token)
    const claims = jwtClaims(own)
    return isLive || !claims ? own : signToken({ ...claims, exp: 1 }, JWT_SECRET)
  }

  /** Schedules run beside each other. */
  #ownEmail(email: string): string {
    return `chaos-${this.#seed}-${email}`
  }

  #ask(
    method: string,
    path: string,
    { bearer, body }: { readonly bearer?: string; readonly body?: object },
  ): ReturnType<Server['send']> {
    return this.#original.send({
      method,
      path,
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: body && JSON.stringify(body),
    })
  }
}

function credentialsOf({ call }: Pick<AuthLogRequest, 'call'>): v.InferOutput<typeof credentialsSchema> {
  return call.body === '' ? {} : v.parse(credentialsSchema, JSON.parse(call.body))
}

function describe({ status, body }: { readonly status: number; readonly body: unknown }): string {
  const error = v.safeParse(errorSchema, body)
  return error.success ? `${status} ${error.output.error_code}` : `${status}`
}
