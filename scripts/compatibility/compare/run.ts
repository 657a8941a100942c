// Sends conversations to both servers at once and collects the differences.
import {
  fill,
  fillText,
  save,
  type Conversation,
  type Exchange,
  type Step,
  type Variables,
} from './conversation.ts'
import { compareExchanges, compareValues, type Difference, type Sides } from './differences.ts'
import type { ReceivedMail } from './mail-sink.ts'
import type { Server } from './servers.ts'

export interface FoundDifference extends Difference {
  readonly conversation: string
  /** The number of the step, its method and its path. */
  readonly step: string
}

export interface Comparison {
  readonly requests: number
  readonly found: readonly FoundDifference[]
}

/** One side of a conversation. */
interface Side {
  readonly server: Server
  readonly variables: Variables
}

/** The requests to two servers of one kind, and what is compared. */
export interface Suite {
  readonly conversations: readonly Conversation[]
  /** The variables that each conversation starts with, by its number. */
  readonly firstVariables: (index: number) => Readonly<Record<string, string>>
  /** The headers that clients read. Those of the gateway, such as CORS, are not the service's. */
  readonly headers: readonly string[]
}

export async function runConversations(
  { conversations, firstVariables, headers }: Suite,
  servers: readonly [ours: Server, theirs: Server],
): Promise<Comparison> {
  const found: FoundDifference[] = []
  let requests = 0
  for (const [index, { name, steps }] of conversations.entries()) {
    const sides = servers.map(server => ({
      server,
      variables: new Map(Object.entries(firstVariables(index))),
    }))
    const [ours, theirs] = sides
    if (!ours || !theirs) continue
    const shared: Sides = { bases: [ours.server.base, theirs.server.base], counterparts: new Map() }
    for (const [position, step] of steps.entries()) {
      requests += 1
      const differences =
        'mailTo' in step
          ? compareMails(await bothOf(sides, side => takeMail(side, step.mailTo)), shared)
          : compareExchanges(...(await bothOf(sides, side => sendStep(side, step))), shared, headers)
      const label = `${position + 1}. ${describeStep(step)}`
      found.push(...differences.map(difference => ({ ...difference, conversation: name, step: label })))
    }
  }
  return { requests, found }
}

async function bothOf<T>(sides: readonly Side[], work: (side: Side) => Promise<T>): Promise<[T, T]> {
  const [ours, theirs] = sides
  if (!ours || !theirs) throw new Error('A comparison needs two servers.')
  return Promise.all([work(ours), work(theirs)])
}

async function sendStep(
  { server, variables }: Side,
  step: Exclude<Step, { mailTo: string }>,
): Promise<Exchange> {
  const now = Date.now()
  const { as, body, text, headers = {} } = step
  const { base } = server
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(fill(body, variables, now)))
  const named = Object.entries(headers).map(
    ([name, value]) => [name, fillText(value, variables, now)] as const,
  )
  const exchange = await server.send({
    method: step.method,
    path: fillText(step.path, variables, now),
    headers: {
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as === undefined ? {} : { authorization: `Bearer ${variables.get(as) ?? `missing-${as}`}` }),
      ...Object.fromEntries(named),
    },
    body: sent === undefined ? undefined : fillText(sent, variables, now),
  })
  save(step, exchange, variables, base)
  return exchange
}

/** `undefined` if none arrived. */
type Mails = readonly [ours: ReceivedMail | undefined, theirs: ReceivedMail | undefined]

/** Takes an email and keeps its code, the hash in its link, and the link's path. */
async function takeMail({ server, variables }: Side, to: string): Promise<ReceivedMail | undefined> {
  const mail = await server.takeMail(fillText(to, variables, Date.now()))
  variables.set('code', mail?.code ?? '')
  variables.set('hash', URL.parse(mail?.link ?? '')?.searchParams.get('token') ?? '')
  variables.set('link', mail?.link.replace(server.base, '') ?? '')
  return mail
}

function compareMails(mails: Mails, sides: Sides): Difference[] {
  const found: Difference[] = []
  compareValues('email', ...mails, sides, found)
  return found
}

function describeStep(step: Step): string {
  if ('mailTo' in step) return `email to ${step.mailTo}`
  const path = step.path.replace(/\?.*/, '')
  return `${step.method} ${path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path}`
}

/** Of a path in the table. */
const LONGEST = 60
