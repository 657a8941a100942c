// Random REST attempts by signed-in and anonymous users to see or change other users' data.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { attempt, type Attempt } from './attempts.ts'
import { ann, backend, cat, people, signer, sql } from './crew.ts'
import { forgeTokens } from './forgeries.ts'

const ATTEMPTS = volume(700, 6_000)
/** Of each status; the rarest has one in sixty. */
const FEWEST = volume(1, 5)
const AT_ONCE = 40

const forgeries = new Map(
  await Promise.all(
    people.map(async one => {
      const victims = people.filter(person => person !== one)
      const lists = await Promise.all(victims.map(({ id: victim }) => forgeTokens(signer, victim, one.token)))
      return [one, lists.flat()] as const
    }),
  ),
)

function tokenOf({ by, forged }: Attempt): string | undefined {
  const list = forgeries.get(by ?? cat) ?? []
  return forged === null ? by?.token : list[forged % list.length]
}

async function dare(given: Attempt): Promise<{ status: number; text: string }> {
  const token = tokenOf(given)
  const sent = {
    ...given.headers,
    'content-type': 'application/json',
    ...(given.apikey ? { apikey: given.apikey } : {}),
    ...(token === undefined ? {} : { authorization: `${given.scheme} ${token}` }),
  }
  const writes = !['GET', 'HEAD'].includes(given.method)
  const response = await fetch(`${backend.url}/rest/v1/${given.path}?${given.query.join('&')}`, {
    method: given.method,
    headers: sent,
    ...(writes ? { body: JSON.stringify(given.body) } : {}),
  })
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers])} ${await response.text()}`,
  }
}

/** Marks in a response that do not belong to the caller. */
function leaks(given: Attempt, answer: string): string[] {
  const asker = given.forged === null ? given.by : undefined
  return people.filter(person => person !== asker && answer.includes(person.mark)).map(({ mark }) => mark)
}

const rowsOfCat = () => sql`
  select (select json_agg(b order by id) from boats b where owner = ${cat.id})::text as boats,
         (select json_agg(c order by id) from cargo c where what = ${cat.mark})::text as cargo`

test(
  `${ATTEMPTS} attempts leak nothing and change nothing of other users`,
  { timeout: 120_000 },
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const before = await rowsOfCat()
    const attempts = fc.sample(attempt, { numRuns: ATTEMPTS, seed })
    const found: unknown[] = []
    const seen = new Map<number, number>()
    while (attempts.length > 0) {
      const batch = attempts.splice(0, AT_ONCE)
      const answers = await Promise.all(batch.map(dare))
      for (const [index, { status, text: answer }] of answers.entries()) {
        const given = batch[index]
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (given && (status >= 500 || leaks(given, answer).length > 0)) found.push({ given, status, answer })
      }
    }
    expect(found.slice(0, 3), `seed ${seed}`).toEqual([])
    expect(await rowsOfCat()).toEqual(before)
    // Not all attempts are rejected up front.
    expect(
      [200, 201, 204, 400, 401, 403, 404, 409].filter(status => (seen.get(status) ?? 0) < FEWEST),
      `seed ${seed}: ${JSON.stringify([...seen])}`,
    ).toEqual([])
  },
)

test('owners still see their rows', async () => {
  const response = await fetch(`${backend.url}/rest/v1/boats?select=name&order=id`, {
    headers: { apikey: backend.publishableKey, authorization: `Bearer ${cat.token}` },
  })
  expect(await response.json()).toEqual([21, 22, 23].map(at => ({ name: `${cat.mark} ${at}` })))
})

test.each([...(forgeries.get(ann) ?? [])].map((token, at) => [at, token] as const))(
  'forged token %i gives 401',
  async (_at, token) => {
    const response = await fetch(`${backend.url}/rest/v1/boats`, {
      headers: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
    })
    const body: unknown = await response.json()
    expect([
      response.status,
      ['PGRST301', 'PGRST303'].includes(String(Reflect.get(Object(body), 'code'))),
    ]).toEqual([401, true])
  },
)
