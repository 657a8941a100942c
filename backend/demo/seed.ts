// Fills a new harbor with two accounts, their vessels, voyages and logs, and the first charts.
import type { Database, Queries } from '../database/index.ts'
import { logLine } from './prose.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

export const DEMO_ACCOUNTS: readonly Account[] = [
  { email: 'skipper@harbour.test', password: 'harbour-demo' },
  { email: 'mate@harbour.test', password: 'harbour-demo' },
]

const FLEET = [
  [
    { name: 'Kittiwake', callSign: 'MKTW7', rig: 'cutter', length: 11.2 },
    { name: 'Old Patience', callSign: 'MPTN2', rig: 'ketch', length: 14.6 },
  ],
  [
    { name: 'Marigold', callSign: 'MMRG4', rig: 'gaff yawl', length: 9.4 },
    { name: 'Harbour Punt', callSign: null, rig: 'lugger', length: 4.3 },
  ],
]

const PASSAGES = [
  ['Gullhaven', 'Northing Head'],
  ['Northing Head', 'Sallow Quay'],
  ['Sallow Quay', 'Gullhaven'],
  ['Gullhaven', 'The Skerries'],
] as const

const ENTRIES_PER_USER = 40
const FIRST_WATCH = Date.UTC(2026, 2, 1, 4)
const WATCH_MS = 4 * 3_600_000
const ENTRIES_PER_VOYAGE = ENTRIES_PER_USER / PASSAGES.length

/** Creates the demo accounts through `signUp`, which returns the new user's id, and inserts their rows. */
export async function seedHarbour(
  database: Database,
  signUp: (account: Account) => Promise<string>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const account of DEMO_ACCOUNTS) ids.push(await signUp(account))
  await database.owner(async tx => {
    for (const [voice, owner] of ids.entries()) await seedUser(tx, voice, owner)
  })
  return ids
}

async function seedUser(tx: Queries, voice: number, owner: string): Promise<void> {
  const vessels: number[] = []
  for (const vessel of FLEET[voice] ?? []) {
    const rows = await tx.query<{ id: number }>(
      'insert into public.vessels (name, call_sign, rig, length_m, owner) values ($1, $2, $3, $4, $5) returning id',
      [vessel.name, vessel.callSign, vessel.rig, vessel.length, owner],
    )
    vessels.push(...rows.map(row => row.id))
  }
  for (const [passage, [departure, destination]] of PASSAGES.entries()) {
    await seedVoyage(tx, { voice, owner, passage, departure, destination, vessel: vessels[passage % 2] ?? 0 })
  }
}

interface Voyage {
  readonly voice: number
  readonly owner: string
  readonly passage: number
  readonly departure: string
  readonly destination: string
  readonly vessel: number
}

async function seedVoyage(tx: Queries, voyage: Voyage): Promise<void> {
  const time = (index: number) => new Date(FIRST_WATCH + (index * 2 + voyage.voice) * WATCH_MS).toISOString()
  const first = voyage.passage * ENTRIES_PER_VOYAGE
  const [row] = await tx.query<{ id: number }>(
    `insert into public.voyages (vessel, departure, destination, sailed_at, arrived_at, owner)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [
      voyage.vessel,
      voyage.departure,
      voyage.destination,
      time(first),
      time(first + ENTRIES_PER_VOYAGE),
      voyage.owner,
    ],
  )
  const entries = Array.from({ length: ENTRIES_PER_VOYAGE }, (_, step) => {
    const line = logLine(voyage.voice, first + step)
    return { at: time(first + step), wind: line.wind, sea_state: line.seaState, note: line.note }
  })
  await tx.query(
    `insert into public.log_entries (voyage, at, wind, sea_state, note, author)
     select $1, e.at, e.wind, e.sea_state, e.note, $2
     from jsonb_to_recordset($3) as e (at timestamptz, wind text, sea_state smallint, note text)`,
    [row?.id, voyage.owner, JSON.stringify(entries)],
  )
}
